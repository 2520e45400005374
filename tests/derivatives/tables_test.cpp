// SPDX-License-Identifier: BSD-3-Clause
// Tables 5, 6 and 7: everything a robot is made of changing at once, against dual numbers, and
// columns along coordinates against the matrix forms.
#include <jounce/algorithm/coordinate_change.hpp>

#include "derivatives/changes.hpp"

namespace jounce::test {
namespace {

/// A model all of whose constants grow along a random direction.
struct GrowingModel {
  GrowingModel(const Model<double>& m, Random& rng)
      : part(size_t(m.part_at[m.bodies])), G(size_t(m.bodies)), armature(size_t(m.nv)) {
    const auto grow = [&](double x) { return growing(x, rng.uniform(-1, 1)); };
    const auto still = [](double x) { return Along(x); };
    for (size_t k = 0; k < part.size(); ++k) {
      const Part<double>& p = m.part[k];
      const Twist<Along> step = map(Twist<double>{}, grow);
      part[k] = {p.kind, map(p.placement, still) * exp(step), grow(p.pitch), p.q, p.v, p.angle};
    }
    for (int i = 1; i < m.bodies; ++i) G[size_t(i)] = map(m.G[i], grow);
    for (int k = 0; k < m.nv; ++k) armature[size_t(k)] = grow(m.armature[k]);
    view = {m.bodies,
            m.nq,
            m.nv,
            m.angles,
            m.parent,
            m.kind,
            m.branching,
            m.anchor,
            m.anchors,
            m.centre,
            m.part_at,
            m.v_at,
            m.q_at,
            m.angle_q,
            part.data(),
            m.custom,
            G.data(),
            armature.data(),
            map(m.gravity, grow)};
  }
  std::vector<Part<Along>> part;
  std::vector<Inertia<Along>> G;
  std::vector<Along> armature;
  Model<Along> view;
};

/// A robot in motion with every number growing: on dual numbers, and as the input of the tables.
struct TableCase : DerivativeCase {
  explicit TableCase(std::uint64_t seed)
      : DerivativeCase(seed),
        m(robot.model()),
        model(m, rng),
        storage(m),
        exact(model.view),
        room(m),
        F_ext(size_t(m.bodies)),
        dF_ext(F_ext),
        dG(size_t(m.bodies)),
        rate_v(random()),
        rate_a(random()),
        rate_tau(random()),
        darmature(m.nv),
        tau(random()) {
    for (int i = 1; i < m.bodies; ++i) {
      F_ext[size_t(i)] = rng.wrench();
      dF_ext[size_t(i)] = rng.wrench();
      dG[size_t(i)] = map(model.G[size_t(i)], [](const Along& number) { return slope(number); });
    }
    for (int k = 0; k < m.nv; ++k) darmature[k] = slope(model.armature[size_t(k)]);
    dV_0 = rng.twist();
    dVdot_0 = rng.twist();
    for (int k = 0; k < 3; ++k) (&dgravity.x)[k] = slope((&model.view.gravity.x)[k]);
  }

  Twist<Along> growing_twist(const Twist<double>& X, const Twist<double>& dX) const {
    Twist<Along> Y = as<Along>(X);
    Along* numbers[] = {&Y.w.x, &Y.w.y, &Y.w.z, &Y.v.x, &Y.v.y, &Y.v.z};
    const double rates[] = {dX.w.x, dX.w.y, dX.w.z, dX.v.x, dX.v.y, dX.v.z};
    for (int k = 0; k < 6; ++k) numbers[k]->d[0] = rates[k];
    return Y;
  }

  /// hybrid on dual numbers and on doubles; then the tables' input. Null flags: forward dynamics.
  Change<double> run(const bool* prescribed) {
    const Vector dq = random();
    const auto q_now = growing(q, tree_rates(robot, q, dq)), v_now = growing(v, rate_v),
               a_now = growing(a, rate_a), tau_now = growing(tau, rate_tau);
    std::vector<Wrench<Along>> F_now(size_t(m.bodies));
    for (size_t i = 0; i < F_now.size(); ++i) {
      const Twist<Along> F = growing_twist({F_ext[i].m, F_ext[i].f}, {dF_ext[i].m, dF_ext[i].f});
      F_now[i] = {F.w, F.v};
    }
    Workspace<Along>& e = exact.view();
    e.V[0] = growing_twist(moving().V, dV_0);
    e.Vdot[0] = growing_twist(moving().Vdot, dVdot_0) + minus_gravity<Along>(model.view);
    hybrid(model.view, {q_now.data(), v_now.data(), a_now.data(), tau_now.data(), F_now.data()},
           prescribed, e);
    x = {q.data(), v.data(), a.data(), tau.data(), F_ext.data()};
    Workspace<double>& w = storage.view();
    w.V[0] = moving().V;
    w.Vdot[0] = moving().Vdot + minus_gravity<double>(m);
    hybrid(m, x, prescribed, w);
    joints = std::make_unique<JointChanges>(m, e);
    return {.v = rate_v.data(),
            .a = rate_a.data(),
            .h = joints->h.data(),
            .S = joints->S.data(),
            .Sdot = joints->Sdot.data(),
            .G = dG.data(),
            .F_ext = dF_ext.data(),
            .armature = darmature.data(),
            .V_0 = dV_0,
            .Vdot_0 = {dVdot_0.w, dVdot_0.v - dgravity}};
  }
  Vector slopes(const Along* x_) const {
    Vector found(m.nv);
    for (int k = 0; k < m.nv; ++k) found[k] = slope(x_[k]);
    return found;
  }

