// SPDX-License-Identifier: BSD-3-Clause
// Christoffel symbols and curvature of the kinetic-energy metric.
#include <jounce/algorithm/christoffel_derivatives.hpp>
#include <jounce/algorithm/custom_pairs.hpp>

#include "doors/geometry_impl.hpp"
#include "doors/symbols_by_dual.hpp"

namespace jounce {
namespace {

size_t power_of(int n, int exponent) {
  size_t found = 1;
  for (int k = 0; k < exponent; ++k) found *= size_t(n);
  return found;
}

/// The robot, where the mass matrix is all of its metric.
Robot with_metric(Robot robot) {
  const Model<double>& m = robot.model();
  for (const JointInfo& joint : robot.joints()) {
    const int i = joint.body;
    for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r) {
      const Part<double>& part = m.part[r];
      if (!has_brackets(part)) continue;
      for (int k = part.v; k < part.v + elementary_nv(part.kind); ++k)
        if (m.armature[k] != 0) refuse_armature("Geometry", joint.name, part.kind);
    }
  }
  return robot;
}

}  // namespace

void refuse_armature(const char* caller, const std::string& joint, JointKind kind) {
  throw InputError(std::string(caller) + ": joint \"" + joint + "\" is " + name(kind) +
                   " and has armature, which is in the mass matrix alone: it has no Christoffel "
                   "symbols");
}

Geometry::Impl::Impl(Robot robot_)
    : RobotEquations(with_metric(std::move(robot_))),
      own_gamma(power_of(nv(), 3)),
      inverse(size_t(nv() * dense().pattern.view().stride)),
      row(size_t(nv())) {
  if (!robot.has_mimic()) return;
  tree_gamma = detail::ZeroNumbers<double>(power_of(model().nv, 3));
  tree_forms = detail::ZeroNumbers<double>(power_of(int(tree_pairs.first.size()), 2));
}

Geometry::Geometry(Robot robot) : impl_(std::make_unique<Impl>(std::move(robot))) {}
Geometry::Geometry(Geometry&&) noexcept = default;
Geometry& Geometry::operator=(Geometry&&) noexcept = default;
Geometry::~Geometry() = default;

const Robot& Geometry::robot() const { return impl_->robot; }

void Geometry::Impl::run_christoffel(const double* q, double* own) {
  const State<double> state = equations().at(q);
  tree.poses(state, workspace());
  double* to = robot.has_mimic() ? tree_gamma.data() : own;
  geometry.christoffel(model(), workspace(), paths.view(), pair_room, to);
  if (custom) {
    load_custom_pairs(model(), state, workspace(), pair_room);
    add_custom_symbols(model(), paths.view(), pair_room, to);
  }
  if (robot.has_mimic()) gather_cube(system().coupling, to, own);
}

void Geometry::Impl::run_derivatives(const double* q, double* found) {
  run_christoffel(q, own_gamma.data());
  if (custom) symbols_by_dual(robot, paths.view(), equations().at(q), found);
  else jounce::christoffel_derivatives(paths.view(), pair_room, found);
}

void Geometry::Impl::run_forms(double* forms) {
  const bool mimic = robot.has_mimic();
  const PairLists pairs = tree_pairs.view();
  double* to = mimic ? tree_forms.data() : forms;
  geometry.pair_forms(paths.view(), pairs, pair_room, axes.data(), to);
  if (custom) add_custom_forms(model(), paths.view(), pairs, pair_room, to);
  if (!mimic) return;
  const size_t count = fold.own.first.size(), tree_count = size_t(pairs.count);
  std::fill(forms, forms + count * count, 0.0);
  for (size_t q = 0; q < tree_count; ++q)
    for (size_t p = 0; p <= q; ++p) {
      const double value = fold.ratio[p] * fold.ratio[q] * to[tree_count * q + p];
      const size_t a = size_t(fold.to[p]), b = size_t(fold.to[q]);
      forms[count * b + a] += value;
      if (p != q) forms[count * a + b] += value;
    }
}

