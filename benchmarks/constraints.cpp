// SPDX-License-Identifier: BSD-3-Clause
// Speed of forward dynamics with closed loops and contacts, and of its derivatives, checks
// included: mechanisms, robots that stand, chains whose tip is held.
#include <jounce/constrained_derivatives.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

/// What the ground holds of a robot.
struct Held {
  std::vector<const char*> frames;
  LoopKind kind = LoopKind::fixed;
};

std::vector<Row> constrained_rows(const std::string& name, const Robot& robot, const Held& held) {
  ConstrainedDynamics dynamics(robot);
  ConstrainedDerivatives derivatives(robot);
  std::vector<Contact> contacts;
  for (const char* frame : held.frames) contacts.push_back({robot.frame(frame), held.kind});
  const int nv = robot.nv(), rows = dynamics.rows() + ConstrainedDynamics::rows(contacts);
  const std::vector<double> q = contacts.empty() ? robot.closed() : robot.random(1);
  const Eigen::VectorXd v = dynamics.project(q, Eigen::VectorXd::Constant(nv, 0.1), contacts);
  const Eigen::VectorXd tau = Eigen::VectorXd::Constant(nv, 0.1);
  Eigen::VectorXd a(nv), lambda(rows);
  ConstrainedForwardDerivatives d(robot, rows);
  std::vector<Row> found;
  found.push_back({.robot = name, .algorithm = "constrained-forward", .ns = nanoseconds([&] {
                                                                        dynamics.forward(
                                                                            q, v, tau, {}, contacts,
                                                                            into(a), into(lambda));
                                                                      })});
  if (nv <= 64)
    found.push_back(
        {.robot = name,
         .algorithm = "constrained-forward-derivatives",
         .ns = nanoseconds([&] { derivatives.forward(q, v, tau, {}, contacts, into(d)); })});
  return found;
}

Robot chain_of(int links) {
  return Robot(generate(
      {.shape = TreeShape::chain, .bodies = links, .kinds = {JointKind::revolute}, .seed = 1}));
}

/// Derivatives of linkages, and jerk and snap by what is fastest and by factors.
void add_orders(const std::string& name, const Robot& robot, const std::vector<double>& q,
                const Eigen::VectorXd& v, std::vector<Row>& found) {
  const int nv = robot.nv();
  if (nv > 200) return;  // derivatives are nv^2 numbers
  ConstrainedDerivatives derivatives(robot);
  ConstrainedSeries series(robot, 2);
  const Eigen::VectorXd tau = Eigen::VectorXd::Constant(nv, 0.1);
  const Eigen::MatrixXd taus = Eigen::MatrixXd::Constant(nv, 3, 0.1);
  ConstrainedForwardDerivatives d(robot, series.rows());
  Eigen::MatrixXd motion(nv, 4), by_factors(nv, 4), given(nv, 3), lambdas(series.rows(), 3);
  const auto add = [&](const char* algorithm, auto call) {
    found.push_back({.robot = name, .algorithm = algorithm, .ns = nanoseconds(call)});
  };
  add("constrained-forward-derivatives", [&] { derivatives.forward(q, v, tau, {}, {}, into(d)); });
  const auto run = [&](Eigen::MatrixXd& to) {
    series.forward(q, v, taus, {}, {}, into(to), into(given), into(lambdas));
  };
  add("constrained-forward-series", [&] { run(motion); });
  series.set_path(ConstrainedPath::factors);
  add("constrained-forward-series-by-factors", [&] { run(by_factors); });
  found.back().difference =
      (by_factors - motion).lpNorm<Eigen::Infinity>() / motion.lpNorm<Eigen::Infinity>();
}

/// One robot of linkages: forward dynamics by what is fastest and by factors, and how far they
/// differ; velocities that suit the loops, inverse dynamics, and the door itself.
std::vector<Row> linkage_rows(const std::string& name, const Robot& robot) {
  ConstrainedDynamics dynamics(robot);
  const int nv = robot.nv();
  const std::vector<double> q = robot.closed();
  const Eigen::VectorXd still = Eigen::VectorXd::Constant(nv, 0.1), tau = still;
  Eigen::VectorXd v = dynamics.project(q, still), a(nv), by_factors(nv), lambda(dynamics.rows());
  std::vector<Row> found;
  const auto add = [&](const char* algorithm, auto call) {
    found.push_back({.robot = name, .algorithm = algorithm, .ns = nanoseconds(call)});
  };
  add("constrained-forward", [&] { dynamics.forward(q, v, tau, {}, {}, into(a), into(lambda)); });
  dynamics.set_path(ConstrainedPath::factors);
  add("constrained-forward-by-factors",
      [&] { dynamics.forward(q, v, tau, {}, {}, into(by_factors), into(lambda)); });
  found.back().difference =
      (by_factors - a).lpNorm<Eigen::Infinity>() / a.lpNorm<Eigen::Infinity>();
  dynamics.set_path(ConstrainedPath::fastest);
  add("constrained-hybrid", [&] {
    dynamics.hybrid(robot.actuated(), q, v, still, tau, {}, {}, Optimum::force, into(a),
                    into(by_factors), into(lambda));
  });
  const Contact tip[] = {{robot.frame(robot.description().links.back().name), LoopKind::point}};
  Eigen::VectorXd with_tip(dynamics.rows() + 3);
  add("constrained-forward-held",
      [&] { dynamics.forward(q, v, tau, {}, tip, into(a), into(with_tip)); });
  add_orders(name, robot, q, v, found);
  add("constrained-project", [&] { dynamics.project(q, still, {}, into(v)); });
  add("constrained-inverse", [&] {
    dynamics.inverse(q, v, a, Eigen::VectorXd::Zero(nv), {}, {}, Optimum::force, into(by_factors),
                     into(lambda));
  });
  add("constrained-dynamics", [&] { ConstrainedDynamics made(robot); });
  return found;
}

}  // namespace

std::vector<Row> constraints() {
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const Robot& robot, const Held& held) {
    for (Row& row : constrained_rows(name, robot, held)) rows.push_back(std::move(row));
  };
  for (const char* name : {"four_bar", "five_bar", "stewart"})
    add(name, load(std::string("builtin:") + name), {});
  add("arm7", load("builtin:arm7"), {{"flange"}});
  add("quadruped", load("builtin:quadruped"),
      {{"front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"},
       LoopKind::point});
  add("humanoid", load("builtin:humanoid"), {{"left_foot", "right_foot"}});
  for (const int links : {10, 30, 100, 200}) {
    const Robot robot = chain_of(links);
    add("chain_" + std::to_string(links), robot, {{robot.description().links.back().name.c_str()}});
  }
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
