// SPDX-License-Identifier: BSD-3-Clause
// Matrices as results: what is written into memory made before, what stays when the next call has
// been made, and what is refused.
#include <jounce/regressor.hpp>

#include "matrices/cases.hpp"

namespace jounce::test {
namespace {

Matrices matrices(const OwnedMatrix& x) { return {x}; }
Matrices matrices(const CoriolisMatrices& x) { return {x.matrix, x.mass_rate}; }
Matrices matrices(const CentroidalMatrices& x) { return {x.matrix, x.rate}; }

/// A robot in two states, and every call whose result is an object of the robot's.
struct Doors {
  explicit Doors(std::uint64_t seed) : c(seed, 20), regressor(c.robot), other(c.random()) {
    other_q = c.q;
    c.robot.integrate({c.q.data(), size_t(c.q.size())}, {other.data(), size_t(other.size())},
                      {other_q.data(), size_t(other_q.size())});
  }

  /// f(name, call): call(q, v, into...).
  template <class F>
  void for_each_call(F f) {
    f("mass", [this](auto& q, auto&, const auto&... into) { return c.dynamics.mass(q, into...); });
    f("mass_inverse",
      [this](auto& q, auto&, const auto&... into) { return c.dynamics.mass_inverse(q, into...); });
    for (const Factorization in : {Factorization::plain, Factorization::christoffel})
      f("coriolis", [this, in](auto& q, auto& v, const auto&... into) {
        return c.dynamics.coriolis(q, v, in, into...);
      });
    f("centroidal", [this](auto& q, auto& v, const auto&... into) {
      return c.dynamics.centroidal(q, v, into...);
    });
    f("regressor", [this](auto& q, auto& v, const auto&... into) {
      return regressor.force(q, v, c.a, {}, into...);
    });
    f("reference regressor", [this](auto& q, auto& v, const auto&... into) {
      return regressor.reference(q, v, c.a, c.a, Factorization::ploen, into...);
    });
  }

  Case c;
  Regressor regressor;
  Vector other, other_q;
};

TEST(MatrixResults, IntoMemoryIsWhatIsReturned) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(60); ++seed) {
    Doors d(seed);
    d.for_each_call([&](const char* name, auto call) {
      const auto expected = call(d.c.q, d.c.v);
      auto found = call(d.other_q, d.other);
      call(d.c.q, d.c.v, into(found));
      expect_all_same(matrices(found), matrices(expected), name, seed);
    });
    const int columns = d.regressor.columns();
    DenseMatrix energy(2, columns), momentum(6, columns);
    d.regressor.energy(d.c.q, d.c.v, {}, into(energy));
    d.regressor.momentum(d.c.q, d.c.v, {}, into(momentum));
    EXPECT_TRUE(within(0, energy, d.regressor.energy(d.c.q, d.c.v), seed));
    EXPECT_TRUE(within(0, momentum, d.regressor.momentum(d.c.q, d.c.v), seed));
  }
}

TEST(MatrixResults, StayAsTheyAre) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    auto d = std::make_unique<Doors>(seed);
    std::vector<std::function<void()>> later;
    d->for_each_call([&](const char* name, auto call) {
      auto kept = call(d->c.q, d->c.v);
      const Matrices before = matrices(kept);
      auto copy = kept;
      call(d->other_q, d->other, into(copy));
      call(d->other_q, d->other);
      later.push_back([kept = std::move(kept), before, name, seed] {
        expect_all_same(matrices(kept), before, name, seed);
      });
    });
    d.reset();  // results outlive what they came from
    for (const auto& check : later) check();
  }
}

/// Results are written after every argument has been read.
TEST(MatrixResults, OfForcesMayBeAnArgument) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Case c(seed, 20);
    Vector v = c.v, a = c.a;
    c.dynamics.inverse_reference(c.q, v, a, a, Factorization::lie, into(a));
    EXPECT_TRUE(
        within(0, a, c.dynamics.inverse_reference(c.q, v, c.a, c.a, Factorization::lie), c));
    c.dynamics.bias(c.q, v, into(v));
    EXPECT_TRUE(within(0, v, c.dynamics.bias(c.q, c.v), c));
  }
}

TEST(MatrixResults, OfAnotherRobotOrSizeAreRefused) {
  const Robot arm = load("builtin:arm7"), puma = load("builtin:puma560");
  const std::vector<double> q(7);
  const auto told = [&](const char* caller) {
    return std::string(caller) +
           ": into a result made for robot \"puma560\", this is robot \"arm7\"";
  };
  Dynamics dynamics(arm);
  Regressor regressor(arm), of_puma(puma), more(arm, {.armature = true});
  MassMatrix M(puma);
  MassInverse inverse(puma);
  CoriolisMatrices C(puma);
  CentroidalMatrices A(puma);
  RegressorMatrix Y(of_puma), Y_more(more);
  EXPECT_EQ(message([&] { dynamics.mass(q, into(M)); }), told("mass"));
  MassMatrix loaded_again(load("builtin:arm7"));
  EXPECT_EQ(message([&] { dynamics.mass(q, into(loaded_again)); }),
            "mass: into a result made for another robot called \"arm7\": loaded twice, it is two "
            "robots; make results with door.robot()");
  EXPECT_EQ(message([&] { dynamics.mass_inverse(q, into(inverse)); }), told("mass_inverse"));
  EXPECT_EQ(message([&] { dynamics.coriolis(q, q, Factorization::lie, into(C)); }),
            told("coriolis"));
  EXPECT_EQ(message([&] { dynamics.centroidal(q, q, into(A)); }), told("centroidal"));
  EXPECT_EQ(message([&] { regressor.force(q, q, q, {}, into(Y)); }), told("regressor"));
  EXPECT_EQ(message([&] { regressor.force(q, q, q, {}, into(Y_more)); }),
            "regressor: into(Y) has 7 x 97, robot \"arm7\" needs 7 x 90");
  DenseMatrix energy(2, 9);
  EXPECT_EQ(message([&] { regressor.energy(q, q, {}, into(energy)); }),
            "energy regressor: into(Y) has 2 x 9, robot \"arm7\" needs 2 x 90");
  std::vector<Wrench<double>> joints(6);
  EXPECT_EQ(
      message([&] { dynamics.joint_wrenches(q, q, q, Representation::body, {}, into(joints)); }),
      "joint_wrenches: into(joints) has 6 numbers, robot \"arm7\" needs 7");
}

}  // namespace
}  // namespace jounce::test
