// SPDX-License-Identifier: BSD-3-Clause
// The matrix algorithms on series and packs: laws in every coefficient, lanes as doubles.
#include <jounce/algorithm/momentum.hpp>
#include <jounce/algorithm/reference_rnea.hpp>

#include "matrices/cases.hpp"

namespace jounce::test {
namespace {

/// All memory for one model and kind of number.
template <class Real>
struct Room {
  explicit Room(const Model<double>& m_)
      : m(m_),
        storage(m),
        q(size(m.nq)),
        v(size(m.nv)),
        zero(size(m.nv), Real(0)),
        S(size(m.nv)),
        Psi(size(m.nv)),
        V(size(m.bodies)),
        G(size(m.bodies)),
        Gdot(size(m.bodies)),
        K(size(m.bodies)),
        F_ext(size(m.bodies)),
        C(size(m.nv) * size(m.nv), Real(0)),
        Mdot(C),
        room{S.data(), Psi.data(), V.data(), G.data(), Gdot.data(), K.data()} {}
  static size_t size(int n) { return static_cast<size_t>(n); }
  State<Real> state() const { return {q.data(), v.data(), zero.data(), zero.data(), F_ext.data()}; }
  void coriolis(Factorization f) {
    forward_poses(m, state(), storage.view());
    jounce::coriolis(m, state(), storage.view(), f, room, C.data(), Mdot.data());
  }

  const Model<double>& m;
  WorkspaceStorage<Real> storage;
  std::vector<Real> q, v, zero;
  std::vector<Twist<Real>> S, Psi, V;
  std::vector<Inertia<Real>> G, Gdot;
  std::vector<SkewBlock<Real>> K;
  std::vector<Wrench<Real>> F_ext;
  std::vector<Real> C, Mdot;
  SubtreeRoom<Real> room;
};

/// C v by Coriolis matrices against Newton-Euler without gravity, as power series in time: every
/// derivative of C is checked. q is a series whose rate is v, as joints without quaternions have.
TEST(KindsOfNumber, SeriesOfCoriolisTimesVelocity) {
  using Real = Taylor<double, 3>;
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(12); ++seed) {
    const Robot robot(
        generate({.shape = TreeShape(seed % 4),
                  .bodies = 6,
                  .branches = 2,
                  .kinds = {JointKind::revolute, JointKind::helical, JointKind::cylindrical,
                            JointKind::universal, JointKind::euler_ball, JointKind::prismatic},
                  .child_placements = true,
                  .seed = seed}));
    const Model<double>& m = robot.model();
    Room<Real> x(m);
    Random rng(seed);
    for (int k = 0; k < m.nv; ++k) {
      Real& q = x.q[size_t(k)] = rng.number<Real>();
      for (int j = 0; j < 3; ++j) x.v[size_t(k)].c[j] = (j + 1) * q.c[j + 1];
    }
    for (const Factorization f : all_factorizations) {
      x.coriolis(f);
      Workspace<Real>& w = x.storage.view();
      w.V[0] = w.Vdot[0] = {};
      rnea(m, x.state(), w);
      for (int i = 0; i < m.nv; ++i) {
        Real sum(0);
        for (int k = 0; k < m.nv; ++k) sum += x.C[size_t(m.nv * k + i)] * x.v[size_t(k)];
        for (int j = 0; j <= 2; ++j)  // v has one coefficient less than q
          EXPECT_NEAR(sum.c[j], w.tau[i].c[j], 1e-10 * (1 + std::abs(sum.c[j])))
              << seed << " " << int(f) << " " << i << " " << j;
      }
    }
  }
}

TEST(KindsOfNumber, LanesAgreeWithDoubles) {
  constexpr int lanes = 4;
  using Real = Pack<double, lanes>;
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(12); ++seed) {
    const Robot robot(random_description(seed, 20));
    const Model<double>& m = robot.model();
    const int n = m.nv;
    Room<Real> packed(m);
    Random rng(seed);
    std::vector<Room<double>> plain;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::vector<double> start = robot.random(seed + std::uint64_t(lane));
      const Vector q = tree_q(robot, Vector::Map(start.data(), robot.nq()));
      Room<double>& one = plain.emplace_back(m);
      for (int k = 0; k < m.nq; ++k) packed.q[size_t(k)].set(lane, one.q[size_t(k)] = q[k]);
      for (int k = 0; k < n; ++k)
        packed.v[size_t(k)].set(lane, one.v[size_t(k)] = rng.uniform(-1, 1));
    }
    for (const Factorization f : all_factorizations) {
      packed.coriolis(f);
      for (int lane = 0; lane < lanes; ++lane) {
        plain[size_t(lane)].coriolis(f);
        const DenseMatrix C = DenseMatrix::Map(plain[size_t(lane)].C.data(), n, n);
        DenseMatrix found(n, n);
        for (int k = 0; k < n * n; ++k) found.data()[k] = packed.C[size_t(k)][lane];
        EXPECT_LE(largest(found - C), 1e-13 * largest(C)) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace jounce::test
