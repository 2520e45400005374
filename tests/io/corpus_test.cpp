// SPDX-License-Identifier: BSD-3-Clause
// Small URDF files, one for each thing that can be odd about one, and what is said of them.
//
// corpus/expected.txt has a section for each file: "== NAME OPTIONS", then a line for each finding
// or fault. JOUNCE_STORE=1 in the environment writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <jounce/error.hpp>
#include <jounce/io.hpp>
#include <jounce/model/robot.hpp>
#include <map>
#include <numbers>
#include <sstream>

namespace jounce {
namespace {

namespace fs = std::filesystem;

fs::path corpus_folder() { return fs::path(JOUNCE_SOURCE_FOLDER) / "tests/io/corpus"; }

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

ReadOptions options_from(const std::string& words) {
  ReadOptions options;
  options.strict = words.find("strict") == 0;
  options.couple_mimic = words != "mimic_free";
  if (words == "inertia_strict") options.inertia = InertiaPolicy::strict;
  if (words == "inertia_repair") options.inertia = InertiaPolicy::repair;
  return options;
}

/// What is said of a file, a line each.
std::string said(const std::string& name, const std::string& words) {
  std::string all;
  try {
    const Loaded loaded = read_urdf(content(corpus_folder() / name), name, options_from(words));
    const Robot robot(loaded.robot);
    for (const Finding& finding : loaded.findings)
      all += std::string(jounce::name(finding.level)) + " " + jounce::name(finding.kind) + " " +
             std::to_string(finding.places.at(0).line) + ":" +
             std::to_string(finding.places.at(0).column) + ": " + text(finding) + "\n";
  } catch (const InputError& error) {
    std::istringstream message(error.what());
    for (std::string line; std::getline(message, line);) {
      EXPECT_TRUE(line.starts_with(name + ":")) << line;
      all += "refused " + line.substr(std::min(line.size(), name.size() + 1)) + "\n";
    }
  }
  return all;
}

struct Section {
  std::string options, lines;
};

std::map<std::string, Section> expected_sections() {
  std::map<std::string, Section> sections;
  std::istringstream text(content(corpus_folder() / "expected.txt"));
  Section* section = nullptr;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("== ")) {
      if (section != nullptr) section->lines += line + "\n";
      continue;
    }
    std::istringstream words(line.substr(3));
    std::string name;
    words >> name;
    section = &sections[name];
    words >> section->options;
  }
  return sections;
}

TEST(Corpus, EveryFileIsReadOrRefusedInTheExpectedWords) {
  std::map<std::string, Section> expected = expected_sections();
  std::map<std::string, Section> found;
  for (const auto& entry : fs::directory_iterator(corpus_folder())) {
    if (entry.path().extension() != ".urdf") continue;
    const std::string name = entry.path().filename().string();
    found[name] = {expected[name].options, said(name, expected[name].options)};
  }
  if (std::getenv("JOUNCE_STORE") != nullptr) {
    std::ofstream file(corpus_folder() / "expected.txt", std::ios::binary);
    for (const auto& [name, section] : found)
      file << "== " << name << (section.options.empty() ? "" : " ") << section.options << "\n"
           << section.lines;
    return;
  }
  EXPECT_GE(found.size(), 80u);
  for (const auto& [name, section] : expected) EXPECT_EQ(found[name].lines, section.lines) << name;
}

JointDescription joint_of(const std::string& file) {
  return read_robot((corpus_folder() / file).string()).robot.joints.at(0);
}

TEST(Corpus, JointsOfDrakeAndBullet) {
  EXPECT_EQ(joint_of("spherical.urdf").geometry.kind, JointKind::spherical);
  EXPECT_EQ(joint_of("spherical.urdf").properties.damping, (std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_EQ(joint_of("drake_ball.urdf").geometry.kind, JointKind::spherical);
  EXPECT_EQ(joint_of("drake_screw.urdf").geometry.kind, JointKind::helical);
  EXPECT_DOUBLE_EQ(joint_of("drake_screw.urdf").geometry.pitch, 0.5 / (2 * std::numbers::pi));
  EXPECT_EQ(joint_of("drake_universal.urdf").geometry.kind, JointKind::universal);
  EXPECT_EQ(joint_of("drake_universal.urdf").properties.damping, (std::vector<double>{0.25, 0.25}));
  EXPECT_EQ(joint_of("drake_rotor.urdf").properties.armature, std::vector<double>{8});
}

/// q3 = 3 (2 q1 + 0.125) + 0.25.
TEST(Corpus, AMimicOfAMimicFollowsTheFirst) {
  const Robot robot = load((corpus_folder() / "mimic_chain.urdf").string());
  EXPECT_EQ(robot.nv(), 1);
  const Mimic& mimic = *robot.description().joints.at(2).mimic;
  EXPECT_EQ(mimic.leader, "j1");
  EXPECT_EQ(mimic.multiplier, 6);
  EXPECT_EQ(mimic.offset, 0.625);
}

TEST(Corpus, WhatIsReadInTheOneNaturalWay) {
  const auto link = [](const std::string& file) {
    return read_robot((corpus_folder() / file).string()).robot.links.at(1);
  };
  EXPECT_EQ(link("no_inertia.urdf").mass, 1);
  EXPECT_EQ(link("no_inertia.urdf").com.x, 0.1);
  EXPECT_EQ(link("no_inertia.urdf").I_com.zz, 0);
  EXPECT_EQ(link("no_mass.urdf").mass, 0);
  EXPECT_EQ(link("no_mass.urdf").I_com.zz, 0);
  EXPECT_EQ(link("inertia_without_mass.urdf").I_com.zz, 0.2);
  EXPECT_EQ(link("newline_in_a_number.urdf").I_com.xx, 0.1);
  EXPECT_EQ(link("material_twice.urdf").visual.at(0).colour, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(joint_of("limit_twice.urdf").properties.upper, std::vector<double>{1});
  EXPECT_TRUE(joint_of("limits_reversed.urdf").properties.lower.empty());
  EXPECT_EQ(read_robot((corpus_folder() / "no_name.urdf").string()).robot.name, "no_name");
  EXPECT_EQ(std::get<Mesh>(link("scale_one_number.urdf").visual.at(0).geometry).scale.y, 0.001);
  EXPECT_EQ(joint_of("world_undefined.urdf").parent, "world");
}

}  // namespace
}  // namespace jounce
