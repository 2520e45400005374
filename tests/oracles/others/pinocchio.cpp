// SPDX-License-Identifier: BSD-3-Clause
// Pinocchio with urdfdom's reader.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "oracles/others/peer.hpp"

namespace jounce::others {
namespace {

using pinocchio::JointIndex;

pinocchio::Model read(const Question& question) {
  pinocchio::Model model;
  if (!question.floating) return pinocchio::urdf::buildModelFromXML(question.text, model);
  return pinocchio::urdf::buildModelFromXML(question.text, pinocchio::JointModelFreeFlyer(), base,
                                            model);
}

/// The names of a joint's coordinates; a free one has the linear velocity first there.
std::vector<std::string> names_of(const pinocchio::Model& model, JointIndex k) {
  std::vector<std::string> names = coordinates_of(model.names[k], model.nvs[k]);
  if (names.size() == 6) std::rotate(names.begin(), names.begin() + 3, names.end());
  return names;
}

Eigen::VectorXd position(const pinocchio::Model& model) {
  Eigen::VectorXd q(model.nq);
  for (JointIndex k = 1; k < JointIndex(model.njoints); ++k) {
    const int at = model.idx_qs[k];
    const double angle = number_of(model.names[k], "q");
    if (model.nvs[k] == 6)
      q.segment<7>(at) << position_of(model.names[k]), quaternion_of(model.names[k]);
    else if (model.nqs[k] == 2) q.segment<2>(at) << std::cos(angle), std::sin(angle);
    else q[at] = angle;
  }
  return q;
}

}  // namespace

Answer ask_pinocchio(const Question& question) {
  const pinocchio::Model model = read(question);
  Answer answer;
  answer.nq = answer.nv = model.nv;  // a continuous joint has two coordinates there, one here
  for (JointIndex k = 1; k < JointIndex(model.njoints); ++k) {
    if (model.nvs[k] != 1 && model.nvs[k] != 6) return answer.coordinates.clear(), answer;
    answer.nq += model.nvs[k] == 6 ? 1 : 0;
    for (std::string& name : names_of(model, k)) answer.coordinates.push_back(std::move(name));
  }
  if (answer.coordinates.empty()) return answer;
  const Eigen::VectorXd q = position(model), v = numbers_of(answer.coordinates, "v");
  pinocchio::Data data(model);
  pinocchio::crba(model, data, q);
  answer.M = data.M.selfadjointView<Eigen::Upper>();
  answer.tau = pinocchio::rnea(model, data, q, v, numbers_of(answer.coordinates, "a"));
  answer.a = pinocchio::aba(model, data, q, v, numbers_of(answer.coordinates, "tau"));
  return answer;
}

}  // namespace jounce::others
