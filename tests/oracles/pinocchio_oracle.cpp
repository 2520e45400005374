// SPDX-License-Identifier: BSD-3-Clause
// Reads the oracle's JSON.
#include "oracles/pinocchio_oracle.hpp"

#include <fstream>
#include <jounce/io.hpp>
#include <jounce/model/operations.hpp>
#include <nlohmann/json.hpp>

namespace jounce::test {
namespace {

constexpr const char* folder = JOUNCE_SOURCE_FOLDER "/../shared/oracle";

}  // namespace

std::optional<std::filesystem::path> oracle_folder() {
  if (!std::filesystem::is_directory(folder)) return std::nullopt;
  return folder;
}

double OracleValues::number(const std::string& key) const { return values_->at(key); }

std::string OracleValues::text(const std::string& key) const { return values_->at(key); }

OracleValues OracleValues::group(const std::string& key) const {
  return OracleValues(values_->at(key));
}
std::vector<OracleValues> OracleValues::groups(const std::string& key) const {
  std::vector<OracleValues> found;
  for (const nlohmann::json& one : values_->at(key)) found.emplace_back(one);
  return found;
}

Eigen::VectorXd OracleValues::vector(const std::string& key) const {
  const std::vector<double> x = values_->at(key);
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Eigen::MatrixXd OracleValues::matrix(const std::string& key) const {
  const std::vector<std::vector<double>> rows = values_->at(key);
  const auto columns = rows.empty() ? 0 : static_cast<Eigen::Index>(rows[0].size());
  Eigen::MatrixXd m(static_cast<Eigen::Index>(rows.size()), columns);
  for (size_t i = 0; i < rows.size(); ++i)
    m.row(static_cast<Eigen::Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXd>(rows[i].data(), columns);
  return m;
}

std::vector<Eigen::MatrixXd> OracleValues::slices(const std::string& key) const {
  if (!values_->contains(key)) return {};
  const std::vector<std::vector<std::vector<double>>> T = values_->at(key);
  std::vector<Eigen::MatrixXd> found(T.size(), Eigen::MatrixXd(T.size(), T.size()));
  for (size_t i = 0; i < T.size(); ++i)
    for (size_t k = 0; k < T.size(); ++k)
      for (size_t l = 0; l < T.size(); ++l) found[l](Eigen::Index(i), Eigen::Index(k)) = T[i][k][l];
  return found;
}

PinocchioOracle::PinocchioOracle(const std::string& name) {
  std::ifstream file(std::filesystem::path(folder) / (name + ".json"));
  file_ = std::make_unique<const nlohmann::json>(nlohmann::json::parse(file));
}
PinocchioOracle::~PinocchioOracle() = default;

Robot PinocchioOracle::robot() const {
  const std::string urdf = std::filesystem::path(folder) / text("urdf");
  const Robot robot(read_robot(urdf).robot);
  return file_->at("free_flyer") == 1 ? with_base(robot, JointKind::free) : robot;
}

std::vector<PinocchioJoint> PinocchioOracle::joints() const {
  std::vector<PinocchioJoint> joints;
  for (const nlohmann::json& joint : file_->at("joints")) {
    const bool free = joint.at("type") == "JointModelFreeFlyer";
    const std::string name = free ? "base" : joint.at("name").get<std::string>();
    joints.push_back({name, joint.at("idx_q"), joint.at("idx_v")});
  }
  return joints;
}

int PinocchioOracle::states() const { return static_cast<int>(file_->at("states").size()); }
OracleValues PinocchioOracle::state(int i) const {
  return OracleValues(file_->at("states").at(static_cast<size_t>(i)));
}
OracleValues PinocchioOracle::joint(int i) const {
  return OracleValues(file_->at("joints").at(static_cast<size_t>(i)));
}
OracleValues PinocchioOracle::values() const { return OracleValues(*file_); }
std::string PinocchioOracle::text(const std::string& key) const { return file_->at(key); }

}  // namespace jounce::test
