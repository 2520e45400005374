// SPDX-License-Identifier: BSD-3-Clause
// Eight robots in step: how far do torques spread when encoders are a milliradian off?
//
// A Pack holds one number of eight states. The same words run on it as on doubles. They are
// templates, compiled with the flags of this file: with -O3 -march=native on a processor with
// AVX-512 eight states in step are faster than one after the other, without these flags they are
// slower. The last line printed has both times.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <iostream>
#include <jounce/any_number.hpp>
#include <jounce/jounce.hpp>
#include <random>

/// Nanoseconds of one of the `states` that a call of f goes through: the best of many short runs.
template <class F>
double time_of_state(int states, F f) {
  double best = 1e300;
  for (int run = 0; run < 50; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 100; ++k) f();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / (100 * states));
  }
  return best;
}

int main() {
  using Eight = jounce::Pack<double, 8>;
  const jounce::Robot arm = jounce::load("builtin:arm7");
  jounce::BasicDynamics<Eight> eight(arm);
  jounce::Dynamics one(arm);
  const std::vector<double> q = arm.random(3), zero(7), moving(7, 0.5);
  constexpr double sigma = 1e-3;
  constexpr int batches = 2000;

  std::mt19937_64 numbers(1);
  std::normal_distribution<double> noise(0, sigma);
  const Eigen::VectorXd tau = one.inverse(q, moving, zero);
  Eigen::VectorXd variance = Eigen::VectorXd::Zero(7);
  const std::vector<Eight> v(7, Eight(0.5)), a(7, Eight(0));
  std::vector<Eight> measured(7), found(7);
  for (int k = 0; k < batches; ++k) {
    for (size_t j = 0; j < 7; ++j)
      measured[j] = Eight::generate([&](int) { return q[j] + noise(numbers); });
    eight.inverse(measured, v, a, jounce::into(found));
    for (int j = 0; j < 7; ++j)
      for (int lane = 0; lane < 8; ++lane)
        variance[j] += std::pow(found[size_t(j)][lane] - tau[j], 2) / (8 * batches);
  }

  const Eigen::MatrixXd slope = jounce::Derivatives(arm).inverse(q, moving, zero).dq;
  for (int j = 0; j < 7; ++j) {
    const double spread = std::sqrt(variance[j]), expected = slope.row(j).norm() * sigma;
    std::cout << arm.joints()[size_t(j)].name << ": " << tau[j] << " +- " << spread
              << " N m, by derivatives " << expected << "\n";
    assert(std::abs(spread - expected) < 0.05 * expected + 1e-6);  // 16000 samples: 0.6 %
  }
  Eigen::VectorXd by_itself(7);
  std::cout << "compiled for " << name(jounce::native_isa) << ": a state takes "
            << time_of_state(8, [&] { eight.inverse(measured, v, a, jounce::into(found)); })
            << " ns in packs of eight, "
            << time_of_state(1, [&] { one.inverse(q, moving, zero, jounce::into(by_itself)); })
            << " ns by itself\n";
}