void Geometry::christoffel(const VectorArg& q, const IntoResult<Christoffel>& found) {
  Impl& d = *impl_;
  const std::span<const double> at = q;
  const bool tame = d.check("christoffel", at, {});
  Christoffel& to = detail::checked_into(d.robot, "christoffel", found);
  if (std::exchange(to.full_, false)) std::fill_n(to.numbers_.data(), to.numbers_.size(), 0.0);
  d.run_christoffel(at.data(), to.numbers_.data());
  if (!tame)
    require_finite_matrix(d.robot, "christoffel", "gamma", to.data(), d.nv(), d.nv() * d.nv());
}

void Geometry::second_kind(const VectorArg& q, const IntoResult<Christoffel>& found) {
  Impl& d = *impl_;
  const char* name = "second_kind";
  const std::span<const double> at = q;
  d.check(name, at, {});
  Christoffel& to = detail::checked_into(d.robot, name, found);
  d.factor(name, at.data(), nullptr);
  d.run_christoffel(at.data(), d.own_gamma.data());
  const std::ptrdiff_t n = d.nv();
  to.full_ = true;
  std::copy_n(d.own_gamma.data(), n * n * n, to.numbers_.data());
  for (std::ptrdiff_t p = 0; p < n * n; ++p) d.solve(to.numbers_.data() + n * p);
  require_finite_matrix(d.robot, name, "gamma", to.data(), d.nv(), d.nv() * d.nv());
}

void Geometry::christoffel_derivatives(const VectorArg& q,
                                       const IntoResult<ChristoffelDerivatives>& found) {
  Impl& d = *impl_;
  const char* name = "christoffel_derivatives";
  const std::span<const double> at = q;
  const bool tame = d.check(name, at, {});
  ChristoffelDerivatives& result = detail::checked_into(d.robot, name, found);
  double* own = result.numbers_.data();
  double* tree = d.robot.has_mimic() ? result.tree_.data() : own;
  d.run_derivatives(at.data(), tree);
  if (d.robot.has_mimic()) {
    const Coupling<double>& c = d.system().coupling;
    const std::ptrdiff_t n = c.tree_nv, nv = c.nv;
    std::fill(own, own + nv * nv * nv * nv, 0.0);
    for (std::ptrdiff_t l = 0; l < n; ++l) {
      gather_cube(c, tree + n * n * n * l, d.own_gamma.data());
      double* to = own + nv * nv * nv * c.v_source[l];
      for (std::ptrdiff_t p = 0; p < nv * nv * nv; ++p)
        to[p] += c.v_ratio[l] * d.own_gamma.data()[p];
    }
  }
  const int n = d.nv();
  if (!tame) require_finite_matrix(d.robot, name, "dgamma", own, n, n * n * n);
}

void Geometry::curvature(const VectorArg& q, const IntoResult<Curvature>& found) {
  Impl& d = *impl_;
  const char* name = "curvature";
  const std::span<const double> at = q;
  d.check(name, at, {});
  Curvature& to = detail::checked_into(d.robot, name, found);
  d.factor(name, at.data(), nullptr);
  const MassWorkspace<double> M = d.dense().view();
  d.write_inverse(d.inverse.data());
  d.run_christoffel(at.data(), d.own_gamma.data());
  d.run_forms(to.forms_.data());
  double* R = detail::OwnedAccess::numbers(to.pairs);
  double* Ricci = detail::OwnedAccess::numbers(to.ricci);
  d.geometry.riemann(d.fold.own.view(), M.pattern, M.LD, d.own_gamma.data(), to.symbols_.data(),
                     to.forms_.data(), R);
  const int n = d.nv();
  d.geometry.ricci(n, R, d.inverse.data(), M.pattern.stride, d.row.data(), Ricci);
  std::copy_n(M.own, n * n, detail::OwnedAccess::numbers(to.mass));
  to.scalar_ = 0;
  for (int j = 0; j < n; ++j)
    for (int l = 0; l < n; ++l)
      to.scalar_ += d.inverse[size_t(M.pattern.stride * j + l)] * Ricci[n * j + l];
  require_finite_matrix(d.robot, name, "riemann", R, n * (n - 1) / 2, n * (n - 1) / 2);
  require_finite_number(name, "scalar", to.scalar_);
}

