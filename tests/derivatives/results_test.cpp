// SPDX-License-Identifier: BSD-3-Clause
// Results of derivatives: what is written into memory made before, what stays when the next call
// has been made, and what is refused.
#include <jounce/sensitivity.hpp>
#include <jounce/series_derivatives.hpp>
#include <optional>

#include "derivatives/changes.hpp"
#include "derivatives/second_cases.hpp"

namespace jounce::test {
namespace {

Matrices matrices(const InverseDerivatives& x) { return {x.dq, x.dv, x.da}; }
Matrices matrices(const ForwardDerivatives& x) { return {x.dq, x.dv, x.dtau}; }
Matrices matrices(const HybridDerivatives& x) { return {x.dq, x.dv, x.dgiven}; }
Matrices matrices(const VectorJacobian& x) { return {x.dq, x.dv, x.da}; }
Matrices matrices(const SecondProducts& x) { return {x.dqdq, x.dqdv, x.dvdv, x.dadq}; }
Matrices matrices(const TwistDerivatives& x) { return {x.dq, x.dv}; }
Matrices matrices(const AccelerationDerivatives& x) { return {x.dq, x.dv, x.da}; }
Matrices matrices(const ComDerivatives& x) {
  return {x.position_dq,     x.velocity_dq,     x.velocity_dv,
          x.acceleration_dq, x.acceleration_dv, x.acceleration_da};
}
Matrices matrices(const MomentumDerivatives& x) {
  return {x.momentum_dq, x.momentum_dv, x.rate_dq, x.rate_dv, x.rate_da};
}
Matrices matrices(const MassDerivatives& x) { return slices(x); }
Matrices matrices(const SeriesPartials& x) {
  Matrices found{x.series()};
  for (int r = 0; r <= x.order(); ++r)
    for (int s = 0; s <= r + 2; ++s) found.emplace_back(x(r, s));
  return found;
}
Matrices matrices(const SecondSlices& x) {
  Matrices found;
  for (const Slices* block : {&x.dqdq, &x.dqdv, &x.dvdv, &x.dadq})
    found.insert(found.end(), block->begin(), block->end());
  return found;
}
Matrices matrices(const InverseSecondDerivatives& x) { return matrices(slices(x)); }
Matrices matrices(const ForwardSecondDerivatives& x) { return matrices(slices(x)); }

constexpr int order = 2;

/// A robot in two states, and every call whose result is an object.
struct Doors {
  explicit Doors(std::uint64_t seed)
      : c(seed, 10),
        flags(random_flags(c)),
        second(c.robot),
        series(c.robot, order),
        other_v(c.random()),
        y(c.random()),
        motion(c.robot.nv(), order + 2) {
    for (Eigen::Index k = 0; k < motion.cols(); ++k) motion.col(k) = c.random();
  }
  std::span<const bool> prescribed() const { return {flags.get(), size_t(c.robot.nv())}; }

  /// f(name, call): call(v, into...) at c.q, v, c.a.
  template <class F>
  void for_each_call(F f) {
    const Surroundings around = c.around();
    const auto call = [&](const char* name, auto run) { f(name, run); };
    call("inverse", [=, this](auto& v, const auto&... into) {
      return c.derivatives.inverse(c.q, v, c.a, around, into...);
    });
    call("forward", [=, this](auto& v, const auto&... into) {
      return c.derivatives.forward(c.q, v, c.a, around, into...);
    });
    call("hybrid", [=, this](auto& v, const auto&... into) {
      return c.derivatives.hybrid(prescribed(), c.q, v, c.a, c.a, around, into...);
    });
    call("com", [=, this](auto& v, const auto&... into) {
      return c.derivatives.com(c.q, v, c.a, around.ground, into...);
    });
    call("momentum", [=, this](auto& v, const auto&... into) {
      return c.derivatives.momentum(c.q, v, c.a, around.ground, into...);
    });
    call("second inverse", [=, this](auto& v, const auto&... into) {
      return second.inverse(c.q, v, c.a, around, into...);
    });
    call("second forward", [=, this](auto& v, const auto&... into) {
      return second.forward(c.q, v, c.a, around, into...);
    });
    call("inverse products", [=, this](auto& v, const auto&... into) {
      return second.inverse_products(y, c.q, v, c.a, around, into...);
    });
    call("forward products", [=, this](auto& v, const auto&... into) {
      return second.forward_products(y, c.q, v, c.a, around, into...);
    });
    call("mass", [this](auto& v, const auto&... into) { return second.mass(c.moved(v), into...); });
    call("inverse series", [this](auto& v, const auto&... into) {
      motion.col(0) = v;
      return series.inverse(c.q, motion, {}, into...);
    });
    call("forward series", [this](auto& v, const auto&... into) {
      return series.forward(c.q, v, motion.leftCols(order + 1), {}, into...);
    });
  }

