// SPDX-License-Identifier: BSD-3-Clause
// Runs the reference forms on counting numbers.
#include "benchmarks/flops.hpp"

#include <jounce/algorithm/articulated_solve.hpp>
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/frame_path.hpp>
#include <jounce/algorithm/hybrid.hpp>
#include <jounce/algorithm/inverse_dynamics.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/algorithm/rnea_derivatives.hpp>
#include <jounce/equations/derivatives.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/scalar/counting.hpp>
#include <memory>

namespace jounce::bench {
namespace {

using Vector = std::vector<Counting>;

/// Pairs of velocities of which one carries the other.
long entries_of_L(const Model<double>& m) {
  long entries = 0;
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      entries += k - m.v_at[i];
      for (int b = m.parent[i]; b > 0; b = m.parent[b]) entries += m.v_at[b + 1] - m.v_at[b];
    }
  return entries;
}

void count_kinematics(const Model<double>& m, const State<Counting>& x, Workspace<Counting>& w,
                      DynamicsFlops& flops) {
  flops.poses = count_flops([&] { forward_poses(m, x, w); });
  flops.twists = count_flops([&] {
    forward_poses(m, x, w);
    forward_twists(m, x, w);
  });
  flops.accelerations = count_flops([&] {
    forward_poses(m, x, w);
    forward_twists(m, x, w);
    forward_accelerations(m, x, w);
  });
}

void count_derivatives(const Model<double>& m, const State<Counting>& x, Workspace<Counting>& w,
                       DynamicsFlops& flops) {
  const auto entries = static_cast<size_t>(m.nv) * static_cast<size_t>(m.nv);
  DerivativeStorage<Counting> derivatives(m.nv, m.bodies);
  Vector dq(entries), dv(entries), da(entries);
  flops.inverse_derivatives = count_flops([&] {
    forward_poses(m, x, w);
    rnea_derivatives(m, x, w, derivatives.room,
                     InversePartials<Counting>{dq.data(), dv.data(), da.data()});
  });
}

}  // namespace

DynamicsFlops count_dynamics(const Robot& robot) {
  const Model<double>& m = robot.model();
  const auto nv = static_cast<size_t>(m.nv), bodies = static_cast<size_t>(m.bodies);
  WorkspaceStorage<Counting> storage(m);
  Workspace<Counting>& w = storage.view();
  Vector q(static_cast<size_t>(m.nq), 0.1), v(nv, 0.2), M(nv * nv), J(6 * nv), a(nv);
  const std::vector<Wrench<Counting>> outside(bodies);
  std::vector<Inertia<Counting>> composite(bodies);
  const auto prescribed = std::make_unique<bool[]>(nv);
  for (size_t k = 0; k < nv; k += 2) prescribed[k] = true;
  const State<Counting> x{q.data(), v.data(), v.data(), v.data(), outside.data()};
  const int last = static_cast<int>(robot.description().links.size()) - 1;
  const FrameInfo& tip = robot.frame_info(FrameId(last));
  w.V[0] = {};
  w.Vdot[0] = minus_gravity<Counting>(m);
  DynamicsFlops flops;
  flops.inverse = count_flops([&] { rnea(m, x, w); });
  using Kind = ThreeNumbers<Counting, double>;
  RoomStorage<Kind> room(m);
  const Recursion<Kind> recursion{m, {m}, x, w, room.view()};
  flops.inverse_fast = count_flops([&] { inverse_dynamics(recursion); });
  flops.forward = count_flops([&] { aba(m, x, w); });
  flops.hybrid = count_flops([&] { hybrid(m, x, prescribed.get(), w); });
  flops.mass = count_flops([&] {
    move_angles(m, x, w);
    for (int i = 1; i < m.bodies; ++i) move_joint(m, x, i, w);
    crba(m, w, composite.data(), M.data());
  });
  flops.jacobian = count_flops(
      [&] { path_jacobian(recursion, tip.body, tip.offset, Representation::body, J.data()); });
  count_kinematics(m, x, w, flops);
  count_derivatives(m, x, w, flops);
  factor_articulated(m, x, w);
  flops.mass_solve = count_flops([&] { articulated_solve(m, v.data(), w, a.data()); });
  if (const long entries = entries_of_L(m); entries <= long(entries_worth_a_body) * m.nv)
    flops.mass_solve = {.add = 2 * entries, .multiply = 2 * entries, .divide = m.nv};
  return flops;
}

}  // namespace jounce::bench
