// SPDX-License-Identifier: BSD-3-Clause
// Laws of the equations of motion on every kind of number: in every lane, derivative and
// coefficient, with no other implementation to compare with.
#include <jounce/any_number.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/manifold.hpp>

#include "support/kinds.hpp"
#include "support/near.hpp"
#include "support/random.hpp"
#include "support/sound_robot.hpp"

namespace jounce::test {
namespace {

constexpr Kinds<double, float, Pack<double, 4>, Taylor<double, 2>, Dual<double, 3>> kinds;

/// A robot with mimic joints and passive forces, on a state that moves in every derivative.
template <class Real>
struct Subject {
  explicit Subject(std::uint64_t seed)
      : robot(with_sound_composites(generate({.shape = TreeShape(seed % 4),
                                              .bodies = 4,
                                              .branches = 2,
                                              .kinds = all_joint_kinds(true, false),
                                              .free_base = seed % 2 == 0,
                                              .mimic = seed % 3 == 0,
                                              .passive = true,
                                              .seed = seed}))),
        rng(seed),
        dynamics(robot),
        q(size_t(robot.nq())),
        v(numbers()),
        a(numbers()) {
    const std::vector<double> start = robot.random(seed);
    const std::vector<Real> from(start.begin(), start.end()), by = numbers();
    for (const Factor& f : factors(robot.system()))
      integrate(f, from.data() + f.q, by.data() + f.v, q.data() + f.q);
    for (int k = 0; k < 3; ++k)
      wrenches.push_back({FrameId(int(rng.uniform(0, double(robot.frames().size())))),
                          rng.wrench<Real>(), Representation(k)});
  }
  std::vector<Real> numbers() {
    std::vector<Real> x;
    for (int k = 0; k < robot.nv(); ++k) x.push_back(rng.number<Real>());
    return x;
  }
  BasicSurroundings<Real> around() const { return {.wrenches = wrenches, .ground = ground}; }

  Robot robot;
  Random rng;
  BasicDynamics<Real> dynamics;
  std::vector<Real> q, v, a;
  std::vector<OutsideWrench<Real>> wrenches;
  OptionalGround<Real> ground{{rng.template twist<Real>(), rng.template twist<Real>()}};
};

/// A result, an Eigen vector for float and double, as what it may be an argument of.
template <class Real>
std::vector<Real> listed(const VectorOf<Real>& x) {
  return {x.begin(), x.end()};
}
/// Every number of x as that of y, relative to the largest of both and of `terms`.
template <class Real>
void expect_same(const std::vector<Real>& x, const std::vector<Real>& y,
                 const std::vector<Real>& terms, double units, std::uint64_t seed) {
  Parts found, needed;
  for (const Real& one : x) found.add(one);
  for (const Real& one : y) needed.add(one);
  for (const Real& one : terms) found.add(one), needed.add(one);
  expect_near_parts(found.all, needed.all, rounding<Real>(units), seed, __FILE__, __LINE__);
}

template <class Law>
void on_subjects(Law) {
  on_every(kinds, []<class Real>() {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      Subject<Real> x(seed);
      if (x.robot.nv() > 0) Law().template operator()<Real>(x, seed);
    }
  });
}

/// tau(a) - tau(0) = M a.
TEST(DynamicsLaws, InverseIsAffineInAcceleration) {
  on_subjects([]<class Real>(Subject<Real>& x, std::uint64_t seed) {
    const size_t n = x.v.size();
    const std::vector<Real> zero(n, Real(0)),
        with = listed<Real>(x.dynamics.inverse(x.q, x.v, x.a, x.around())),
        rest = listed<Real>(x.dynamics.inverse(x.q, x.v, zero, x.around()));
    const BasicMassMatrix<Real> M = x.dynamics.mass(x.q);
    std::vector<Real> sum = rest;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) sum[i] += M(int(i), int(j)) * x.a[j];
    expect_same(with, sum, rest, 1e4, seed);
  });
}

