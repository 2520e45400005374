// SPDX-License-Identifier: BSD-3-Clause
// Pinocchio with urdfdom's reader.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "oracles/others/peer.hpp"

namespace jounce::others {

Answer ask_pinocchio(const std::string& /*path*/, const std::string& text) {
  pinocchio::Model model;
  pinocchio::urdf::buildModelFromXML(text, model);
  Answer answer{model.nq, model.nv, {}, {}, {}, {}};
  Eigen::VectorXd q(model.nq);
  for (pinocchio::JointIndex k = 1; k < pinocchio::JointIndex(model.njoints); ++k) {
    if (model.nvs[k] != 1) return answer.joints.clear(), answer;
    answer.joints.push_back(model.names[k]);
    const double angle = number_of(model.names[k], "q");
    if (model.nqs[k] == 2) q.segment<2>(model.idx_qs[k]) << std::cos(angle), std::sin(angle);
    else q[model.idx_qs[k]] = angle;
  }
  answer.nq = model.nv;  // a continuous joint has two coordinates there, one here
  if (answer.joints.empty()) return answer;
  const Eigen::VectorXd v = numbers_of(answer.joints, "v");
  pinocchio::Data data(model);
  pinocchio::crba(model, data, q);
  answer.M = data.M.selfadjointView<Eigen::Upper>();
  answer.tau = pinocchio::rnea(model, data, q, v, numbers_of(answer.joints, "a"));
  answer.a = pinocchio::aba(model, data, q, v, numbers_of(answer.joints, "tau"));
  return answer;
}

}  // namespace jounce::others
