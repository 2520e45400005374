// SPDX-License-Identifier: BSD-3-Clause
// Speed of forward dynamics with closed loops and contacts, and of its derivatives, checks
// included: mechanisms, robots that stand, chains whose tip is held.
#include <functional>
#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/model/generate.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/robots.hpp"

namespace jounce::bench {
namespace {

std::vector<Row> held_rows(const HeldRobot& held) {
  const Robot& robot = held.robot;
  ConstrainedDynamics dynamics(robot);
  ConstrainedDerivatives derivatives(robot);
  const std::vector<Contact>& contacts = held.contacts;
  const int nv = robot.nv(), rows = dynamics.rows() + ConstrainedDynamics::rows(contacts);
  const std::vector<double> q = contacts.empty() ? robot.closed() : robot.random(1);
  const Eigen::VectorXd v = dynamics.project(q, Eigen::VectorXd::Constant(nv, 0.1), contacts);
  const Eigen::VectorXd tau = Eigen::VectorXd::Constant(nv, 0.1);
  Eigen::VectorXd a(nv), lambda(rows);
  ConstrainedForwardDerivatives d(robot, rows);
  std::vector<Row> found;
  const auto add = [&](const char* algorithm, const auto& call) {
    found.push_back({.robot = held.name, .algorithm = algorithm, .ns = nanoseconds(call)});
  };
  add("constrained-forward",
      [&] { dynamics.forward(q, v, tau, {}, contacts, into(a), into(lambda)); });
  if (nv <= 64)
    add("constrained-forward-derivatives",
        [&] { derivatives.forward(q, v, tau, {}, contacts, into(d)); });
  return found;
}

/// A robot of linkages at a state that suits its loops, and rows of what is asked of it.
struct Linkages {
  Linkages(const std::string& name_, const Robot& robot_)
      : name(name_), robot(robot_), dynamics(robot), q(robot.closed()) {
    still = Eigen::VectorXd::Constant(nv, 0.1);
    v = dynamics.project(q, still);
  }
  void add(const std::string& algorithm, std::function<void()> call) {
    found.push_back({.robot = name, .algorithm = algorithm, .ns = nanoseconds(call)});
  }
  /// run(result) by what is fastest and by factors, and how far the two differ.
  template <class Door, class Result, class Run>
  void add_both(const std::string& algorithm, Door& door, const Result& sized, Run run) {
    Result fastest = sized, factors = sized;
    add(algorithm, [&] { run(fastest); });
    door.set_path(ConstrainedPath::factors);
    add(algorithm + "-by-factors", [&] { run(factors); });
    door.set_path(ConstrainedPath::fastest);
    found.back().difference = largest(factors - fastest) / largest(factors);
  }
  static double largest(const Eigen::MatrixXd& x) { return x.lpNorm<Eigen::Infinity>(); }

