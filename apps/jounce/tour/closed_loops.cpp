// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Closed loops": one motion of a five-bar linkage from one to four motors,
// mechanisms drawn closed with the forces in their cut joints, all ways to put one together, and
// one that swings.
#include <algorithm>
#include <array>
#include <cmath>
#include <jounce/assemblies.hpp>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/simulation.hpp>
#include <map>

#include "apps/jounce/tour/chapters.hpp"
#include "apps/jounce/tour/largest.hpp"
#include "apps/jounce/tour/loop_drawing.hpp"
#include "apps/jounce/tour/loop_kinds.hpp"
#include "benchmarks/bench.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Vector = Eigen::VectorXd;

/// Motors at both shoulders and elbows, left before right, and the exact forces of all joints:
/// the dense equations in 50 digits, rounded.
struct MotorCase {
  const char* name;
  std::array<bool, 4> motors;
  Optimum optimum;
  std::array<double, 4> exact;
};
constexpr MotorCase motor_cases[] = {
    {"two",
     {true, false, true, false},
     Optimum::force,
     {-0.22842639857582903, 0, 0.2995386428812793, 0}},
    {"three, least pin force",
     {true, true, true, false},
     Optimum::force,
     {-0.14642767959544947, 0.07772410105211108, 0.2482371384866475, 0}},
    {"three, least torques",
     {true, true, true, false},
     Optimum::torque,
     {-0.046832092240084104, 0.17212774042853862, 0.18592636673398422, 0}},
    {"four, least pin force",
     {true, true, true, true},
     Optimum::force,
     {-0.027003136014278884, 0.1266007439121015, 0.10837174612200515, -0.10610668078855592}},
    {"four, least torques",
     {true, true, true, true},
     Optimum::torque,
     {-0.03631842007386196, 0.1054679937745281, 0.10173855808004369, -0.12640196188247657}}};
constexpr std::array<double, 4> exact_of_one_motor = {-0.31682696116474085, 0, 0, 0};

struct FiveBarTrial {
  report::Table table{"One motion of a five-bar linkage: forces of its joints, N m, and of its pin",
                      {"motors", "shoulder", "elbow", "shoulder", "elbow", "pin / N", "free"},
                      {}};
  double error = 0, back = 0;  ///< of the forces, of the accelerations that they give
};

void add_case(FiveBarTrial& trial, ConstrainedDynamics& dyn, const Vector& q, const char* name,
              const auto& found, const std::array<double, 4>& exact) {
  std::vector<std::string> row{name};
  for (int k = 0; k < 4; ++k) {
    row.push_back(report::fixed(found.tau[k], 4));
    trial.error = std::max(trial.error, std::abs(found.tau[k] - exact[size_t(k)]));
  }
  const std::span lambda(found.lambda.data(), size_t(found.lambda.size()));
  row.push_back(report::fixed(norm(dyn.loop_wrenches(q, lambda)[0].f), 4));
  row.push_back(std::to_string(found.free_dimension));
  trial.table.rows.push_back(std::move(row));
}

FiveBarTrial try_five_bar() {
  FiveBarTrial trial;
  const Vector q = Eigen::Vector4d(2, -1.0187957003519148, 1, 1.0732881017505773);
  const Vector v = Eigen::Vector4d(1.5, -2.044528394613004, -0.7, 1.669196553413427);
  const Vector a = Eigen::Vector4d(3, -3.8797164317969806, -2, 4.311665324159879);
  RobotDescription linkage = read_robot("builtin:five_bar").robot;
  const bool shoulder[] = {true, false, false, false};
  ConstrainedDynamics closed{Robot(linkage)};
  add_case(trial, closed, q, "one, the other arm follows",
           closed.hybrid(shoulder, q, v, a, Vector::Zero(4)), exact_of_one_motor);
  for (const MotorCase& one : motor_cases) {
    for (size_t k = 0; k < 4; ++k) linkage.joints[k].actuated = one.motors[k];
    ConstrainedDynamics dyn{Robot(linkage)};
    const ConstrainedInverse found = dyn.inverse(q, v, a, {}, {}, one.optimum);
    add_case(trial, dyn, q, one.name, found, one.exact);
    const Vector again = dyn.forward(q, v, found.tau).a;
    trial.back = std::max(trial.back, largest(again - a) / largest(a));
  }
  return trial;
}

/// Points of links where joints and loops hold them, in the links' frames.
using HeldPoints = std::map<std::string, std::vector<Vec3<double>>>;

HeldPoints held_points(const RobotDescription& robot) {
  HeldPoints points;
  for (const JointDescription& joint : robot.joints) {
    points[joint.child].push_back(inverse(joint.child_placement).p);
    points[joint.parent].push_back(joint.geometry.placement.p);
  }
  for (const LoopDescription& loop : robot.loops) {
    points[loop.link_1].push_back(loop.placement_1.p);
    points[loop.link_2].push_back(loop.placement_2.p);
  }
  return points;
}

