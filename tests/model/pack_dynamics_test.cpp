// SPDX-License-Identifier: BSD-3-Clause
// Eight states in step on every instruction set: each lane as the kernels for doubles compute it.
#include <gtest/gtest.h>

#include <jounce/any_number.hpp>
#include <jounce/model/generate.hpp>

#include "support/largest.hpp"
#include "support/scale.hpp"
#include "support/sound_robot.hpp"

namespace jounce {
namespace {

using Eight = Pack<double, 8>;

/// Vectors of eight states, and each of them.
struct Lanes {
  std::vector<Eight> all;
  std::vector<double> one(int lane) const {
    std::vector<double> x;
    for (const Eight& number : all) x.push_back(number[lane]);
    return x;
  }
};

template <class Found, class Expected>
void expect_lane(const Found& found, const Expected& expected, int lane, double tolerance,
                 std::uint64_t seed) {
  double worst = 0, scale = 0;
  for (int k = 0; k < int(expected.size()); ++k) {
    worst = std::max(worst, std::abs(found.data()[k][lane] - expected.data()[k]));
    scale = std::max(scale, std::abs(expected.data()[k]));
  }
  EXPECT_LE(worst, tolerance * scale) << seed << ", lane " << lane;
}

TEST(PackDynamics, LanesAreStates) {
  for (std::uint64_t seed = 0; seed < test::scaled<std::uint64_t>(20); ++seed) {
    const Robot robot(test::with_sound_composites(generate({.shape = TreeShape(seed % 4),
                                                            .bodies = 2 + int(seed % 9),
                                                            .branches = 2,
                                                            .kinds = all_joint_kinds(),
                                                            .free_base = seed % 2 == 0,
                                                            .seed = seed})));
    BasicDynamics<Eight> eight(robot);
    BasicDerivatives<Eight> eight_slopes(robot);
    Dynamics one(robot);
    Derivatives slopes(robot);
    const auto lanes = [&](size_t size, std::uint64_t salt) {
      Lanes x;
      for (size_t k = 0; k < size; ++k)
        x.all.push_back(Eight::generate([&](int lane) {
          return robot.random(salt + 8 * seed + std::uint64_t(lane))[k % size_t(robot.nq())];
        }));
      return x;
    };
    const Lanes q = lanes(size_t(robot.nq()), 0), v = lanes(size_t(robot.nv()), 1000),
                a = lanes(size_t(robot.nv()), 2000);
    const std::vector<Eight> tau = eight.inverse(q.all, v.all, a.all);
    const auto M = eight.mass(q.all);
    const auto C = eight.coriolis(q.all, v.all).matrix;
    const auto dq = eight_slopes.inverse(q.all, v.all, a.all).dq;
    const std::vector<Eight> acc = eight.forward(q.all, v.all, tau);
    for (int lane = 0; lane < 8; ++lane) {
      const std::vector<double> q1 = q.one(lane), v1 = v.one(lane), a1 = a.one(lane);
      expect_lane(tau, one.inverse(q1, v1, a1), lane, 1e-12, seed);
      expect_lane(M, one.mass(q1), lane, 1e-12, seed);
      expect_lane(C, one.coriolis(q1, v1).matrix, lane, 1e-11, seed);
      expect_lane(dq, slopes.inverse(q1, v1, a1).dq, lane, 1e-11, seed);
      expect_lane(acc, a1, lane, 1e-8, seed);  // as ill-conditioned as M
    }
  }
}

}  // namespace
}  // namespace jounce