/// The forces that forward's accelerations take are those it was given: by the residual, because
/// accelerations are as uncertain as M is ill-conditioned.
TEST(DynamicsLaws, ForwardIsUndoneByInverse) {
  on_subjects([]<class Real>(Subject<Real>& x, std::uint64_t seed) {
    const std::vector<Real> tau = x.numbers(),
                            a = listed<Real>(x.dynamics.forward(x.q, x.v, tau, x.around())),
                            back = listed<Real>(x.dynamics.inverse(x.q, x.v, a, x.around()));
    std::vector<Real> terms = a;
    for (Real& one : terms) one = one * Plain<Real>(10);  // inertias of up to 10 times them
    expect_same(back, tau, terms, 1e4, seed);
  });
}

/// Of a motion that satisfies the equations, hybrid gives back what it was not told.
TEST(DynamicsLaws, HybridCompletesAMotion) {
  on_subjects([]<class Real>(Subject<Real>& x, std::uint64_t seed) {
    const size_t n = x.v.size();
    const std::vector<Real> tau = listed<Real>(x.dynamics.inverse(x.q, x.v, x.a, x.around()));
    const auto flags = std::make_unique<bool[]>(n);
    for (size_t k = 0; k < n; ++k) flags[k] = x.rng.uniform() < 0.5;
    const auto [a, found] = x.dynamics.hybrid({flags.get(), n}, x.q, x.v, x.a, tau, x.around());
    const std::vector<Real> forces = listed<Real>(found), accelerations = listed<Real>(a),
                            back = listed<Real>(
                                x.dynamics.inverse(x.q, x.v, accelerations, x.around()));
    for (size_t k = 0; k < n; ++k)
      if (flags[k]) expect_near(accelerations[k], x.a[k], 0, seed);
      else expect_near(forces[k], tau[k], 0, seed);
    std::vector<Real> terms = accelerations;
    for (Real& one : terms) one = one * Plain<Real>(10);
    terms.insert(terms.end(), tau.begin(), tau.end());
    expect_same(back, forces, terms, 1e4, seed);
  });
}

/// A wrench takes J^T F from the forces, in every representation.
TEST(DynamicsLaws, WrenchesActThroughTheJacobian) {
  on_subjects([]<class Real>(Subject<Real>& x, std::uint64_t seed) {
    const std::vector<Real> without = listed<Real>(x.dynamics.inverse(x.q, x.v, x.a));
    BasicKinematics<Real> kinematics(x.robot);
    kinematics.at(x.q);
    for (const OutsideWrench<Real>& one : x.wrenches) {
      const std::vector<Real> with =
          listed<Real>(x.dynamics.inverse(x.q, x.v, x.a, {.wrenches = {&one, 1}}));
      const BasicOwnedMatrix<Real> J = kinematics.jacobian(one.frame, one.in);
      const Real F[6] = {one.wrench.m.x, one.wrench.m.y, one.wrench.m.z,
                         one.wrench.f.x, one.wrench.f.y, one.wrench.f.z};
      std::vector<Real> expected = without;
      for (size_t k = 0; k < expected.size(); ++k)
        for (int r = 0; r < 6; ++r) expected[k] -= J(r, int(k)) * F[r];
      expect_same(with, expected, without, 1e4, seed);
    }
  });
}

TEST(DynamicsLaws, PowerBalances) {
  on_subjects([]<class Real>(Subject<Real>& x, std::uint64_t seed) {
    const auto p = x.dynamics.power_balance(x.q, x.v, x.a, x.around());
    const std::vector<Real> terms = {p.kinetic_rate, p.potential_rate, p.actuators,
                                     p.passive,      p.outside,        p.ground};
    expect_same<Real>({p.residual()}, {Real(0)}, terms, 1e4, seed);
  });
}

}  // namespace
}  // namespace jounce::test
