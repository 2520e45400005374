// SPDX-License-Identifier: BSD-3-Clause
#include "doors/regular_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "linear_algebra/vectors.hpp"

namespace jounce {

RegularPath::RegularPath(const Robot& robot)
    : robot_(robot), dynamics_(robot), bounds_(robot), M_(robot), q_(size_t(robot.nq())) {}

std::string RegularPath::at_time(double t) const {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", t);
  return std::string(caller_) + ": at t = " + text;
}

std::vector<double> RegularPath::roots(const std::string& caller, double t, const Path& path) {
  path(t, q_);
  dynamics_.mass(q_, into(M_));
  require_regular(robot_, caller, M_.data(), nullptr, bounds_);
  const int n = robot_.nv();
  std::vector<double> A(M_.data(), M_.data() + n * n), found(static_cast<size_t>(n));
  for (int k = n; k-- > 0;) {  // eliminates the last coordinate, column by column
    const double* pivot = A.data() + n * k;
    found[size_t(k)] = std::sqrt(std::max(0.0, pivot[k]));
    for (int j = 0; j < k && pivot[k] > 0; ++j)
      dense::add_multiple(j + 1, -pivot[j] / pivot[k], pivot, A.data() + n * j);
  }
  return found;
}

double RegularPath::least_root(size_t k, double a, double b, const Path& path, double& t) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  const auto root = [&](double at) { return roots(at_time(at), at, path)[k]; };
  double left = b - golden * (b - a), right = a + golden * (b - a);
  double at_left = root(left), at_right = root(right);
  for (int steps = 0; steps < 60; ++steps) {
    if (at_left < at_right) {
      b = right, right = left, at_right = at_left;
      at_left = root(left = b - golden * (b - a));
    } else {
      a = left, left = right, at_left = at_right;
      at_right = root(right = a + golden * (b - a));
    }
  }
  t = at_left < at_right ? left : right;
  return std::min(at_left, at_right);
}

void RegularPath::require(const char* caller, double from, double to, int samples,
                          const Path& path) {
  constexpr double lost = 1e-7;  // of a root beside the largest of its coordinate on the path
  caller_ = caller;
  std::vector<std::vector<double>> seen;
  const auto time = [&](size_t s) { return from + (to - from) * double(s) / samples; };
  for (size_t s = 0; s <= size_t(samples); ++s)
    seen.push_back(roots(s == 0 ? std::string(caller) : at_time(time(s)), time(s), path));
  for (size_t k = 0; k < size_t(robot_.nv()); ++k) {
    double largest = 0;
    for (const auto& root : seen) largest = std::max(largest, root[k]);
    for (size_t s = 1; s < size_t(samples); ++s) {
      const double before = seen[s - 1][k], here = seen[s][k], after = seen[s + 1][k];
      if (here > before || here > after || here > std::max(before, after) - here) continue;
      double t = 0;
      if (least_root(k, time(s - 1), time(s + 1), path, t) > lost * largest) continue;
      for (const JointInfo& joint : robot_.joints())
        if (int(k) >= joint.v && int(k) < joint.v + joint.nv)
          throw ComputationError(at_time(t) + ": joint \"" + joint.name +
                                 "\" can move without moving any mass");
    }
  }
}

}  // namespace jounce
