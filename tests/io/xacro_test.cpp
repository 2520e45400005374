// SPDX-License-Identifier: BSD-3-Clause
// xacro is recognised, and run through its tool only where that is asked for. A stand-in is the
// tool.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <jounce/error.hpp>
#include <jounce/io.hpp>

namespace jounce {
namespace {

namespace fs = std::filesystem;

const std::string source_text =
    "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'>\n"
    "<xacro:include filename='arm.xacro'/></robot>\n";

class Xacro : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::canonical(testing::TempDir()) / (std::string("jounce_xacro_") + test->name());
    fs::create_directories(folder_ / "bin");
    old_path_ = std::getenv("PATH");
  }
  void TearDown() override {
    setenv("PATH", old_path_.c_str(), 1);
    fs::remove_all(folder_);
  }

  /// A program xacro, first in PATH.
  void stand_in(const std::string& script) {
    const fs::path program = folder_ / "bin/xacro";
    std::ofstream(program) << "#!/bin/sh\n" << script;
    fs::permissions(program, fs::perms::owner_all);
    setenv("PATH", ((folder_ / "bin").string() + ":" + old_path_).c_str(), 1);
  }
  std::string file(const std::string& name, const std::string& text = source_text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string refusal(const std::string& path, bool run) {
    try {
      read_robot(path, {.run_xacro = run});
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  fs::path folder_;
  std::string old_path_;
};

TEST_F(Xacro, IsNotRunUnasked) {
  stand_in("touch '" + (folder_ / "was_run").string() + "'\n");
  const std::string path = file("robot.urdf.xacro");
  EXPECT_EQ(refusal(path, false), path + ":2:1: is xacro, a source of URDF: run xacro " + path +
                                      " > " + path.substr(0, path.size() - 6) +
                                      ", or load it with --xacro, which runs that program");
  EXPECT_FALSE(fs::exists(folder_ / "was_run"));
}

/// Without namespaces, as old files are, it goes by its name.
TEST_F(Xacro, OldFilesAreRecognisedByTheirNames) {
  for (const char* body : {"<include filename='$(find a)/b.xacro'/>", "<macro name='m'/>",
                           "<link name='a'/><property name='p' value='1'/>", "<gazebo/>", ""}) {
    const std::string text = "<robot>" + std::string(body) + "</robot>";
    EXPECT_NE(refusal(file("old.xacro", text), false).find("is xacro"), std::string::npos) << body;
  }
  EXPECT_EQ(refusal(file("made.xacro", "<robot name='r'><link name='a'/></robot>"), false),
            "accepted");
}

TEST_F(Xacro, IsRunWithTheFileAlone) {
  stand_in(R"(printf "<robot name='%s'><link name='a'/></robot>" "$#-${1##*/}")");
  EXPECT_EQ(read_robot(file("robot.urdf.xacro"), {.run_xacro = true}).robot.name,
            "1-robot.urdf.xacro");
  const std::string nasty = file("a b; touch x `touch y`.xacro");
  EXPECT_EQ(read_robot(nasty, {.run_xacro = true}).robot.name, "1-a b; touch x `touch y`.xacro");
  EXPECT_FALSE(fs::exists("x") || fs::exists("y"));
}

TEST_F(Xacro, IsNotRunForUrdf) {
  stand_in("exit 1\n");
  EXPECT_EQ(refusal(file("r.urdf", "<robot name='r'><link name='a'/></robot>"), true), "accepted");
  EXPECT_EQ(
      refusal(file("rest.urdf", "<robot name='r'><link name='a'/><xacro:sensor/></robot>"), true),
      "accepted");
}

TEST_F(Xacro, WhatGoesWrongIsSaid) {
  const std::string path = file("r.xacro");
  stand_in("echo 'No such package: arm' >&2; exit 2\n");
  EXPECT_EQ(refusal(path, true), path + ": xacro fails: No such package: arm");
  stand_in("echo '<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/></robot>'\n");
  EXPECT_EQ(refusal(path, true),
            path + " (expanded):1:33: two roots: links \"a\" and \"b\" have no parent");
  setenv("PATH", folder_.string().c_str(), 1);
  EXPECT_EQ(refusal(path, true),
            path + ": is xacro, and the program xacro cannot be run: No such file or directory");
}

}  // namespace
}  // namespace jounce
