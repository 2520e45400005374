// SPDX-License-Identifier: BSD-3-Clause
// Pinocchio from its headers, in the fastest build it has: all flags of this processor. Its files
// are compiled once for each set of flags, in a namespace of its own.
#pragma once

#include <memory>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/peers/peer.hpp"

namespace jounce::bench::JOUNCE_PINOCCHIO {

namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Matrix6x = Eigen::Matrix<double, 6, Eigen::Dynamic>;

struct State {
  Vector q, v, a, tau;
};

/// A robot, the states that calls go through, and room for what they find.
struct Work {
  explicit Work(const PeerTree& tree);

  std::vector<pin::JointIndex> joint;  ///< of our body i
  std::vector<int> order;  ///< the place of our coordinate k; its twists are linear first
  pin::Model model;
  pin::Data data;
  std::vector<State> states;
  size_t now = 0;  ///< the state of the last call
  pin::FrameIndex tip_frame = 0;
  pin::JointIndex tip_joint = 0;
  pin::SE3 tip_placement;

  std::vector<double> ours(const Vector& x) const;
  /// Rows and columns are coordinates.
  Matrix ours_square(const Matrix& x) const;
  Matrix ours_columns(const Matrix& x) const;
  /// The same, and the rows twists or wrenches.
  Matrix ours_twists(const Matrix& x) const;
  /// Rows that are the six of a twist or wrench.
  static Matrix ours_twist(const Matrix& x);
};
using SharedWork = std::shared_ptr<Work>;

inline std::vector<double> list(const Matrix& x) { return {x.data(), x.data() + x.size()}; }
/// One after the other.
inline std::vector<double> list(std::initializer_list<Matrix> all) {
  std::vector<double> found;
  for (const Matrix& x : all) found.insert(found.end(), x.data(), x.data() + x.size());
  return found;
}

/// run(model, data, state) and numbers(work).
template <class Run, class Numbers>
PeerCall call(const SharedWork& w, const char* name, Run run, Numbers numbers, int columns = 1) {
  return {name,
          [w, run](size_t k) {
            w->now = k;
            run(w->model, w->data, w->states[k]);
            keep(w->data);
          },
          [w, numbers] { return numbers(*w); }, columns};
}

void add_kinematics(const SharedWork& w, std::vector<PeerCall>& calls);
double mass_trace(Work& w, const Vector& q);
void add_dynamics(const SharedWork& w, std::vector<PeerCall>& calls);
void add_forward_dynamics(const SharedWork& w, std::vector<PeerCall>& calls);
void add_derivatives(const SharedWork& w, std::vector<PeerCall>& calls);
void add_second_derivatives(const SharedWork& w, std::vector<PeerCall>& calls);
void add_sums(const SharedWork& w, std::vector<PeerCall>& calls);
void add_constrained(const SharedWork& w, const PeerTree& tree, std::vector<PeerCall>& calls);
pin::SE3 pose(const PeerPose& T);

}  // namespace jounce::bench::JOUNCE_PINOCCHIO
