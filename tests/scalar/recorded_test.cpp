// SPDX-License-Identifier: BSD-3-Clause
// Recorded functions: what a tape gives is what the function itself gives, on every kind of number.
#include <jounce/error.hpp>
#include <jounce/group/se3.hpp>
#include <jounce/scalar/recorded.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

/// A function of two numbers, which gives a Vec3 of them, as a program.
template <class F>
Program record(F f) {
  Recorder recorder;
  const Recorded x = recorder.input(), y = recorder.input();
  const Vec3<Recorded> z = f(x, y);
  const Recorded outputs[] = {z.x, z.y, z.z};
  return recorder.finish(outputs);
}
template <class Real>
Vec3<Real> run_on(const Program& program, const Real& x, const Real& y) {
  std::vector<Real> memory(size_t(program.numbers));
  memory[0] = x, memory[1] = y;
  run(program.tape(), memory.data());
  return {memory[2], memory[3], memory[4]};
}
int steps(const Program& program) { return int(program.steps.size()) - 1; }

// Zero where products and sums are not fused: then the tape does what the function does.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
constexpr double exact = 1e-14;
#else
constexpr double exact = 0;
#endif

/// On values within [0.2, 0.9], where all of them are smooth.
template <class Real, class F>
void expect_same(F f, double tolerance, const char* kind) {
  const Program program = record(f);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(kind);
    Random rng(seed);
    const Real x = rng.number<Real>(0.2, 0.9), y = rng.number<Real>(0.2, 0.9);
    const Vec3<Real> found = run_on(program, x, y), needed = f(x, y);
    const double unit = std::is_same_v<Plain<Real>, float> ? 1e9 : 1;
    for (const auto& [a, b] :
         {std::pair(found.x, needed.x), {found.y, needed.y}, {found.z, needed.z}})
      expect_near(a, b, unit * tolerance, seed);
  }
}
template <class F>
void expect_same_everywhere(F f, double tolerance) {
  expect_same<double>(f, tolerance, "double");
  expect_same<float>(f, tolerance, "float");
  expect_same<Counting>(f, tolerance, "Counting");
  expect_same<Pack<double, 8>>(f, tolerance, "Pack");
  expect_same<Pack<float, 4>>(f, tolerance, "Pack of float");
  expect_same<Taylor<double, 5>>(f, tolerance, "Taylor");
  expect_same<Dual<double, 3>>(f, tolerance, "Dual");
  expect_same<Taylor<Pack<double, 8>, 3>>(f, tolerance, "Taylor of Pack");
  expect_same<Dual<Dual<double, 2>, 3>>(f, tolerance, "Dual of Dual");
  expect_same<Dual<Taylor<double, 3>, 2>>(f, tolerance, "Dual of Taylor");
  expect_same<Taylor<Dual<Dual<double, 1>, 2>, 2>>(f, tolerance, "Taylor of Dual of Dual");
}

TEST(Recorded, Arithmetic) {
  expect_same_everywhere(
      [](const auto& x, const auto& y) {
        using Real = std::remove_cvref_t<decltype(x)>;
        const Plain<Real> two(2), third(0.3);
        Real z = x;
        z += y, z -= x * third, z *= y;
        return Vec3<Real>{x * y + two * x - y / x + third / y, -(x - y) * (-y) + x / third + z,
                          (two - x) * y - x * x - third * y + (-x) + (third - y * x)};
      },
      exact);
}

TEST(Recorded, Functions) {
  const auto elementary = [](const auto& x, const auto& y) {
    using Real = std::remove_cvref_t<decltype(x)>;
    const SinCos<Real> t = sincos(x + y);
    return Vec3<Real>{sin(x) + cos(y) * t.sin - t.cos, exp(x) * log(y) + sqrt(x),
                      tanh(x) * sech_squared(y) + atan2(x, y) + abs(y - x)};
  };
  expect_same_everywhere(elementary, exact);
  const auto one_of_two = [](const auto& x, const auto& y) {
    using Real = std::remove_cvref_t<decltype(x)>;
    return Vec3<Real>{sin(x), cos(y), sin(x) * sin(x)};
  };
  expect_same_everywhere(one_of_two, exact);
}

TEST(Recorded, Selections) {
  expect_same_everywhere(
      [](const auto& x, const auto& y) {
        using Real = std::remove_cvref_t<decltype(x)>;
        const Real half(0.5);
        return Vec3<Real>{select(x < y, x, y * y), select((x > half) & (y <= half), x, half),
                          select((x >= y) | (half < x), x * y, -x)};
      },
      exact);
}

/// The tape asks the functions behind exp and log for more derivatives than the function itself
/// does, and they are computed another way then: equal to rounding, which their derivatives share.
TEST(Recorded, ExponentialsAndLogarithms) {
  expect_same_everywhere(
      [](const auto& x, const auto& y) {
        using Real = std::remove_cvref_t<decltype(x)>;
        const SO3<Real> R = exp(Vec3<Real>{x, y, x * y});
        return R * log(exp(Vec3<Real>{y, Real(0.1), x})) +
               exp(Twist<Real>{{x, y, x}, {y, Real(1), y}}).p;
      },
      1e-13);
}

