// SPDX-License-Identifier: BSD-3-Clause
// Numbers that Pinocchio 3.7 computed, read from the folder shared/oracle beside the project.
//
// Values come as they stand in the file, in Pinocchio's conventions; its README.md lists the keys.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "oracles/convert.hpp"

namespace jounce::test {

/// Where the oracle's files are; nothing where they are not on this machine.
std::optional<std::filesystem::path> oracle_folder();

/// A group of named numbers: one state, or one joint.
class OracleValues {
 public:
  explicit OracleValues(const nlohmann::json& values) : values_(&values) {}

  double number(const std::string& key) const;
  std::string text(const std::string& key) const;
  Eigen::VectorXd vector(const std::string& key) const;
  Eigen::MatrixXd matrix(const std::string& key) const;
  /// A tensor by its last index; empty where there is none.
  std::vector<Eigen::MatrixXd> slices(const std::string& key) const;
  /// Groups within this one, and lists of them.
  OracleValues group(const std::string& key) const;
  std::vector<OracleValues> groups(const std::string& key) const;

 private:
  const nlohmann::json* values_;
};

/// One robot with its states; it must outlive the values taken from it.
class PinocchioOracle {
 public:
  /// "ur5" or "solo12_ff".
  explicit PinocchioOracle(const std::string& name);
  PinocchioOracle(const PinocchioOracle&) = delete;
  PinocchioOracle& operator=(const PinocchioOracle&) = delete;
  ~PinocchioOracle();

  /// Our robot from the same URDF, with a free base named "base" where Pinocchio's has one.
  Robot robot() const;
  /// Pinocchio's order, in our names.
  std::vector<PinocchioJoint> joints() const;

  int states() const;
  OracleValues state(int i) const;
  OracleValues joint(int i) const;  ///< mass, com, ... of joints()[i]
  OracleValues values() const;      ///< what belongs to the robot: nq, nv, total_mass, ...
  std::string text(const std::string& key) const;

 private:
  std::unique_ptr<const nlohmann::json> file_;
};

}  // namespace jounce::test
