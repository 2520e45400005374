// SPDX-License-Identifier: BSD-3-Clause
// What a move takes: inverse dynamics of order one along it, of the tree or with loops closed.
#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/move.hpp>
#include <jounce/series.hpp>
#include <limits>
#include <numeric>
#include <optional>

#include "closed_move.hpp"
#include "model/robot_data.hpp"

namespace jounce {
namespace {

/// The worst excess of one coordinate over one limit.
class Worst {
 public:
  Worst(int v, Exceeded::Limit kind) : found_{v, kind} {}

  void look(double t, double value, double lower, double upper) {
    const double over = std::max(value - upper, lower - value);
    if (!(over > most_)) return;
    most_ = over;
    found_.t = t;
    found_.value = value;
    found_.limit = value > upper ? upper : lower;
  }
  void add_to(std::vector<Exceeded>& all) const {
    if (most_ > 0) all.push_back(found_);
  }

 private:
  Exceeded found_;
  double most_ = 0;
};

/// Of a velocity coordinate, its coordinate in q; -1 where limits of position mean nothing.
std::vector<int> places_in_q(const Robot& robot) {
  std::vector<int> places(size_t(robot.nv()), -1);
  for (const JointInfo& joint : robot.joints())
    for (int k = 0; k < joint.nv && joint.nq == joint.nv; ++k)
      places[size_t(joint.v + k)] = joint.q + k;
  return places;
}

Along with_room(const Robot& robot, const AlongOptions& options) {
  const int nq = robot.nq(), nv = robot.nv(), T = options.points;
  const auto size = size_t(T);
  return {robot,
          std::vector<double>(size),
          {nq, T},
          {nv, T},
          {nv, T},
          {nv, T},
          {nv, T},
          {nv, T},
          std::vector<double>(size),
          std::vector<double>(size),
          options.frames,
          {},
          {}};
}

/// The columns of one time, computed.
class Computer {
 public:
  Computer(const Robot& robot, const Move& move, const AlongOptions& options)
      : move_(move), series_(robot, 1), dynamics_(robot), kinematics_(robot) {
    around_.passive = options.passive;
    around_.gravity = options.gravity;
    if (!robot.loops().empty()) closed_.emplace(robot, move, options);
  }

  std::vector<int> leading() const {
    if (closed_) return closed_->leading();
    std::vector<int> all(size_t(dynamics_.robot().nv()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  void column(Along& run, int i, double t) {
    const int nv = run.robot.nv();
    const auto at = size_t(i);
    const std::span<double> room(run.q.column(i), size_t(run.robot.nq()));
    const std::span<const double> q = room;
    dense::Matrix motion(nv, 3), taus(nv, 2);
    run.t[at] = t;
    if (closed_) closed_->at(t, room, motion, taus);
    else move_tree(t, room, motion, taus);
    for (auto [to, from, k] : {std::tuple(&run.v, &motion, 0), std::tuple(&run.a, &motion, 1),
                               std::tuple(&run.jerk, &motion, 2), std::tuple(&run.tau, &taus, 0),
                               std::tuple(&run.tau_rate, &taus, 1)})
      std::copy_n(from->column(k), nv, to->column(i));
    const auto energy = dynamics_.energy(q, std::span<const double>(motion.column(0), size_t(nv)));
    run.kinetic[at] = energy.kinetic;
    run.potential[at] = energy.potential;
    if (run.frames.empty()) return;
    kinematics_.at(q);
    for (const FrameId frame : run.frames) run.poses.push_back(kinematics_.pose(frame));
  }

 private:
  void move_tree(double t, std::span<double> q, dense::Matrix& motion, dense::Matrix& taus) {
    const int nv = motion.rows;
    move_.at(dynamics_.robot(), t, q, {motion.data(), nv, 3});
    series_.inverse(std::span<const double>(q), MatrixArg(motion.numbers, nv), around_,
                    {taus.data(), nv, 2});
  }

  const Move& move_;
  std::optional<ClosedMove> closed_;
  Series series_;
  Dynamics dynamics_;
  Kinematics kinematics_;
  SeriesSurroundings around_;
};

}  // namespace

const char* name(Exceeded::Limit limit) {
  constexpr const char* names[] = {"position", "velocity", "effort"};
  return names[size_t(limit)];
}

std::vector<Exceeded> Along::exceeded() const {
  using Limit = Exceeded::Limit;
  const Limits& limits = robot.limits();
  const std::vector<int> places = places_in_q(robot);
  std::vector<Exceeded> all;
  for (int k = 0; k < robot.nv(); ++k) {
    const auto c = size_t(k);
    Worst position(k, Limit::position), velocity(k, Limit::velocity), effort(k, Limit::effort);
    for (int i = 0; i < int(t.size()); ++i) {
      const double now = t[size_t(i)];
      if (places[c] >= 0) position.look(now, q(places[c], i), limits.lower[c], limits.upper[c]);
      velocity.look(now, v(k, i), -limits.velocity[c], limits.velocity[c]);
      effort.look(now, tau(k, i), -limits.effort[c], limits.effort[c]);
    }
    for (const Worst* worst : {&position, &velocity, &effort}) worst->add_to(all);
  }
  return all;
}

Along along(const Robot& robot, const Move& move, const AlongOptions& options) {
  if (options.points < 2)
    throw InputError("along: points is " + std::to_string(options.points) + ", needs at least 2");
  move.check(robot, "along");
  for (const FrameId frame : options.frames) robot.frame_info(frame);
  Along run = with_room(robot, options);
  Computer computer(robot, move, options);
  run.leading = computer.leading();
  for (int i = 0; i < options.points; ++i) {
    const double share = double(i) / (options.points - 1);
    computer.column(run, i, move.start() * (1 - share) + move.end() * share);
  }
  return run;
}

}  // namespace jounce