  DerivativeCase c;
  std::unique_ptr<bool[]> flags;
  SecondDerivatives second;
  SeriesDerivatives series;
  Vector other_v, y;
  DenseMatrix motion;
};

/// Also where the memory has the numbers of another state, or of a copy.
TEST(DerivativeResults, IntoMemoryIsWhatIsReturned) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    Doors d(seed);
    d.for_each_call([&](const char* name, auto call) {
      const auto expected = call(d.c.v);
      auto found = call(d.other_v);
      call(d.c.v, into(found));
      expect_all_same(matrices(found), matrices(expected), name, seed);
    });
  }
}

TEST(DerivativeResults, StayAsTheyAre) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(15); ++seed) {
    std::optional<Doors> d(seed);
    std::vector<std::function<void()>> later;
    d->for_each_call([&](const char* name, auto call) {
      auto kept = call(d->c.v);
      const Matrices before = matrices(kept);
      call(d->other_v);
      later.push_back([kept = std::move(kept), before, name, seed] {
        expect_all_same(matrices(kept), before, name, seed);
      });
    });
    d.reset();  // results outlive what they came from
    for (const auto& check : later) check();
  }
}

/// Results are written after every argument has been read.
TEST(DerivativeResults, OfProductsMayBeAnArgument) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(30); ++seed) {
    DerivativeCase c(seed, 12);
    Derivatives& d = c.derivatives;
    const Vector x = c.random();
    const Surroundings around = c.around();
    Vector y = x, v = c.v, a = c.a;
    d.inverse_vector_jacobian(y, c.q, v, a, around, into(v), into(a), into(y));
    expect_all_same({v, a, y}, matrices(d.inverse_vector_jacobian(x, c.q, c.v, c.a, around)),
                    "inverse_vector_jacobian", seed);
    y = x, v = c.v, a = c.a;
    d.forward_vector_jacobian(y, c.q, v, a, around, into(v), into(a), into(y));
    expect_all_same({v, a, y}, matrices(d.forward_vector_jacobian(x, c.q, c.v, c.a, around)),
                    "forward_vector_jacobian", seed);
    y = x;
    d.inverse_jacobian_vector(c.q, c.v, c.a, y, y, y, around, into(y));
    expect_all_same({y}, {d.inverse_jacobian_vector(c.q, c.v, c.a, x, x, x, around)},
                    "inverse_jacobian_vector", seed);
    y = x;
    d.forward_jacobian_vector(c.q, c.v, c.a, y, y, y, around, into(y));
    expect_all_same({y}, {d.forward_jacobian_vector(c.q, c.v, c.a, x, x, x, around)},
                    "forward_jacobian_vector", seed);
  }
}