  std::string name;
  Robot robot;
  ConstrainedDynamics dynamics;
  int nv = robot.nv(), rows = dynamics.rows();
  std::vector<double> q;
  Eigen::VectorXd still, v;
  /// Which moves freely where there are three linkages below it.
  std::vector<Contact> tip{{robot.frame("coupler_" + std::to_string(nv / 3)), LoopKind::point}};
  std::vector<Row> found;
};

/// Derivatives, and jerk and snap.
void add_orders(Linkages& x) {
  const Eigen::VectorXd& tau = x.still;
  const Eigen::MatrixXd taus = Eigen::MatrixXd::Constant(x.nv, 3, 0.1), motion(x.nv, 4);
  ConstrainedSeries series(x.robot, 2);
  Eigen::MatrixXd given(x.nv, 3), lambdas(x.rows, 3), with_tip(x.rows + 3, 3);
  const auto add_series = [&](const std::string& name, std::span<const Contact> contacts,
                              Eigen::MatrixXd& to_lambdas) {
    x.add_both(name, series, motion, [&](Eigen::MatrixXd& to) {
      series.forward(x.q, x.v, taus, {}, contacts, into(to), into(given), into(to_lambdas));
    });
  };
  add_series("constrained-forward-series", {}, lambdas);
  add_series("constrained-forward-series-held", x.tip, with_tip);
  const Eigen::MatrixXd prescribed = series.forward(x.q, x.v, taus).motion;
  x.add_both("constrained-hybrid-series", series, motion, [&](Eigen::MatrixXd& to) {
    series.hybrid(x.robot.actuated(), x.q, prescribed, taus, {}, {}, Optimum::force, into(to),
                  into(given), into(lambdas));
  });
  if (x.nv > 200) return;  // derivatives are nv^2 numbers
  ConstrainedDerivatives derivatives(x.robot);
  ConstrainedForwardDerivatives d(x.robot, x.rows);
  ConstrainedHybridDerivatives h(x.robot, x.rows);
  const Eigen::MatrixXd square(x.nv, x.nv);
  x.add_both("constrained-forward-derivatives", derivatives, square, [&](Eigen::MatrixXd& to) {
    derivatives.forward(x.q, x.v, tau, {}, {}, into(d));
    to = d.da_dq;
  });
  x.add_both("constrained-hybrid-derivatives", derivatives, square, [&](Eigen::MatrixXd& to) {
    derivatives.hybrid(x.robot.actuated(), x.q, x.v, x.still, tau, {}, {}, Optimum::force, into(h));
    to = h.dq;
  });
}

/// One robot of linkages: dynamics by what is fastest and by factors, and how far they differ;
/// velocities and configurations that suit the loops, inverse dynamics, and the door itself.
std::vector<Row> linkage_rows(const std::string& name, const Robot& robot) {
  Linkages x(name, robot);
  ConstrainedDynamics& dynamics = x.dynamics;
  const std::vector<double>& q = x.q;
  const Eigen::VectorXd &v = x.v, &still = x.still, &tau = still, sized(x.nv);
  Eigen::VectorXd a(x.nv), other(x.nv), lambda(x.rows), with_tip(x.rows + 3);
  x.add_both("constrained-forward", dynamics, sized, [&](Eigen::VectorXd& to) {
    dynamics.forward(q, v, tau, {}, {}, into(to), into(lambda));
  });
  x.add("constrained-hybrid", [&] {
    dynamics.hybrid(robot.actuated(), q, v, still, tau, {}, {}, Optimum::force, into(a),
                    into(other), into(lambda));
  });
  x.add("constrained-forward-held",
        [&] { dynamics.forward(q, v, tau, {}, x.tip, into(a), into(with_tip)); });
  add_orders(x);
  std::vector<double> guess(q);
  robot.integrate(q, std::vector<double>(size_t(x.nv), 0.01), guess);
  x.add_both("constrained-assemble", dynamics, Eigen::VectorXd(robot.nq()),
             [&](Eigen::VectorXd& to) { dynamics.assemble(guess, {}, into(to)); });
  x.add("constrained-project", [&] { dynamics.project(q, still, {}, into(other)); });
  a = dynamics.forward(q, v, tau).a;
  x.add("constrained-inverse", [&] {
    dynamics.inverse(q, v, a, Eigen::VectorXd::Zero(x.nv), {}, {}, Optimum::force, into(other),
                     into(lambda));
  });
  x.add("constrained-dynamics", [&] { ConstrainedDynamics made(robot); });
  return x.found;
}

}  // namespace

std::vector<Row> constraints() {
  std::vector<Row> rows;
  for (const char* name : {"four_bar", "five_bar", "stewart", "arm7", "quadruped", "humanoid",
                           "chain-10", "chain-30", "chain-100", "chain-200"})
    for (Row& row : held_rows(held_robot(name))) rows.push_back(std::move(row));
  for (const int linkages : {1, 4, 16, 64, 256})
    for (const int branches : {1, 2}) {  // in series, and by twos in branches
      if (branches > linkages) continue;
      const Robot robot(generate_four_bars(linkages, branches));
      const std::string name = robot.name() + (branches > 1 ? "_in_branches" : "");
      for (Row& row : linkage_rows(name, robot)) rows.push_back(std::move(row));
    }
  return rows;
}

}  // namespace jounce::bench
