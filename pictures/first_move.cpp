// SPDX-License-Identifier: BSD-3-Clause
#include "pictures/first_move.hpp"

#include <algorithm>
#include <cmath>

namespace jounce::pictures {
namespace {

/// visit(place in q, place in v) of every coordinate that has limits of its position.
template <class Visit>
void for_limited(const Robot& robot, const Visit& visit) {
  for (const JointInfo& joint : robot.joints())
    for (int k = 0; joint.nq == joint.nv && k < joint.nq; ++k)
      visit(size_t(joint.q + k), size_t(joint.v + k));
}

std::vector<double> some_start(const Robot& robot) {
  std::vector<double> q = robot.closed();
  if (!robot.loops().empty()) return q;
  const Limits& limits = robot.limits();
  for_limited(robot, [&](size_t place, size_t v) {
    q[place] = std::max(limits.lower[v], std::min(q[place], limits.upper[v]));
  });
  return q;
}

std::vector<double> some_goal(const Robot& robot, const std::vector<double>& from) {
  if (robot.loops().empty()) return robot.random(1);
  std::vector<double> step(size_t(robot.nv())), goal(from.size());
  for (size_t k = 0; k < step.size(); ++k) step[k] = robot.actuated()[k] ? 0.1 : 0;
  for_limited(robot, [&](size_t place, size_t v) {
    if (from[place] + step[v] > robot.limits().upper[v]) step[v] = -step[v];
  });
  robot.integrate(from, step, goal);
  return goal;
}

/// How many times too fast it is; at most 1 where no velocity limit is exceeded.
double too_fast(const Along& run) {
  double most = 0;
  for (const Exceeded& one : run.exceeded())
    if (one.kind == Exceeded::Limit::velocity && one.limit != 0)
      most = std::max(most, one.value / one.limit);
  return most;
}

}  // namespace

Along first_run(const Robot& robot, const FirstMove& given, const AlongOptions& options) {
  const std::vector<double> from = given.from ? *given.from : some_start(robot);
  const std::vector<double> to = given.to ? *given.to : some_goal(robot, from);
  Along run = along(robot, septic(from, to, given.duration.value_or(usual_duration)), options);
  const double times = given.duration ? 0 : too_fast(run);
  if (times > 1 && std::isfinite(times))
    return along(robot, septic(from, to, std::ceil(10 * usual_duration * times * (1 + 1e-9)) / 10),
                 options);
  return run;
}

}  // namespace jounce::pictures