TEST(Recorded, OfOtherFunctions) {
  const double x = 0.37, y = 1.9;
  const auto at = [&](auto f) {
    return run_on(record([&](const Recorded& a, const Recorded& b) {
                    return Vec3<Recorded>{f(a, b), Recorded(0), Recorded(0)};
                  }),
                  x, y)
        .x;
  };
  using R = const Recorded&;
  EXPECT_NEAR(at([](R a, R) { return tan(a); }), std::tan(x), 1e-15);
  EXPECT_NEAR(at([](R a, R) { return asin(a); }), std::asin(x), 1e-15);
  EXPECT_NEAR(at([](R a, R) { return acos(a); }), std::acos(x), 1e-15);
  EXPECT_NEAR(at([](R, R b) { return atan(b); }), std::atan(y), 1e-15);
  EXPECT_NEAR(at([](R, R b) { return pow(b, 5); }), std::pow(y, 5), 1e-14);
  EXPECT_NEAR(at([](R, R b) { return pow(b, -2); }), std::pow(y, -2), 1e-15);
  EXPECT_NEAR(at([](R, R b) { return pow(b, 0.7); }), std::pow(y, 0.7), 1e-15);
  EXPECT_EQ(at([](R, R b) { return pow(b, 0); }), 1);
}

TEST(Recorded, Folds) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Program nothing = record([](const Recorded& x, const Recorded& y) {
    return Vec3<Recorded>{(x + 0) * 1 - 0, -(-y) / 1, 0 * (x / y) + 2 * Recorded(1.5)};
  });
  EXPECT_EQ(steps(nothing), 2);  // two copies
  expect_near(run_on(nothing, 3.0, 0.0), Vec3<double>{3, 0, 3}, 0);
  const Program kept = record([](const Recorded& x, const Recorded& y) {
    return Vec3<Recorded>{x - x, x / x, y};
  });
  EXPECT_TRUE(std::isnan(run_on(kept, infinity, 1.0).x));
  EXPECT_TRUE(std::isnan(run_on(kept, 0.0, 1.0).y));
  const Program shared = record([](const Recorded& x, const Recorded& y) {
    const Recorded unused = exp(x) * y;
    return Vec3<Recorded>{sin(x) * sin(x), sin(x) * sin(x) * y, unused * 0};
  });
  EXPECT_EQ(steps(shared), 3);
  const Program fused = record([](const Recorded& x, const Recorded& y) {
    return Vec3<Recorded>{x * y + x, y - x * x, 3 * x - y};
  });
  EXPECT_EQ(steps(fused), 3);
}

/// Deep and long recordings: the order is found without recursion.
TEST(Recorded, LongFunctions) {
  const auto f = [](const auto& x, const auto& y) {
    auto sum = y;
    for (int k = 0; k < 100000; ++k) sum = sum * x + y;
    return Vec3<std::remove_cvref_t<decltype(x)>>{sum, x, y};
  };
  const Program program = record(f);
  EXPECT_EQ(program.numbers, 6);
  expect_near(run_on(program, 0.5, 0.3), f(0.5, 0.3), 1e-15);
}

TEST(Recorded, RefusesWhatDoesNotFit) {
  Recorder recorder;
  const Recorded x = recorder.input();
  std::vector<Recorded> many;
  for (int k = 0; k < 5000; ++k) many.push_back(x * (k + 2));
  const auto message = [&](std::span<const Recorded> outputs) -> std::string {
    try {
      recorder.finish(outputs);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(many),
            "a recorded function keeps 5001 numbers at once, a tape has room for 4096");
  EXPECT_EQ(message(stumpff<20>(x).c),
            "a recorded function needs 20 functions behind exp or log, a tape has 16");
}

/// A tape run on dual numbers that record is the tape of the derivative.
TEST(Recorded, DerivativesOfTapes) {
  const auto f = [](const auto& x, const auto& y) {
    using Real = std::remove_cvref_t<decltype(x)>;
    return exp(Vec3<Real>{x * y, sin(x), y / x}) * Vec3<Real>{x, tanh(y), sqrt(x + y)};
  };
  const Program values = record(f);
  const Program slopes = record([&](const Recorded& x, const Recorded& y) {
    using Along = Dual<Recorded, 1>;
    const Vec3<Along> z = run_on(values, Along::variable(x, 0), Along(y));
    return Vec3<Recorded>{z.x.d[0], z.y.d[0], z.z.d[0]};
  });
  const double x = 0.4, y = 1.3;
  const Vec3<Dual<double, 1>> exact_slope = f(Dual<double, 1>::variable(x, 0), Dual<double, 1>(y));
  expect_near(run_on(slopes, x, y),
              Vec3<double>{exact_slope.x.d[0], exact_slope.y.d[0], exact_slope.z.d[0]}, 1e-14);
}

}  // namespace
}  // namespace jounce::test
