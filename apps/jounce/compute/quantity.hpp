// SPDX-License-Identifier: BSD-3-Clause
// What `jounce compute` can compute: each quantity turns one state into one result.
#pragma once

#include <functional>
#include <jounce/inverse_kinematics.hpp>
#include <memory>
#include <span>

#include "apps/jounce/json_input.hpp"
#include "apps/jounce/model_options.hpp"

namespace jounce::app {

/// What the quantities of one run share.
struct ComputeContext {
  explicit ComputeContext(Robot robot_) : robot(robot_), dynamics(robot_), ik(std::move(robot_)) {}

  Robot robot;
  Dynamics dynamics;
  InverseKinematics ik;
  std::string frame;          ///< --frame, or empty
  std::string kind;           ///< --kind of a Jacobian
  std::string factorization;  ///< --factorization of a Coriolis matrix
};

struct Quantity {
  const char* name;
  Json (*compute)(ComputeContext& context, const Json& state);
};

std::span<const Quantity> kinematic_quantities();
std::span<const Quantity> dynamic_quantities();
std::span<const Quantity> matrix_quantities();
std::span<const Quantity> series_quantities();
std::span<const Quantity> derivative_quantities();

/// A matrix as the list of its rows.
template <class Matrix>
Json rows_of(const Matrix& m) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < m.cols(); ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "prescribed": names of joints (all their coordinates) or "joint:k", as one flag per velocity.
std::unique_ptr<bool[]> prescribed_flags(const Robot& robot, const Json& state);

/// "f_ext", {"link": [m, f]}: wrenches in the links' own frames.
std::vector<ExternalWrench> external_wrenches(const ComputeContext& context, const Json& state);

/// "prescribed", "a" and "tau" of hybrid dynamics, at full length.
struct HybridInput {
  std::unique_ptr<bool[]> flags;
  std::vector<double> a, tau;
};
HybridInput hybrid_input(const ComputeContext& context, const Json& state);

}  // namespace jounce::app