  const Model<double>& m;
  GrowingModel model;
  WorkspaceStorage<double> storage;
  WorkspaceStorage<Along> exact;
  TableRoom room;
  std::vector<Wrench<double>> F_ext, dF_ext;
  std::vector<Inertia<double>> dG;
  Vector rate_v, rate_a, rate_tau, darmature, tau;
  Twist<double> dV_0, dVdot_0;
  Vec3<double> dgravity;
  State<double> x;
  std::unique_ptr<JointChanges> joints;
};

/// Solving for accelerations loses as many digits as the mass matrix has condition.
TEST(Tables, ByDualNumbersWithEverythingGrowing) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(200); ++seed) {
    TableCase c(seed);
    if (c.robot.has_mimic()) continue;
    const int n = c.m.nv;
    const double bound = 1e-13 * condition(c.dynamics.mass(c.q));
    const auto all = std::make_unique<bool[]>(size_t(n)),
               none = std::make_unique<bool[]>(size_t(n));
    std::fill(all.get(), all.get() + n, true);
    const auto some = random_flags(c);
    ArticulatedSensitivityRoom<double> room = c.room.articulated();
    Vector da(n), dtau(n);
    for (const bool* flags : {none.get(), some.get(), all.get()}) {
      const Change<double> change = c.run(flags);
      dtau = c.rate_tau;
      articulated_sensitivity(c.m, c.x, c.storage.view(), flags, change, room, dtau.data(),
                              da.data());
      const Vector a = c.slopes(c.exact.view().a), tau = c.slopes(c.exact.view().tau);
      EXPECT_TRUE(within(bound * largest(a), da, a, c));
      EXPECT_TRUE(within(bound * largest(tau), dtau, tau, c));
    }
    const Change<double> change = c.run(all.get());  // all prescribed: Table 5
    SensitivityRoom<double> inverse = c.room.inverse();
    rnea(c.m, c.x, c.storage.view());
    rnea_sensitivity(c.m, c.x, c.storage.view(), change, inverse, dtau.data());
    const Vector tau = c.slopes(c.exact.view().tau);
    EXPECT_TRUE(within(1e-12 * largest(tau), dtau, tau, c));
  }
}

/// Every array of a change at full length, as (92) would have it without its zeros.
struct DenseChange {
  DenseChange(const Model<double>& m, const Change<double>& d)
      : v(2 * size_t(m.nv)), h(size_t(m.bodies)), S(size_t(m.nv)), Sdot(S), G(size_t(m.bodies)) {
    for (int i = d.first; i < d.last; ++i) {
      if (d.h != nullptr) h[size_t(i)] = d.h[i];
      for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
        if (d.v != nullptr) v[size_t(k)] = d.v[k];
        if (d.S != nullptr) S[size_t(k)] = d.S[k];
        if (d.Sdot != nullptr) Sdot[size_t(k)] = d.Sdot[k];
      }
    }
  }
  Change<double> view() const {
    return {.v = v.data(),
            .a = v.data() + v.size() / 2,
            .h = h.data(),
            .S = S.data(),
            .Sdot = Sdot.data(),
            .G = G.data()};
  }
  std::vector<double> v;
  std::vector<Twist<double>> h, S, Sdot;
  std::vector<Inertia<double>> G;
};

