// SPDX-License-Identifier: BSD-3-Clause
// Second derivatives of inverse dynamics, as tensors and as products, and of the mass matrix.
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/mass_derivatives.hpp>

#include "doors/second_impl.hpp"

namespace jounce {

SecondDerivatives::Impl::Impl(Robot robot_)
    : DerivativesImpl(std::move(robot_)),
      change(size_t(model().nv)),
      product_column(change.size()),
      before(change.size()),
      W(size_t(model().bodies)),
      change_lanes(change.size() + 3),
      moment(9 * size_t(lanes.view().stride)),
      standing(change.size()),
      weighted(2 * size_t(model().bodies)),
      standing_by_row(2 * moment.size()),
      a_dq(inverse_dq.size()),
      a_dv(inverse_dq.size()),
      weights(size_t(nv())),
      dual(robot) {
  const Model<double>& m = model();
  for (int i = 1; i < m.bodies; ++i)
    for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
      const detail::PartRange part = detail::part_range(m, i, m.part[r]);
      part_first.insert(part_first.end(), size_t(part.last - part.first), part.first);
      part_last.insert(part_last.end(), size_t(part.last - part.first), part.last);
    }
  second_room = {.change = change.data(),
                 .product = product_column.data(),
                 .before = before.data(),
                 .W = W.data(),
                 .part_first = part_first.data(),
                 .part_last = part_last.data(),
                 .ranges = lanes.view().ranges,
                 .standing = standing.data(),
                 .y_M = weighted.data(),
                 .y_Q = weighted.data() + m.bodies};
  second_lanes = {lanes.view(),      change_lanes.data(), moment.data(),
                  part_first.data(), part_last.data(),    standing_by_row.data()};
  if (robot.has_mimic())
    for (detail::ZeroNumbers<double>& one : tree_product)
      one = detail::ZeroNumbers<double>(dense().tree.size());
  if (system().passive.bushings.count > 0) bushings = std::make_unique<BushingCurves>(system());
}

SecondDerivatives::SecondDerivatives(Robot robot)
    : impl_(std::make_unique<Impl>(std::move(robot))) {}
SecondDerivatives::SecondDerivatives(SecondDerivatives&&) noexcept = default;
SecondDerivatives& SecondDerivatives::operator=(SecondDerivatives&&) noexcept = default;
SecondDerivatives::~SecondDerivatives() = default;

const Robot& SecondDerivatives::robot() const { return impl_->robot; }

SecondPartials<double> SecondDerivatives::Impl::without_rounding(const SecondBlocks& x, size_t n) {
  const SecondPartials<double>& all = x.blocks;
  if (x.rounded)
    for (double* block : {all.dqdq, all.dqdv, all.dvdv, all.dadq}) std::fill(block, block + n, 0.0);
  x.rounded = false;
  return all;
}

void SecondDerivatives::Impl::run_inverse_twice(const OwnState<double>& x,
                                                const Surroundings& around,
                                                const SecondBlocks& tree_blocks,
                                                const SecondBlocks& own) {
  auto [state, with] = storage.set_up(equations(), x, around, in_lanes());
  Workspace<double>& w = workspace();
  const SecondPartials<double>& to = tree_blocks.blocks;
  if (custom) {
    tree_blocks.rounded = true;
    dual.tensors(state, w.V[0], w.Vdot[0], around.wrenches, to);
  } else {
    const size_t n = size_t(model().nv);
    without_rounding(tree_blocks, n * n * n);
    tree.kernel.second_derivatives(model(), state, w, tree.bodies(), tree.wide(), second_lanes,
                                   with, second_room, to);
  }
  const SecondPartials<double>& out = own.blocks;
  if (robot.has_mimic()) {
    const Coupling<double>& c = system().coupling;
    gather_cube(c, to.dqdq, out.dqdq);
    gather_cube(c, to.dqdv, out.dqdv);
    gather_cube(c, to.dvdv, out.dvdv);
    gather_cube(c, to.dadq, out.dadq);
  }
  if (!around.passive) return;
  const std::ptrdiff_t n = nv();
  for_each_passive_curve(
      x, [&](int i, int k, int l, double curve) { out.dqdq[i + n * (k + n * l)] += curve; },
      [&](int k, double curve) { out.dvdv[k + n * (k + n * k)] += curve; },
      [&](int i, int k, int l, double curve) { out.dqdv[i + n * (k + n * l)] += curve; });
  if (bushings != nullptr) own.rounded = true;  // they fill what the tree leaves zero
}

void SecondDerivatives::Impl::run_products(const double* y, const OwnState<double>& x,
                                           const Surroundings& around, const SecondBlocks& own) {
  auto [state, with] = storage.set_up(equations(), x, around, false);
  Workspace<double>& w = workspace();
  const double* tree_y = spread(y, 3);
  const bool folds = robot.has_mimic();
  const SecondBlocks to{folds
                            ? SecondPartials<double>{tree_product[0].data(), tree_product[1].data(),
                                                     tree_product[2].data(), tree_product[3].data()}
                            : own.blocks,
                        folds ? tree_product_rounded : own.rounded};
  if (custom) {
    to.rounded = true;
    dual.products(state, w.V[0], w.Vdot[0], around.wrenches, tree_y, to.blocks);
  } else {
    const size_t n = size_t(model().nv);
    without_rounding(to, n * n);
    tree.kernel.second_products(model(), state, w, tree_y, with, sums, second_room, to.blocks);
  }
  const SecondPartials<double>& out = own.blocks;
  if (folds) {
    const Coupling<double>& c = system().coupling;
    gather_square(c, to.blocks.dqdq, out.dqdq);
    gather_square(c, to.blocks.dqdv, out.dqdv);
    gather_square(c, to.blocks.dvdv, out.dvdv);
    gather_square(c, to.blocks.dadq, out.dadq);
  }
  if (!around.passive) return;
  const int n = nv();
  for_each_passive_curve(
      x, [&](int i, int k, int l, double curve) { out.dqdq[k + n * l] += y[i] * curve; },
      [&](int k, double curve) { out.dvdv[k + n * k] += y[k] * curve; },
      [&](int i, int k, int l, double curve) { out.dqdv[k + n * l] += y[i] * curve; });
  if (bushings != nullptr) own.rounded = true;  // they fill what the tree leaves zero
}

