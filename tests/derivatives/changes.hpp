// SPDX-License-Identifier: BSD-3-Clause
// What every joint changes by along one direction, read off a run on dual numbers.
#pragma once

#include <jounce/algorithm/articulated_sensitivity.hpp>

#include "derivatives/cases.hpp"

namespace jounce::test {

using Along = Dual<double, 1>;

inline double slope(const Along& x) { return x.d[0]; }
inline Along growing(double x, double rate) {
  Along y(x);
  y.d[0] = rate;
  return y;
}
inline std::vector<Along> growing(const Vector& x, const Vector& rate) {
  std::vector<Along> found(size_t(x.size()));
  for (Eigen::Index k = 0; k < x.size(); ++k) found[size_t(k)] = growing(x[k], rate[k]);
  return found;
}

struct JointChanges {
  /// From a workspace in which the joints have moved.
  template <class P>
  JointChanges(const Model<P>& m, const Workspace<Along>& w)
      : h(size_t(m.bodies)), S(size_t(m.nv)), Sdot(size_t(m.nv)) {
    for (int i = 1; i < m.bodies; ++i) {  // (T^-1 dT)^vee
      const SE3<double> T = map(w.T[i], [](const Along& x) { return x.a; });
      const SE3<double> dT = map(w.T[i], slope_of);
      h[size_t(i)] = {vee(transpose(T.R.m) * dT.R.m), inverse_times(T.R, dT.p)};
    }
    for (int k = 0; k < m.nv; ++k) {
      S[size_t(k)] = map(w.S[k], slope_of);
      Sdot[size_t(k)] = map(w.Sdot[k], slope_of);
    }
  }
  std::vector<Twist<double>> h, S, Sdot;

 private:
  static double slope_of(const Along& x) { return x.d[0]; }
};

/// The same along a direction (dq, dv) of the tree's coordinates.
inline JointChanges joint_changes(const Model<double>& m, const Vector& q, const Vector& v,
                                  const Vector& q_rate, const Vector& dv) {
  const std::vector<Along> position = growing(q, q_rate), speed = growing(v, dv);
  WorkspaceStorage<Along> storage(m);
  forward_poses(m, State<Along>{position.data(), speed.data()}, storage.view());
  return {m, storage.view()};
}

/// Room for Tables 5 to 7 and their results.
struct TableRoom {
  explicit TableRoom(const Model<double>& m)
      : twists(3 * size_t(m.bodies)), wrenches(size_t(m.bodies)), inertias(size_t(m.bodies)) {}
  SensitivityRoom<double> inverse() {
    return {twists.data(), twists.data() + inertias.size(), wrenches.data()};
  }
  ArticulatedSensitivityRoom<double> articulated() {
    const size_t n = inertias.size();
    return {twists.data(), twists.data() + n, twists.data() + 2 * n, wrenches.data(),
            inertias.data()};
  }

  std::vector<Twist<double>> twists;
  std::vector<Wrench<double>> wrenches;
  std::vector<ArticulatedInertia<double>> inertias;
};

/// Some coordinates prescribed, at random.
inline std::unique_ptr<bool[]> random_flags(DerivativeCase& c) {
  auto flags = std::make_unique<bool[]>(size_t(c.robot.nv()));
  for (int k = 0; k < c.robot.nv(); ++k) flags[size_t(k)] = c.rng.uniform(0, 1) < 0.4;
  return flags;
}

}  // namespace jounce::test