double Curvature::sectional(const VectorArg& x, const VectorArg& y) const {
  const std::span<const double> a = x, b = y;
  robot().check_v("sectional", "x", a);
  robot().check_v("sectional", "y", b);
  double xx = 0, yy = 0, xy = 0, above = 0;
  const auto area = [&](int i, int j) {
    return a[size_t(i)] * b[size_t(j)] - a[size_t(j)] * b[size_t(i)];
  };
  for (int i = 0; i < n(); ++i)
    for (int j = 0; j < n(); ++j) {
      xx += mass(i, j) * a[size_t(i)] * a[size_t(j)];
      yy += mass(i, j) * b[size_t(i)] * b[size_t(j)];
      xy += mass(i, j) * a[size_t(i)] * b[size_t(j)];
    }
  for (int i = 0; i < n(); ++i)
    for (int j = i + 1; j < n(); ++j)
      for (int k = 0; k < n(); ++k)
        for (int l = k + 1; l < n(); ++l)
          above += pairs(plane(i, j), plane(k, l)) * area(i, j) * area(k, l);
  const double below = xx * yy - xy * xy;
  if (!(below > 1e-14 * xx * yy)) throw InputError("sectional: x and y span no plane");
  return above / below;
}

double Geometry::structure_constant(int i, int j, int k) const {
  const Impl& d = *impl_;
  const Model<double>& m = d.model();
  const Coupling<double>& c = d.system().coupling;
  for (const int index : {i, j, k})
    if (index < 0 || index >= d.nv())
      throw InputError("structure_constant: there is no coordinate " + std::to_string(index) +
                       ", robot \"" + d.robot.name() + "\" has " + std::to_string(d.nv()));
  for (int r = 0; r < m.part_at[m.bodies]; ++r) {
    const Part<double>& part = m.part[r];
    const int dof = elementary_nv(part.kind);
    if (dof < 2) continue;
    const int first = c.v_source[part.v];
    const auto inside = [&](int index) { return index >= first && index < first + dof; };
    if (!inside(i) || !inside(j) || !inside(k)) continue;
    const Twist<double> bracket =
        ad(part_screw<double>(part, i - first), part_screw<double>(part, j - first));
    const Twist<double> along = part_screw<double>(part, k - first);
    return dot(bracket.w, along.w) + dot(bracket.v, along.v);
  }
  return 0;
}

void Geometry::covariant_derivative(const VectorArg& q, const VectorArg& v, const VectorArg& Y,
                                    const VectorArg& Ydot, const Into<double>& found) {
  Impl& d = *impl_;
  const char* name = "covariant_derivative";
  const std::span<const double> at = q, speed = v, field = Y, rate = Ydot;
  d.check(name, at, {{"v", speed}, {"Y", field}, {"Ydot", rate}});
  const int n = d.nv();
  double* to = detail::checked_into(d.robot, name, "DY", found, n);
  d.factor(name, at.data(), nullptr);
  d.run_christoffel(at.data(), d.own_gamma.data());
  std::fill(d.row.begin(), d.row.end(), 0.0);
  const double* gamma = d.own_gamma.data();
  for (size_t i = 0; i < size_t(n); ++i)
    for (size_t j = 0; j < size_t(n); ++j)
      for (size_t k = 0; k < size_t(n); ++k, ++gamma) d.row[k] += *gamma * speed[i] * field[j];
  d.solve(d.row.data());
  for (size_t k = 0; k < size_t(n); ++k) d.row[k] += rate[k];
  require_finite_vector(d.robot, name, "DY", d.row.data());
  std::copy_n(d.row.data(), n, to);
}

}  // namespace jounce