/// Columns of the three tables along one coordinate, with and without the zeros of (92).
struct Columns {
  Columns(TableCase& c, const bool* flags, const Change<double>& d)
      : inverse(c.m.nv), forward(c.m.nv), hybrid(Vector::Zero(c.m.nv)) {
    const int n = c.m.nv;
    const Workspace<double>& w = c.storage.view();
    SensitivityRoom<double> room = c.room.inverse();
    rnea(c.m, c.x, c.storage.view());
    rnea_sensitivity(c.m, c.x, w, d, room, inverse.data());
    ArticulatedSensitivityRoom<double> more = c.room.articulated();
    Vector dtau = Vector::Zero(n), da(n);
    jounce::hybrid(c.m, c.x, flags, c.storage.view());
    articulated_sensitivity(c.m, c.x, w, flags, d, more, dtau.data(), da.data());
    for (int k = 0; k < n; ++k) hybrid[k] = flags[k] ? dtau[k] : da[k];
    dtau.setZero();
    aba(c.m, c.x, c.storage.view());
    articulated_sensitivity(c.m, c.x, w, nullptr, d, more, dtau.data(), forward.data());
  }
  Vector inverse, forward, hybrid;
};

struct ByColumns {
  DenseMatrix inverse, forward, hybrid;
};

/// All columns of the changes along every coordinate; every fifth again without the zeros, which
/// leave every sum as it is: 1e-14 would be a rounding or two.
template <class F>
ByColumns by_columns(TableCase& c, const bool* flags, F change) {
  const int n = c.m.nv;
  ByColumns all{DenseMatrix(n, n), DenseMatrix(n, n), DenseMatrix(n, n)};
  for (int i = 1; i < c.m.bodies; ++i)
    for (int k = c.m.v_at[i]; k < c.m.v_at[i + 1]; ++k) {
      const Change<double> sparse = change(i, k);
      const Columns found(c, flags, sparse);
      all.inverse.col(k) = found.inverse;
      all.forward.col(k) = found.forward;
      all.hybrid.col(k) = found.hybrid;
      if (k % 5 != 0) continue;
      const DenseChange dense(c.m, sparse);
      const Columns same(c, flags, dense.view());
      EXPECT_TRUE(within(1e-14 * largest(found.inverse), same.inverse, found.inverse, c));
      EXPECT_TRUE(within(1e-14 * largest(found.forward), same.forward, found.forward, c));
      EXPECT_TRUE(within(1e-14 * largest(found.hybrid), same.hybrid, found.hybrid, c));
    }
  return all;
}

/// Two algorithms for the same sums of products: some ten roundings of 1e-16 apart where nothing is
/// solved (3e-15 found), and the condition of the mass matrix more where accelerations are.
TEST(Tables, ColumnsAreThoseOfTheMatrices) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    TableCase c(seed);
    if (c.robot.has_mimic()) continue;
    const Model<double>& m = c.m;
    const Surroundings around{.ground = c.ground, .passive = false};
    std::fill(c.F_ext.begin(), c.F_ext.end(), Wrench<double>{});
    const auto flags = random_flags(c);
    const std::span<const bool> prescribed(flags.get(), size_t(m.nv));
    c.tau = c.dynamics.inverse(c.q, c.v, c.a, around);
    c.x = {c.q.data(), c.v.data(), c.a.data(), c.tau.data(), c.F_ext.data()};
    Workspace<double>& w = c.storage.view();
    w.V[0] = c.moving().V;
    w.Vdot[0] = c.moving().Vdot + minus_gravity<double>(m);
    rnea(m, c.x, w);
    std::vector<Twist<double>> h(size_t(m.bodies)), S(size_t(m.nv)), Sdot(S);
    std::vector<double> v(size_t(m.nv));
    CoordinateChangeRoom<double> room{h.data(), S.data(), Sdot.data(), v.data()};
    const ByColumns by_q = by_columns(
        c, flags.get(), [&](int i, int k) { return change_along_q(m, c.x, w, i, k, room); });
    const ByColumns by_v = by_columns(
        c, flags.get(), [&](int i, int k) { return change_along_v(m, c.x, w, i, k, room); });
    const InverseDerivatives ID = c.derivatives.inverse(c.q, c.v, c.a, around);
    EXPECT_TRUE(within(1e-12 * largest(ID.dq), by_q.inverse, ID.dq, c));
    EXPECT_TRUE(within(1e-12 * largest(ID.dv) + 1e-15, by_v.inverse, ID.dv, c));
    const double bound = 1e-13 * condition(ID.da);
    const ForwardDerivatives FD = c.derivatives.forward(c.q, c.v, c.tau, around);
    EXPECT_TRUE(within(bound * largest(FD.dq), by_q.forward, FD.dq, c));
    EXPECT_TRUE(within(bound * largest(FD.dv) + 1e-15, by_v.forward, FD.dv, c));
    const HybridDerivatives HD = c.derivatives.hybrid(prescribed, c.q, c.v, c.a, c.tau, around);
    EXPECT_TRUE(within(bound * largest(HD.dq), by_q.hybrid, HD.dq, c));
    EXPECT_TRUE(within(bound * largest(HD.dv) + 1e-15, by_v.hybrid, HD.dv, c));
  }
}

}  // namespace
}  // namespace jounce::test