/// The links between the points that hold them, and what slides between its two links.
void draw_links(Kinematics& kinematics, LoopDrawing& drawing) {
  const Robot& robot = kinematics.robot();
  const auto pose = [&](const std::string& link) { return kinematics.pose(robot.frame(link)); };
  for (const auto& [link, points] : held_points(robot.description())) {
    const SE3<double> T = pose(link);
    const size_t sides = points.size() > 2 ? points.size() : points.size() - 1;
    for (size_t k = 0; k < sides; ++k)
      drawing.bar(T * points[k], T * points[(k + 1) % points.size()]);
  }
  for (const JointDescription& joint : robot.description().joints)
    drawing.bar(pose(joint.parent) * joint.geometry.placement.p,
                pose(joint.child) * inverse(joint.child_placement).p);
}

/// At rest where its loops are closed, with the forces that its cut joints exert on their second
/// links while the motors hold it up.
report::Figure closed_picture(const std::string& name, bool planar) {
  const Robot robot = load("builtin:" + name);
  ConstrainedDynamics dyn(robot);
  const Vector q = dyn.assemble(robot.closed()).q, still = Vector::Zero(robot.nv());
  const ConstrainedInverse held = dyn.inverse(q, still, still);
  const auto F = dyn.loop_wrenches(q, std::span(held.lambda.data(), size_t(held.lambda.size())));
  Kinematics kinematics(robot);
  kinematics.at(q);
  LoopDrawing drawing{.planar = planar};
  draw_links(kinematics, drawing);
  double most = 0;
  for (const Wrench<double>& one : F) most = std::max(most, norm(one.f));
  for (size_t k = 0; k < F.size(); ++k) {
    const LoopDescription& loop = robot.loops()[k];
    const SE3<double> T = kinematics.pose(robot.frame(loop.link_2)) * loop.placement_2;
    LoopDrawing::point(drawing.cuts, drawing.seen(T.p));
    drawing.arrow(T.p, T.R * F[k].f * (0.15 / most));
  }
  const report::Plot plot{.title = name,
                          .x = {.label = "", .unit = "m"},
                          .y = {.label = "", .unit = "m"},
                          .series = {drawing.bars, drawing.forces, drawing.cuts},
                          .equal_aspect = true,
                          .width = 520,
                          .height = 420};
  return {report::to_svg(plot), "builtin:" + name +
                                    ", held still by its motors; the longest arrow is " +
                                    report::significant(most, 3) + " N."};
}

/// The five-bar drawn in each of these configurations, one beside the other.
report::Figure assemblies_picture(const Robot& robot, const Assemblies& all, const char* title,
                                  const std::string& caption) {
  constexpr double apart = 0.45;  // m
  Kinematics kinematics(robot);
  report::Plot plot{.title = title,
                    .x = {.label = "", .unit = "m"},
                    .y = {.label = "", .unit = "m"},
                    .equal_aspect = true,
                    .width = 620,
                    .height = 320};
  for (size_t k = 0; k < all.q.size(); ++k) {
    kinematics.at(all.q[k]);
    LoopDrawing drawing{.planar = true};
    draw_links(kinematics, drawing);
    for (double& x : drawing.bars.x) x += apart * double(k);
    plot.series.push_back(drawing.bars);
  }
  return {report::to_svg(plot), caption};
}

struct AllAssemblies {
  std::vector<report::Figure> figures;
  int assemblies = 0, modes = 0;
  double open = 0, tip = 0;  ///< m
};

/// The five-bar from its motors, and from where its tip should be.
AllAssemblies all_assemblies() {
  const Robot robot = load("builtin:five_bar");
  const LoopDescription& loop = robot.loops()[0];
  ConstrainedDynamics dyn(robot);
  Kinematics kinematics(robot);
  const Assemblies all = assemblies(dyn, {2, 0, 1, 0});
  const Vec3<double> wanted{0.02, 0, 0.45};
  const Assemblies modes = working_modes(dyn, 0, wanted, all.q.at(0));
  AllAssemblies found{{}, int(all.q.size()), int(modes.q.size())};
  for (const Assemblies* one : {&all, &modes})
    for (const std::vector<double>& q : one->q)
      found.open = std::max(found.open, largest(dyn.closure(q)));
  for (const std::vector<double>& q : modes.q) {
    kinematics.at(q);
    const Vec3<double> tip = kinematics.pose(robot.frame(loop.link_1)) * loop.placement_1.p;
    found.tip = std::max(found.tip, norm(tip - wanted));
  }
  found.figures = {
      assemblies_picture(robot, all, "five_bar: assemblies",
                         "Both ways to close the five-bar with its motors at 2 and 1 rad; the bars "
                         "meet with a discriminant of " +
                             report::significant(all.discriminant, 4) + "."),
      assemblies_picture(robot, modes, "five_bar: working modes",
                         "Its elbows bend in four ways while the tip stays where it is.")};
  return found;
}

