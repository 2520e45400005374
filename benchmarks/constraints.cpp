// SPDX-License-Identifier: BSD-3-Clause
// Speed of forward dynamics with closed loops and contacts, and of its derivatives, checks
// included: mechanisms, robots that stand, chains whose tip is held.
#include <jounce/constrained_derivatives.hpp>
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

/// Linkages in series, and by twos in branches, each by what is fastest and by factors.
std::vector<Row> four_bar_rows(int linkages) {
  std::vector<Row> found;
  for (const int branches : {1, 2}) {
    if (branches > linkages) continue;
    const Robot robot(generate_four_bars(linkages, branches));
    const std::string name = robot.name() + (branches > 1 ? "_in_branches" : "");
    ConstrainedDynamics dynamics(robot);
    const int nv = robot.nv();
    const std::vector<double> q = robot.closed();
    const Eigen::VectorXd v = dynamics.project(q, Eigen::VectorXd::Constant(nv, 0.1));
    const Eigen::VectorXd tau = Eigen::VectorXd::Constant(nv, 0.1);
    Eigen::VectorXd a(nv), lambda(dynamics.rows());
    for (const ConstrainedPath path : {ConstrainedPath::fastest, ConstrainedPath::factors}) {
      dynamics.set_path(path);
      const bool fastest = path == ConstrainedPath::fastest;
      found.push_back(
          {.robot = name,
           .algorithm = fastest ? "constrained-forward" : "constrained-forward-by-factors",
           .ns = nanoseconds([&] { dynamics.forward(q, v, tau, {}, {}, into(a), into(lambda)); })});
    }
  }
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
  for (const int linkages : {1, 4, 16, 64})
    for (Row& row : four_bar_rows(linkages)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace jounce::bench
