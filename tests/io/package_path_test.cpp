// SPDX-License-Identifier: BSD-3-Clause
// Where meshes are looked for: given folders, those above the file, ROS_PACKAGE_PATH,
// AMENT_PREFIX_PATH, beside the file, as written.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <jounce/io.hpp>
#include <optional>

namespace jounce {
namespace {

namespace fs = std::filesystem;

class PackagePath : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::canonical(testing::TempDir()) / (std::string("jounce_package_") + test->name());
    for (const char* file : {"given/arm/mesh.stl", "ros/arm/mesh.stl", "ros/leg/mesh.stl",
                             "arm_itself/leg/only_here.stl", "robots/near.stl"}) {
      fs::create_directories((root_ / file).parent_path());
      std::ofstream(root_ / file) << "solid";
    }
    if (const char* old = std::getenv("ROS_PACKAGE_PATH")) old_ = old;
    unsetenv("ROS_PACKAGE_PATH");
  }
  void TearDown() override {
    if (old_) setenv("ROS_PACKAGE_PATH", old_->c_str(), 1);
    else unsetenv("ROS_PACKAGE_PATH");
    fs::remove_all(root_);
  }

  void set_ros_path(const std::string& path) { setenv("ROS_PACKAGE_PATH", path.c_str(), 1); }
  std::string at(const std::string& file) const { return (root_ / file).string(); }

  /// What the reader makes of a file name, in URDF and in JSON.
  std::string found(const std::string& name, const ReadOptions& options = {}) const {
    const std::string urdf = "<robot name='r'><link name='a'><visual><geometry><mesh filename='" +
                             name + "'/></geometry></visual></link></robot>";
    const std::string json = R"({"jounce": 1, "name": "r", "links": [{"name": "a", "visual": )"
                             R"([{"mesh": {"file": ")" +
                             name + R"("}}]}]})";
    const auto file = [](const Loaded& loaded) {
      return std::get<Mesh>(loaded.robot.links.at(0).visual.at(0).geometry).file;
    };
    const std::string result = file(read_urdf(urdf, at("robots/r.urdf"), options));
    EXPECT_EQ(file(read_json(json, at("robots/r.json"), options)), result);
    return result;
  }

  fs::path root_;
  std::optional<std::string> old_;
};

TEST_F(PackagePath, GivenFoldersComeFirst) {
  set_ros_path(at("ros"));
  const ReadOptions options{.package_folders = {root_ / "none", root_ / "given"}};
  EXPECT_EQ(found("package://arm/mesh.stl", options), at("given/arm/mesh.stl"));
  EXPECT_EQ(found("package://leg/mesh.stl", options), at("ros/leg/mesh.stl"));
}

TEST_F(PackagePath, RosPackagePathIsAList) {
  set_ros_path(":" + at("none") + "::" + at("ros") + "/:");
  EXPECT_EQ(found("package://arm/mesh.stl"), at("ros/arm/mesh.stl"));
}

TEST_F(PackagePath, AFolderMayBeThePackageItself) {
  const ReadOptions options{.package_folders = {root_ / "arm_itself"}};
  EXPECT_EQ(found("package://arm_itself/leg/only_here.stl", options),
            at("arm_itself/leg/only_here.stl"));
  const ReadOptions slash{.package_folders = {at("arm_itself") + "/"}};
  EXPECT_EQ(found("package://arm_itself/leg/only_here.stl", slash),
            at("arm_itself/leg/only_here.stl"));
}

/// The package that the robot's file lies in is called so, or its path fits from a folder above.
TEST_F(PackagePath, FoldersAboveTheFile) {
  for (const char* file : {"arm_pkg/meshes/a.stl", "arm_pkg/urdf/deep/near.stl",
                           "other_pkg/meshes/b.stl", "meshes_of_nobody/c.stl"}) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << "solid";
  }
  const auto seen_from = [&](const std::string& origin, const std::string& name) {
    const Loaded loaded =
        read_urdf("<robot name='r'><link name='a'><visual><geometry><mesh filename='" + name +
                      "'/></geometry></visual></link></robot>",
                  at(origin));
    return std::get<Mesh>(loaded.robot.links.at(0).visual.at(0).geometry).file;
  };
  const std::string robot = "arm_pkg/urdf/deep/r.urdf";
  EXPECT_EQ(seen_from(robot, "package://arm_pkg/meshes/a.stl"), at("arm_pkg/meshes/a.stl"));
  EXPECT_EQ(seen_from(robot, "package://other_pkg/meshes/b.stl"), at("other_pkg/meshes/b.stl"));
  EXPECT_EQ(seen_from(robot, "package://renamed/meshes/a.stl"), at("arm_pkg/meshes/a.stl"));
  EXPECT_EQ(seen_from(robot, "model://arm_pkg/meshes/a.stl"), at("arm_pkg/meshes/a.stl"));
  EXPECT_EQ(seen_from(robot, "meshes/a.stl"), at("arm_pkg/meshes/a.stl"));
  EXPECT_EQ(seen_from(robot, "near.stl"), at("arm_pkg/urdf/deep/near.stl"));
}

TEST_F(PackagePath, AmentPrefixPathHasAShare) {
  fs::create_directories(root_ / "ament/share/leg2");
  std::ofstream(root_ / "ament/share/leg2/mesh.stl") << "solid";
  setenv("AMENT_PREFIX_PATH", (at("none") + ":" + at("ament")).c_str(), 1);
  EXPECT_EQ(found("package://leg2/mesh.stl"), at("ament/share/leg2/mesh.stl"));
  unsetenv("AMENT_PREFIX_PATH");
}

/// What is not there is counted in one line.
TEST_F(PackagePath, WhatIsMissingIsCounted) {
  std::string urdf = "<robot name='r'><link name='a'>\n";
  for (int k = 0; k < 37; ++k)
    urdf += "<visual><geometry><mesh filename='package://x/" + std::to_string(k) +
            ".stl'/></geometry></visual>\n";
  const Loaded loaded = read_urdf(urdf + "</link></robot>", at("robots/r.urdf"));
  ASSERT_EQ(loaded.findings.size(), 1u);
  EXPECT_EQ(text(loaded.findings[0]),
            "mesh \"package://x/0.stl\" is not found; 36 more like it, lines 3, 4, 5, 6, 7, ...");
}

TEST_F(PackagePath, WhatIsNotFoundStaysAsWritten) {
  for (const char* name : {"package://arm/mesh.stl", "package://arm", "package://", "none.stl",
                           "file:///none.stl", "model://arm/mesh.stl", "http://host/mesh.stl"})
    EXPECT_EQ(found(name), name);
  const std::string too_long = "package://arm/" + std::string(10000, 'x');
  EXPECT_EQ(found(too_long, {.package_folders = {root_ / "given"}}), too_long);
}

/// A slash too many does not lead to the root of all files.
TEST_F(PackagePath, DoubledSlashes) {
  const ReadOptions options{.package_folders = {root_ / "given"}};
  EXPECT_EQ(found("package://arm//mesh.stl", options), at("given/arm/mesh.stl"));
}

TEST_F(PackagePath, RelativePathsStartAtTheFile) {
  EXPECT_EQ(found("near.stl"), at("robots/near.stl"));
  EXPECT_EQ(found("../ros/leg/mesh.stl"), at("ros/leg/mesh.stl"));
  EXPECT_EQ(found("file://" + at("robots/near.stl")), at("robots/near.stl"));
  EXPECT_EQ(found(at("robots/near.stl")), at("robots/near.stl"));
}

}  // namespace
}  // namespace jounce
