// SPDX-License-Identifier: BSD-3-Clause
// Files that cannot be read and texts that are too large, too deep or too many: refused at once.
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <jounce/model/robot.hpp>

#include "io/skipped.hpp"

namespace jounce {
namespace {

namespace fs = std::filesystem;

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

class BadFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("jounce_bad_file_") + test->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// What reading a file of this content says, without the file's path in front.
  std::string refusal_of(const std::string& content) {
    const std::string path = (folder_ / "robot").string();
    std::ofstream(path, std::ios::binary) << content;
    const std::string message = refusal([&] { read_robot(path); });
    EXPECT_TRUE(message == "accepted" || message.starts_with(path));
    return message == "accepted" ? message : message.substr(path.size());
  }

  fs::path folder_;
};

TEST_F(BadFile, ContentDecidesWhatItIs) {
  EXPECT_EQ(refusal_of("  <robot name='r'><link name='a'/></robot>"), "accepted");
  EXPECT_EQ(
      refusal_of("\xef\xbb\xbf\n{\"jounce\": 1, \"name\": \"r\", \"links\": [{\"name\": \"a\"}]}"),
      "accepted");
  EXPECT_EQ(refusal_of("solid mesh"),
            ":1:1: is neither URDF (starts with \"<\") nor JSON (starts with \"{\")");
  EXPECT_EQ(refusal_of(""), ":1:1: is empty");
  EXPECT_EQ(refusal_of("<robot name='r'>"), ":1:17: the text ends inside <robot> of line 1");
  EXPECT_EQ(refusal_of("{\"jounce\": 1"), ":1:13: the JSON text ends too early");
  EXPECT_EQ(refusal_of(std::string("\0\0\0", 3)), ":1:1: control character 0x00 in the text");
}

TEST_F(BadFile, CannotBeRead) {
  const std::string folder = folder_.string();
  EXPECT_EQ(refusal([&] { read_robot(folder); }), folder + ": cannot be read: is a folder");
  EXPECT_EQ(refusal([&] { read_robot(folder + "/none.urdf"); }),
            folder + "/none.urdf: cannot be read: No such file or directory");
  EXPECT_EQ(refusal([] { read_robot(""); }), ": cannot be read: No such file or directory");
}

TEST_F(BadFile, NameNearestToABundledRobot) {
  const auto starts = [](const std::string& name, const std::string& told) {
    EXPECT_EQ(refusal([&] { read_robot(name); }).substr(0, told.size()), told);
  };
  starts("builtin:", "builtin:: there is no bundled robot \"\"; there are planar_2r, ");
  starts("builtin:arm8",
         "builtin:arm8: there is no bundled robot \"arm8\"; nearest: \"arm7\"; there are ");
}

TEST_F(BadFile, StrictReadingRefusesWhatWouldBeIgnored) {
  const std::string json =
      "{\"jounce\": 1, \"name\": \"r\", \"links\": [{\"name\": \"a\"}],\n"
      " \"nmae\": 1, \"mass\": 2}";
  const std::string path = (folder_ / "robot").string();
  std::ofstream(path, std::ios::binary) << json;
  const ReadOptions strict{.couple_mimic = true, .package_folders = {}, .strict = true};
  EXPECT_EQ(test::skipped(read_robot(path)).size(), 2u);
  EXPECT_EQ(load(path, {}).name(), "r");
  const std::string needed = path + ":2:2: key \"nmae\" of robot \"r\" would be ignored\n" + path +
                             ":2:13: key \"mass\" of robot \"r\" would be ignored";
  EXPECT_EQ(refusal([&] { read_robot(path, strict); }), needed);
  EXPECT_EQ(refusal([&] { load(path, strict); }), needed);
  EXPECT_EQ(
      refusal([&] { read_urdf("<robot name='r'><x/></robot>", "r.urdf", strict); }).substr(0, 7),
      "r.urdf:");
  for (const std::string_view name : builtin_robots())
    EXPECT_EQ(refusal([&] { load("builtin:" + std::string(name), strict); }), "accepted");
}

TEST(BadSize, TextBeyondTheLimit) {
  const std::string text(64 * 1024 * 1024 + 1, ' ');
  EXPECT_EQ(refusal([&] { read_urdf(text, "big"); }),
            "big:1:1: has more than 67108864 bytes, the most that are read");
  EXPECT_EQ(refusal([&] { read_json(text, "big"); }),
            "big:1:1: has more than 67108864 bytes, the most that are read");
}

TEST(BadSize, TagWithTooManyAttributes) {
  std::string text = "<robot name='r'";
  for (int k = 0; k < 1000; ++k) text += " a" + std::to_string(k) + "='1'";
  EXPECT_EQ(refusal([&] { read_urdf(text + "/>", "many"); }),
            "many:1:1: tag <robot> has more than 100 attributes");
}

/// None of these may take more than linear time; a quadratic one would take minutes.
TEST(BadSize, LargeTextsAreReadInLinearTime) {
  const std::clock_t start = std::clock();  // of the processor: others may be at work on it
  std::string urdf = "<robot name='r'>", json = "{\"jounce\": 1, \"name\": \"r\", \"links\": [";
  std::string keys = R"({"jounce": 1, "name": "r", "links": [{"name": "a"}])", joints;
  for (int k = 0; k < 100000; ++k) {
    const std::string name = "link_" + std::to_string(k);
    urdf += "<link name='" + name + "'><x/></link>\n";
    if (k > 0)
      urdf += "<joint name='" + name + "' type='fixed'><parent link='link_0'/><child link='" +
              name + "'/></joint>\n";
    json += (k == 0 ? "" : ",") + std::string("{\"name\": \"") + name + "\"}\n";
    joints += (k < 2 ? "" : ",") + (k == 0 ? std::string()
                                           : R"({"parent": "link_0", "kind": "fixed", "name": ")" +
                                                 name + R"(", "child": ")" + name + "\"}\n");
    keys += ", \"" + name + "\": 1\n";
  }
  EXPECT_EQ(test::counted(read_urdf(urdf + "</robot>", "large"), FindingKind::unknown), 100000u);
  EXPECT_EQ(read_json(json + "], \"joints\": [" + joints + "]}", "large").robot.links.size(),
            100000u);
  EXPECT_EQ(test::counted(read_json(keys + "}", "large"), FindingKind::unknown), 100000u);
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 30);
}

}  // namespace
}  // namespace jounce