void SecondDerivatives::run_inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                    const Surroundings& around, const SecondBlocks& tree,
                                    const SecondBlocks& own) {
  Impl& d = *impl_;
  const char* name = "inverse_second_derivatives";
  const std::span<const double> at = q, speed = v, change = a;
  const bool tame = d.check(name, at, {{"v", speed}, {"a", change}}, around);
  d.run_inverse_twice(d.keep(at, speed, change), around, tree, own);
  if (tame) return;
  const int n = d.nv();
  require_finite_matrix(d.robot, name, "d2tau_dqdq", own.blocks.dqdq, n, n * n);
  require_finite_matrix(d.robot, name, "d2tau_dqdv", own.blocks.dqdv, n, n * n);
  require_finite_matrix(d.robot, name, "d2tau_dvdv", own.blocks.dvdv, n, n * n);
  require_finite_matrix(d.robot, name, "d2tau_dadq", own.blocks.dadq, n, n * n);
}

namespace {

void require_finite_products(const Robot& robot, const char* caller, const char* last,
                             const SecondPartials<double>& x) {
  const int n = robot.nv();
  require_finite_matrix(robot, caller, "dqdq", x.dqdq, n, n);
  require_finite_matrix(robot, caller, "dqdv", x.dqdv, n, n);
  require_finite_matrix(robot, caller, "dvdv", x.dvdv, n, n);
  require_finite_matrix(robot, caller, last, x.dadq, n, n);
}

}  // namespace

void SecondDerivatives::run_inverse_products(const VectorArg& y, const VectorArg& q,
                                             const VectorArg& v, const VectorArg& a,
                                             const Surroundings& around, const SecondBlocks& own) {
  Impl& d = *impl_;
  const char* name = "inverse_second_products";
  const std::span<const double> weights = y, at = q, speed = v, change = a;
  const bool tame = d.check(name, at, {{"y", weights}, {"v", speed}, {"a", change}}, around);
  d.run_products(d.keep_weights(weights), d.keep(at, speed, change), around, own);
  if (!tame) require_finite_products(d.robot, name, "dadq", own.blocks);
}

void SecondDerivatives::Impl::load_mass(const double* q) {
  const double* zeros = room.zeros.data();
  const State<double> state = equations().set_up({q, zeros, zeros}, {.gravity = false});
  forward_poses(model(), state, workspace());
  load_mass_changes(model(), state, workspace(), storage.room, second_room);
}

void SecondDerivatives::run_mass(const VectorArg& q, const SecondBlocks& tree,
                                 const SecondBlocks& own) {
  Impl& d = *impl_;
  const std::span<const double> at = q;
  const bool tame = d.check("mass_derivatives", at, {});
  if (d.custom) {
    const double* zeros = d.room.zeros.data();
    d.run_inverse_twice({at.data(), zeros, zeros}, {.passive = false, .gravity = false}, tree, own);
  } else {
    d.load_mass(at.data());
    mass_derivatives(d.model(), d.storage.room, d.second_room, tree.blocks.dadq);
    if (d.robot.has_mimic()) gather_cube(d.system().coupling, tree.blocks.dadq, own.blocks.dadq);
  }
  const int n = d.nv();
  if (!tame) require_finite_matrix(d.robot, "mass_derivatives", "dM_dq", own.blocks.dadq, n, n * n);
}

void SecondDerivatives::mass_second(const VectorArg& q, int k, int l, const Into<double>& d2M) {
  Impl& d = *impl_;
  const char* name = "mass_second_derivative";
  const std::span<const double> at = q;
  const bool tame = d.check(name, at, {});
  const int nv = d.nv(), n = d.model().nv;
  for (const int coordinate : {k, l})
    if (coordinate < 0 || coordinate >= nv)
      throw InputError(std::string(name) + ": there is no coordinate " +
                       std::to_string(coordinate) + ", robot \"" + d.robot.name() + "\" has " +
                       std::to_string(nv));
  double* found = detail::checked_into(d.robot, name, "d2M", d2M, nv, nv);
  if (!d.custom) d.load_mass(at.data());
  double* to = d.robot.has_mimic() ? d.tree_product[3].data() : found;
  std::fill(to, to + n * n, 0.0);
  const Coupling<double>& c = d.system().coupling;
  const State<double> x = d.equations().at(at.data());
  for_each_follower(c, k, [&](int a, double ratio_a) {
    for_each_follower(c, l, [&](int b, double ratio_b) {
      const double ratio = ratio_a * ratio_b;
      if (d.custom) d.dual.add_mass_curve(x, a, b, ratio, to);
      else add_mass_second_derivative(d.model(), d.storage.room, d.second_room, a, b, ratio, to);
    });
  });
  if (d.robot.has_mimic()) {
    gather_square(c, to, found);
    d.tree_product_rounded = true;  // it is dense now
  }
  if (!tame) require_finite_matrix(d.robot, name, "d2M", found, nv, nv);
}

}  // namespace jounce