TEST(DerivativeResults, OfOneFrameLeaveNothingOfAnother) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    DerivativeCase c(seed, 12);
    Derivatives& d = c.derivatives;
    const OptionalGround<double> ground = c.around().ground;
    TwistDerivatives twist(c.robot);
    AccelerationDerivatives spatial(c.robot), classical(c.robot);
    for (int k = static_cast<int>(c.robot.frames().size()); k-- > 0;) {
      const FrameId frame{k};
      const auto in = Representation::body;
      const auto same = [&](const auto& found, const auto& fresh, const char* name) {
        expect_all_same(matrices(found), matrices(fresh), name, seed);
      };
      d.twist(frame, in, c.q, c.v, ground, into(twist));
      same(twist, d.twist(frame, in, c.q, c.v, ground), "twist");
      d.spatial_acceleration(frame, in, c.q, c.v, c.a, ground, into(spatial));
      same(spatial, d.spatial_acceleration(frame, in, c.q, c.v, c.a, ground), "spatial");
      d.classical_acceleration(frame, in, c.q, c.v, c.a, ground, into(classical));
      same(classical, d.classical_acceleration(frame, in, c.q, c.v, c.a, ground), "classical");
    }
  }
}

TEST(DerivativeResults, OfEnergyMayBeAnArgument) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    DerivativeCase c(seed, 12);
    const EnergyDerivatives fresh = c.derivatives.energy(c.q, c.v, c.around().ground);
    Vector v = c.v, kinetic_dq = c.v, potential_dq = c.v;
    c.derivatives.energy(c.q, v, c.around().ground, into(kinetic_dq), into(v), into(potential_dq));
    expect_all_same({kinetic_dq, v, potential_dq},
                    {fresh.kinetic_dq, fresh.kinetic_dv, fresh.potential_dq}, "energy", seed);
  }
}

TEST(DerivativeResults, OfAnotherRobotAreRefused) {
  const Robot arm = load("builtin:arm7"), puma = load("builtin:puma560");
  const std::vector<double> q(7);
  const auto told = [&](const char* caller) {
    return std::string(caller) +
           ": into a result made for robot \"puma560\", this is robot \"arm7\"";
  };
  Derivatives derivatives(arm);
  SecondDerivatives second(arm);
  SeriesDerivatives series(arm, 1);
  InverseDerivatives inverse(puma);
  EXPECT_EQ(message([&] { derivatives.inverse(q, q, q, into(inverse)); }),
            told("inverse_derivatives"));
  ForwardDerivatives forward(puma);
  EXPECT_EQ(message([&] { derivatives.forward(q, q, q, into(forward)); }),
            told("forward_derivatives"));
  SecondProducts products(puma);
  EXPECT_EQ(message([&] { second.inverse_products(q, q, q, q, {}, into(products)); }),
            told("inverse_second_products"));
  MassDerivatives mass(puma);
  EXPECT_EQ(message([&] { second.mass(q, into(mass)); }), told("mass_derivatives"));
  SeriesPartials partials(puma, 1), short_ones(arm, 0);
  const DenseMatrix motion = DenseMatrix::Zero(7, 3);
  EXPECT_EQ(message([&] { series.inverse(q, motion, {}, into(partials)); }),
            told("inverse_series"));
  EXPECT_EQ(message([&] { series.inverse(q, motion, {}, into(short_ones)); }),
            "inverse_series: into a result of order 0, needs order 1");
}

TEST(DerivativeResults, OfAnotherSizeAreRefused) {
  const Robot arm = load("builtin:arm7");
  Derivatives derivatives(arm);
  Sensitivity sensitivity(arm, {{ParameterKind::gravity, "", 2}});
  const std::vector<double> q(7);
  Vector six(6), seven(7);
  EXPECT_EQ(message([&] {
              derivatives.inverse_vector_jacobian(q, q, q, q, {}, into(seven), into(six),
                                                  into(seven));
            }),
            "inverse_vector_jacobian: into(dv) has 6 numbers, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { sensitivity.force(q, q, q, {}, into(six)); }),
            "force sensitivity: into(found) has 6 numbers, robot \"arm7\" needs 7");
  DenseMatrix two(7, 2);
  EXPECT_EQ(message([&] { sensitivity.acceleration(q, q, q, {}, into(two)); }),
            "acceleration sensitivity: into(found) has 7 x 2, robot \"arm7\" needs 7");
}

}  // namespace
}  // namespace jounce::test