/// How they close from a guess 0.1 rad or m off in every coordinate, and how fast forward is.
report::Table mechanism_table(double& open) {
  report::Table table{
      "Mechanisms: rows of their loops, and nanoseconds of one call",
      {"robot", "velocities", "rows", "that count", "freedom", "steps to close", "forward"},
      {}};
  for (const std::string name : {"four_bar", "five_bar", "stewart"}) {
    const Robot robot = load("builtin:" + name);
    ConstrainedDynamics dyn(robot);
    std::vector<double> guess(size_t(robot.nq())), off(size_t(robot.nv()));
    for (size_t k = 0; k < off.size(); ++k) off[k] = k % 2 == 0 ? 0.1 : -0.1;
    robot.integrate(robot.closed(), off, guess);
    const Assembly found = dyn.assemble(guess);
    open = std::max(open, found.converged ? largest(dyn.closure(found.q)) : INFINITY);
    const Vector v = dyn.project(found.q, Vector::Constant(robot.nv(), 0.5));
    Vector a(robot.nv()), lambda(dyn.rows());
    const double time = bench::nanoseconds(
        [&] { dyn.forward(found.q, v, v, {}, {}, into(a), into(lambda)); }, 0.02);
    table.rows.push_back({name, std::to_string(robot.nv()), std::to_string(dyn.rows()),
                          std::to_string(dyn.rank()), std::to_string(dyn.mobility()),
                          std::to_string(found.iterations), std::to_string(std::lround(time))});
  }
  return table;
}

struct Swing {
  double energy = 0, open = 0;  ///< relative, and m
};

/// A four-bar linkage that swings for a second without motors and friction.
Swing swing(int steps) {
  const Robot robot = load("builtin:four_bar");
  ConstrainedDynamics dyn(robot);
  Dynamics tree(robot);
  std::vector<double> q = robot.closed();
  dyn.assemble(q, {}, into(q));
  std::vector<double> v(size_t(robot.nv()), 2);
  dyn.project(q, v, {}, into(v));
  Simulation sim(robot, {.integrator = Integrator::rk4,  // whose loops nothing repairs
                         .step = 1.0 / steps,
                         .passive = false,
                         .loops = LoopRepair::baumgarte,
                         .baumgarte_rate = 0});
  SimulationState x = sim.start(q, v);
  const auto energy = [&] {
    const Energy now = tree.energy(x.q, x.v);
    return now.kinetic + now.potential;
  };
  const double before = energy(), size = std::abs(tree.energy(x.q, x.v).kinetic);
  sim.run(x, 1, {.energy = false});
  return {std::abs(energy() - before) / size, largest(dyn.closure(x.q))};
}

report::Table kinds_table(double& error) {
  report::Table table{"Other kinds of loops, and a bushing", {"", "", "found", "exact"}, {}};
  for (const KindOfLoop& one : kinds_of_loops()) {
    table.rows.push_back({one.name, one.quantity, report::significant(one.found, 6),
                          report::significant(one.exact, 6)});
    error = std::max(error, std::abs(one.found - one.exact) / std::abs(one.exact));
  }
  return table;
}

}  // namespace

report::Chapter tour_closed_loops() {
  const FiveBarTrial five_bar = try_five_bar();
  double open = 0;
  const report::Table mechanisms = mechanism_table(open);
  const Swing coarse = swing(2000), fine = swing(4000);
  const AllAssemblies all = all_assemblies();
  double off = 0;
  const report::Table kinds = kinds_table(off);
  const report::Checks checks{
      {report::at_most("five-bar: forces against 50 digits, N m", five_bar.error, 1e-13),
       report::at_most("forward gives the motion back", five_bar.back, 1e-12),
       report::at_most("what assembly leaves open, m", open, 1e-12),
       report::at_least("five-bar: assemblies", all.assemblies, 2),
       report::at_least("five-bar: working modes", all.modes, 4),
       report::at_most("what they leave open, m", all.open, 1e-14),
       report::at_most("working modes: tip off by, m", all.tip, 1e-14),
       report::at_most("four-bar after 1 s: energy", fine.energy, 1e-7),
       report::at_most("four-bar after 1 s: open by, m", fine.open, 1e-8),
       report::at_most("gear, disc, function, bushing: off by", off, 1e-6),
       report::at_least("order of the fixed steps", std::log2(coarse.open / fine.open), 3.5)}};
  return {"Closed loops",
          "closed-loops",
          {report::Paragraph{
               "Branches of a tree that hold each other: M a + b = tau + A^T lambda, A v = 0. "
               "A hinge in space that closes a planar linkage forbids five motions, of which the "
               "plane forbids three already; how many rows count is found where the linkage is "
               "closed, and kept. With as many motors as degrees of freedom a motion has one set "
               "of forces, with more a family of them, with fewer the rest of the linkage goes "
               "its own way."},
           five_bar.table, mechanisms, kinds, bench::pass_growth(), checks,
           closed_picture("four_bar", true), closed_picture("five_bar", true),
           closed_picture("stewart", false), all.figures[0], all.figures[1], picture_of_a_rod(),
           picture_of_gears(), picture_of_a_wheel()}};
}

}  // namespace jounce::app
