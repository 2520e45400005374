// SPDX-License-Identifier: BSD-3-Clause
// The quantities of `jounce compute`: what each is computed from and how. What they are called,
// read and write stands in table.cpp.
#pragma once

#include <functional>
#include <jounce/closed_kinematics.hpp>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/geometry.hpp>
#include <jounce/inverse_kinematics.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/series.hpp>
#include <jounce/world_series.hpp>
#include <memory>
#include <optional>
#include <span>

#include "apps/jounce/json_input.hpp"
#include "apps/jounce/json_output.hpp"
#include "apps/jounce/model_options.hpp"

namespace jounce::app {

/// A door that is made when it is first used: each takes memory.
template <class Door>
class Lazy {
 public:
  explicit Lazy(const Robot& robot) : robot_(robot) {}
  Door* operator->() { return &get(); }
  Door& get() { return door_ ? *door_ : door_.emplace(robot_); }

 private:
  const Robot& robot_;
  std::optional<Door> door_;
};

/// What the quantities of one run share.
struct ComputeContext {
  explicit ComputeContext(Robot robot_) : robot(std::move(robot_)) {}

  Robot robot;
  Lazy<Kinematics> kinematics{robot};
  Lazy<InverseKinematics> ik{robot};
  Lazy<Dynamics> dynamics{robot};
  Lazy<ConstrainedDynamics> constrained{robot};
  Lazy<ClosedKinematics> closed{robot};
  Lazy<Derivatives> derivatives{robot};
  Lazy<SecondDerivatives> second_derivatives{robot};
  Lazy<Geometry> geometry{robot};
  std::optional<Series> series;      ///< of the highest order so far
  std::optional<WorldSeries> world;  ///< the same in the ground's axes
  std::string frames;                ///< --frames of dynamics of any order
  std::string frame;                 ///< --frame, or empty
  std::string kind;                  ///< --kind of a Jacobian
  std::string factorization;         ///< --factorization of a Coriolis matrix
  std::string optimum;               ///< --optimum of motor forces
  bool passive = true;               ///< --passive
};

namespace quantity {

// kinematics.cpp
Representation representation_of(const ComputeContext& c);  ///< --kind
Json fk(ComputeContext& c, JsonObject& state);
Json jacobian(ComputeContext& c, JsonObject& state);
Json ik(ComputeContext& c, JsonObject& state);
Json ik_velocity(ComputeContext& c, JsonObject& state);
Json constrained_jacobian(ComputeContext& c, JsonObject& state);
Json constrained_ik(ComputeContext& c, JsonObject& state);
// dynamics.cpp
Json inverse(ComputeContext& c, JsonObject& state);
Json forward(ComputeContext& c, JsonObject& state);
Json hybrid(ComputeContext& c, JsonObject& state);
Json mass(ComputeContext& c, JsonObject& state);
Json mass_inverse(ComputeContext& c, JsonObject& state);
Json gravity(ComputeContext& c, JsonObject& state);
Json bias(ComputeContext& c, JsonObject& state);
Json energy(ComputeContext& c, JsonObject& state);
// assemblies.cpp
Json assemble(ComputeContext& c, JsonObject& state);
Json assemblies(ComputeContext& c, JsonObject& state);
// constrained.cpp
Json constrained_forward(ComputeContext& c, JsonObject& state);
Json constrained_inverse(ComputeContext& c, JsonObject& state);
Json constrained_hybrid(ComputeContext& c, JsonObject& state);
// matrices.cpp
Json coriolis(ComputeContext& c, JsonObject& state);
Json momentum(ComputeContext& c, JsonObject& state);
Json regressor(ComputeContext& c, JsonObject& state);
// derivatives.cpp
Json inverse_derivatives(ComputeContext& c, JsonObject& state);
Json forward_derivatives(ComputeContext& c, JsonObject& state);
Json hybrid_derivatives(ComputeContext& c, JsonObject& state);
Json inverse_second_derivatives(ComputeContext& c, JsonObject& state);
Json forward_second_derivatives(ComputeContext& c, JsonObject& state);
// motions.cpp
Json linearise(ComputeContext& c, JsonObject& state);
Json trajectory(ComputeContext& c, JsonObject& state);
Json global_matrices(ComputeContext& c, JsonObject& state);
// sensitivity.cpp
Json sensitivity(ComputeContext& c, JsonObject& state);
// geometry.cpp
Json christoffel(ComputeContext& c, JsonObject& state);
Json curvature(ComputeContext& c, JsonObject& state);
// series.cpp
Json higher_inverse(ComputeContext& c, JsonObject& state);
Json higher_forward(ComputeContext& c, JsonObject& state);
Json higher_hybrid(ComputeContext& c, JsonObject& state);
Json higher_wrenches(ComputeContext& c, JsonObject& state);

}  // namespace quantity

/// A vector as the list of its numbers.
inline Json to_json(const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); }

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

/// "q", as the robot needs it.
std::vector<double> coordinates(const ComputeContext& c, JsonObject& state);

/// "v", "a" or "tau", as the robot needs it; v and a are zero where they are absent.
std::vector<double> velocities(const ComputeContext& c, JsonObject& state, const char* key);

/// "q", "v", "a" and, where it is there, "tau", checked in this order.
struct StateVectors {
  std::vector<double> q, v, a, tau;
};
StateVectors vectors_of(const ComputeContext& c, JsonObject& state);

/// "prescribed" or "kept": names of joints (all their coordinates) or "joint:k", as one flag per
/// velocity.
std::unique_ptr<bool[]> joint_flags(const Robot& robot, JsonObject& state, const char* key);

/// "f_ext", {"link": [m, f]}: wrenches in the links' own frames, or forces at points; how the
/// ground moves; and whether passive forces act.
struct StateSurroundings {
  std::vector<OutsideWrench<double>> wrenches;
  OptionalGround<double> ground{};
  bool passive = true;

  operator Surroundings() const {  // NOLINT: an argument
    return {.wrenches = wrenches, .ground = ground, .passive = passive};
  }
};
StateSurroundings surroundings(const ComputeContext& c, JsonObject& state);
/// "ground", {"velocity", "acceleration"}: twists of the ground frame, or none.
OptionalGround<double> ground_motion(JsonObject& state);

/// A list of n numbers, in which null may stand for those that are not needed. `where` names it.
std::vector<double> numbers_or_null(const JsonObject& state, const JsonValue& value,
                                    const std::string& where, int n,
                                    const std::function<bool(int)>& needed);

/// "q", "v", "prescribed", "a" and "tau" of hybrid dynamics, at full length.
struct HybridInput {
  std::vector<double> q, v;
  std::unique_ptr<bool[]> flags;
  std::vector<double> a, tau;
};
HybridInput hybrid_input(const ComputeContext& c, JsonObject& state);

}  // namespace jounce::app
