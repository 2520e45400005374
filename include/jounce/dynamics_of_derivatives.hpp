// SPDX-License-Identifier: BSD-3-Clause
// Memory and steps of DynamicsOf for the partial derivatives of inverse dynamics.
#pragma once

#include <jounce/algorithm/rnea_derivatives.hpp>
#include <jounce/dynamics_of_memory.hpp>

namespace jounce::detail {

template <class Real, class P>
struct DerivativeMemory {
  using Memory = DynamicsMemory<Real, P>;
  using Vector = std::span<const Real>;
  using Outside = std::span<const ExternalWrenchOf<Real>>;

  explicit DerivativeMemory(const Memory& d)
      : screws(10 * size(d.model().nv)),
        motions(2 * size(d.model().bodies)),
        inertias(motions.size()),
        wrenches(motions.size()),
        outside(size(d.model().bodies)),
        dq(d.tree_square),
        dv(dq),
        da(dq),
        folded_dq(d.square),
        folded_dv(folded_dq),
        folded_da(folded_dq) {}

  static size_t size(int n) { return static_cast<size_t>(n); }
  DerivativeRoom<Real> room(const Model<P>& m) {
    Twist<Real>* S = screws.data();
    return derivative_room(m.nv, m.bodies, S, S + 4 * m.nv, motions.data(), inertias.data(),
                           wrenches.data());
  }

  /// d tau/d(q, v, a) of the robot's coordinates, into the folded matrices or, without mimic
  /// joints, into the tree's.
  void run(Memory& d, Vector q, Vector v, Vector a, Outside external) {
    const State<Real> x = d.load(q, v, a, external);
    forward_poses(d.model(), x, d.work.view());
    DerivativeRoom<Real> r = room(d.model());
    if (load_world_wrenches(d, external)) r.outside = outside.data();
    rnea_derivatives(d.model(), x, d.work.view(), r,
                     InverseDerivatives<Real>{dq.data(), dv.data(), da.data()});
    const bool folds = d.robot.has_mimic();
    d.fold_square(dq, folded_dq), d.fold_square(dv, folded_dv), d.fold_square(da, folded_da);
    if (d.passive && d.robot.has_passive())
      add_passive(d, q, v, folds ? folded_dq.data() : dq.data(),
                  folds ? folded_dv.data() : dv.data());
  }

  /// How wrenches that stand in ground axes fail to turn with their bodies (WorldWrench).
  bool load_world_wrenches(const Memory& d, Outside external) {
    bool any = false;
    std::fill(outside.begin(), outside.end(), WorldWrench<Real>{});
    const Workspace<Real>& w = d.work.view();
    for (const ExternalWrenchOf<Real>& one : external) {
      if (one.in == Representation::body) continue;
      any = true;
      const int body = d.robot.frame_info(one.frame).body;
      const Vec3<Real> p = pose_from_centre(w, body, d.offset[static_cast<size_t>(one.frame)]).p;
      outside[size(body)] = outside[size(body)] + world_wrench(one.wrench, one.in, p, w.central[0]);
    }
    return any;
  }

  /// Damping, friction and springs; on a manifold a spring's slope is the inverse of dexp.
  void add_passive(Memory& d, Vector q, Vector v, Real* to_dq, Real* to_dv) {
    const PassiveData& p = d.robot.passive();
    const int n = d.robot.nv();
    for (int k = 0; k < n; ++k) {
      const Real slip = tanh(v[size(k)] * P(1 / slip_speed));
      to_dv[n * k + k] +=
          Real(p.damping[size(k)]) + (Real(1) - slip * slip) * P(p.friction[size(k)] / slip_speed);
      to_dq[n * k + k] += Real(p.stiffness[size(k)]);
    }
    if (!d.robot.has_springs()) return;
    std::fill(d.deflection.begin(), d.deflection.end(), Real(0));
    spring_deflections(d.robot, q.data(), d.deflection.data());
    for (const JointInfo& joint : d.robot.joints()) {
      if (joint.mimic || d.model().kind[joint.body] == JointKind::custom) continue;
      for (int k = d.model().part_at[joint.body]; k < d.model().part_at[joint.body + 1]; ++k) {
        const Part<P>& part = d.model().part[k];
        add_manifold_spring(d, part, part.v + joint.v - d.model().v_at[joint.body], to_dq);
      }
    }
  }
  void add_manifold_spring(const Memory& d, const Part<P>& part, int first, Real* to) {
    const int dof = elementary_nv(part.kind), n = d.robot.nv();
    if (elementary_nq(part.kind) == dof && part.kind != JointKind::planar) return;
    const Twist<Real> X = part_twist(part, d.deflection.data() + first);
    for (int k = 0; k < dof; ++k) {
      const Twist<Real> S = part_screw<Real>(part, k), dX = dexp_body_inv(X, S) - S;
      for (int l = 0; l < dof; ++l) {  // unit screws: coordinates are dot products
        const Twist<Real> axis = part_screw<Real>(part, l);
        to[n * (first + k) + first + l] += (dot(axis.w, dX.w) + dot(axis.v, dX.v)) *
                                           P(d.robot.passive().stiffness[size(first + l)]);
      }
    }
  }

  std::vector<Twist<Real>> screws, motions;
  std::vector<Inertia<Real>> inertias;
  std::vector<Wrench<Real>> wrenches;
  std::vector<WorldWrench<Real>> outside;
  std::vector<Real> dq, dv, da, folded_dq, folded_dv, folded_da;
};

}  // namespace jounce::detail
