// SPDX-License-Identifier: BSD-3-Clause
// Files are replaced in one step and stay what they are: links, modes, pipes.
#include "report/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace jounce::report {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
 protected:
  WriteFile() { fs::create_directories(folder_); }
  ~WriteFile() override { fs::remove_all(folder_); }

  fs::path at(const char* name) const { return folder_ / name; }
  fs::path make(const char* name, unsigned mode) const {
    std::ofstream(at(name)) << "old";
    fs::permissions(at(name), fs::perms(mode));
    return at(name);
  }
  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static unsigned mode(const fs::path& path) { return unsigned(fs::status(path).permissions()); }
  long entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("write_file_" + std::to_string(getpid()));
};

TEST_F(WriteFile, KeepsTheMode) {
  for (const unsigned wanted : {0600u, 0640u, 0755u}) {
    const fs::path path = make("file", wanted);
    write_file(path, "new");
    EXPECT_EQ(content(path), "new");
    EXPECT_EQ(mode(path), wanted);
  }
  EXPECT_EQ(entries(), 1);
}

TEST_F(WriteFile, FollowsLinks) {
  make("target", 0600);
  fs::create_symlink("target", at("link"));
  fs::create_symlink(at("link"), at("second"));
  fs::create_symlink("absent", at("dangling"));
  write_file(at("second"), "new");
  write_file(at("dangling"), "newer");
  EXPECT_EQ(content(at("target")), "new");
  EXPECT_EQ(mode(at("target")), 0600u);
  EXPECT_EQ(content(at("absent")), "newer");
  for (const char* link : {"link", "second", "dangling"}) EXPECT_TRUE(fs::is_symlink(at(link)));
  EXPECT_EQ(entries(), 5);
}

TEST_F(WriteFile, RefusesACircleOfLinks) {
  fs::create_symlink("circle", at("circle"));
  try {
    write_file(at("circle"), "new");
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(),
              "cannot write " + at("circle").string() + ": Too many levels of symbolic links");
  }
  EXPECT_TRUE(fs::is_symlink(at("circle")));
}

TEST_F(WriteFile, WritesAllNamesOfAFile) {
  make("file", 0644);
  fs::create_hard_link(at("file"), at("name"));
  write_file(at("file"), "new");
  EXPECT_EQ(content(at("name")), "new");
  EXPECT_EQ(fs::hard_link_count(at("file")), 2u);
}

TEST_F(WriteFile, WritesThroughAPipe) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content(at("pipe")); });
  const std::string text(100000, 'x');  // more than a pipe holds at once
  write_file(at("pipe"), text);
  reader.join();
  EXPECT_EQ(got, text);
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

}  // namespace
}  // namespace jounce::report
