// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Motion": integrators keep energy, or do not; time against error; a five-bar
// linkage and an aerial manipulator in motion.
#include <algorithm>
#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/record_io.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "report/plot.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Numbers = std::vector<double>;

struct Method {
  Integrator integrator;
  double tol, step;
};

// ---- energy ---------------------------------------------------------------------------------

struct EnergyTrial {
  report::Table table{"Five-bar linkage, let go, without friction, 3 s",
                      {"integrator", "step or tolerance", "steps", "evaluations", "energy drift",
                       "loop open by", "ms"},
                      {}};
  report::Plot plot{.title = "Energy error of a five-bar linkage",
                    .x = {.label = "time", .unit = "s"},
                    .y = {.label = "|E - E0| of the largest kinetic energy", .log = true}};
  double largest_violation = 0, adaptive_drift = 0;
};

/// |E - E_0| / K_max along a record, where it is not zero.
report::Series energy_error(const Record& record, double largest_kinetic) {
  report::Series line;
  Dynamics dyn(record.robot());
  const auto energy = [&](int i) {
    const Energy e = dyn.energy(record.q(i), record.v(i));
    return e.kinetic + e.potential;
  };
  for (int i = 1; i < record.size(); ++i) {
    line.x.push_back(record.t()[size_t(i)]);
    line.y.push_back(std::max(std::abs(energy(i) - energy(0)) / largest_kinetic, 1e-17));
  }
  return line;
}

EnergyTrial try_energy() {
  EnergyTrial trial;
  const Robot linkage = load("builtin:five_bar");
  const Method methods[] = {{Integrator::semi_implicit, 0, 1e-3}, {Integrator::rk4, 0, 1e-3},
                            {Integrator::rkmk4, 0, 2e-3},         {Integrator::rodas4, 1e-6, 0},
                            {Integrator::dopri5, 1e-8, 0},        {Integrator::dop853, 1e-8, 0},
                            {Integrator::automatic, 1e-11, 0},    {Integrator::taylor, 1e-8, 0}};
  for (const Method& method : methods) {
    Simulation sim(linkage, {.integrator = method.integrator,
                             .tol = method.tol,
                             .step = method.step,
                             .passive = false});
    SimulationState x = sim.start(linkage.closed(), Numbers(4, 0.0));
    Record record(linkage);
    const RunReport found = sim.run(x, 3.0, record, {.every = 0.02});
    const std::string how = method.step > 0 ? report::shortest(1e3 * method.step) + " ms"
                                            : report::shortest(method.tol);
    const std::string label(name(method.integrator));
    trial.table.rows.push_back({label, how, std::to_string(found.steps),
                                std::to_string(found.evaluations),
                                report::significant(found.energy_drift, 2),
                                report::significant(found.constraint_violation, 2),
                                report::fixed(1e3 * found.seconds, 1)});
    trial.plot.series.push_back(energy_error(record, found.largest_kinetic));
    trial.plot.series.back().name = std::string(label).append(", ").append(how);
    trial.largest_violation = std::max(trial.largest_violation, found.constraint_violation);
    if (method.step == 0) trial.adaptive_drift = std::max(trial.adaptive_drift, found.energy_drift);
  }
  return trial;
}

// ---- work and precision ---------------------------------------------------------------------

const Numbers arm_q{0.25, 1.5, -0.25, 0.5, 0.25, -0.5, 0.25}, arm_v{0.5, 0, 0.25, 0, -0.25, 0, 0.5};

struct ArmEnd {
  Numbers q, v;
  double seconds = 0;
};

/// Half a second of an arm that swings freely; the shortest time of three.
ArmEnd swing_arm(const Robot& arm, const SimulationOptions& options) {
  ArmEnd end{{}, {}, INFINITY};
  Simulation sim(arm, options);
  for (int round = 0; round < 3; ++round) {
    SimulationState x = sim.start(arm_q, arm_v);
    end.seconds = std::min(end.seconds, sim.run(x, 0.5, {.energy = false}).seconds);
    end.q = x.q, end.v = x.v;
  }
  return end;
}
double distance(const ArmEnd& a, const ArmEnd& b) {
  double worst = 0;
  for (size_t k = 0; k < a.q.size(); ++k)
    worst = std::max({worst, std::abs(a.q[k] - b.q[k]), std::abs(a.v[k] - b.v[k])});
  return worst;
}

struct WorkTrial {
  report::Plot plot{.title = "arm7, half a second of free swing",
                    .x = {.label = "error at the end", .unit = "rad, rad/s", .log = true},
                    .y = {.label = "computing time", .unit = "ms", .log = true}};
  double order = 0;  ///< of rk4
  double best = 0;   ///< error of taylor at its tightest
};

WorkTrial try_work() {
  WorkTrial trial;
  const Robot arm = load("builtin:arm7");
  const auto run = [&](Integrator one, double tol, double step) {
    return swing_arm(arm, {.integrator = one, .tol = tol, .step = step, .passive = false});
  };
  const ArmEnd exact = run(Integrator::taylor, 1e-14, 0);
  const auto add_curve = [&](Integrator one, const Numbers& tols, const Numbers& steps) {
    report::Series line{.name = std::string(name(one)), .mark = report::Mark::line_scatter};
    const auto add = [&](double tol, double step) {
      const ArmEnd end = run(one, tol, step);
      line.x.push_back(distance(end, exact)), line.y.push_back(1e3 * end.seconds);
    };
    for (const double tol : tols) add(tol, 0);
    for (const double step : steps) add(0, step);
    trial.plot.series.push_back(std::move(line));
  };
  const Numbers tols{1e-4, 1e-6, 1e-8, 1e-10, 1e-12}, loose{1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  const Numbers steps{4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
  add_curve(Integrator::semi_implicit, {}, steps);
  add_curve(Integrator::rk4, {}, steps);
  add_curve(Integrator::rodas4, loose, {});
  add_curve(Integrator::dopri5, tols, {});
  add_curve(Integrator::dop853, tols, {});
  add_curve(Integrator::taylor, tols, {});
  trial.best = trial.plot.series.back().x.back();
  trial.order = std::log2(distance(run(Integrator::rk4, 0, 2e-3), exact) /
                          distance(run(Integrator::rk4, 0, 1e-3), exact));
  return trial;
}

// ---- a five-bar linkage in motion -----------------------------------------------------------

struct StripTrial {
  report::Plot plot{.title = "A five-bar linkage, let go",
                    .x = {.label = "x, and time from left to right", .unit = "m"},
                    .y = {.label = "z", .unit = "m"},
                    .equal_aspect = true,
                    .width = 900,
                    .height = 300};
  bool same_bits = false;  ///< of a run that was stopped and gone on with
};

/// Where bars end, from the left shoulder over the pin to the right one; the plane is x, z.
std::vector<Vec3<double>> bar_ends(Kinematics& at, const Robot& linkage) {
  const auto frame = [&](const char* link) { return at.pose(linkage.frame(link)); };
  const LoopDescription& pin = linkage.loops()[0];
  const Vec3<double> tip = (frame(pin.link_1.c_str()) * pin.placement_1).p;
  return {frame("left_proximal").p, frame("left_distal").p, tip, frame("right_distal").p,
          frame("right_proximal").p};
}

StripTrial draw_strip() {
  StripTrial trial;
  const Robot linkage = load("builtin:five_bar");
  Simulation sim(linkage), another(linkage);
  SimulationState x = sim.start(linkage.closed(), Numbers(4, 0.0)), part = x;
  Record record(linkage);
  sim.run(x, 0.6, record, {.every = 0.01});
  Kinematics kinematics(linkage);
  report::Series pin{.name = "path of the pin", .colour = 1, .width = 1.5}, bars;
  bars = {.name = "bars", .mark = report::Mark::segments, .colour = 0, .width = 2.5};
  constexpr double apart = 0.9;  // m between two pictures, 0.1 s
  for (int i = 0; i < record.size(); ++i) {
    kinematics.at(record.q(i));
    const auto ends = bar_ends(kinematics, linkage);
    const double shift = apart * i / 10;
    pin.x.push_back(ends[2].x + shift), pin.y.push_back(ends[2].z);
    for (size_t k = 0; k + 1 < ends.size() && i % 10 == 0; ++k)
      for (const auto& end : {ends[k], ends[k + 1]})
        bars.x.push_back(end.x + shift), bars.y.push_back(end.z);
  }
  trial.plot.series = {std::move(bars), std::move(pin)};
  sim.run(part, 0.6, {.watch = [](const SimulationState& at) { return at.t < 0.3; }});
  part = read_checkpoint(linkage, write_checkpoint(linkage, part), "checkpoint");
  another.run(part, 0.6);
  trial.same_bits = part.q == x.q && part.v == x.v;
  return trial;
}

// ---- the aerial manipulator falls and is caught ---------------------------------------------

struct FallTrial {
  report::Plot height{.title = "An aerial manipulator falls and is caught",
                      .x = {.label = "time", .unit = "s"},
                      .y = {.label = "height of the base, angles", .unit = "m, rad"}};
  report::Plot thrust{.title = "What it takes",
                      .x = {.label = "time", .unit = "s"},
                      .y = {.label = "vertical force on the base", .unit = "N"},
                      .height = 300};
  double swing_while_falling = 0, off_rest = 0, drift = 0;
};

/// From the fall at time `begin` to rest a metre below, in 0.6 s; the base stays upright.
Command catching(double begin, double z, double speed, double g) {
  const double below = z - 1.0, from[] = {z, speed, -g}, to[] = {below, 0, 0};
  return Command::trajectory(Command::JointLaw(
      [begin, below, move = polynomial_move(from, to, 0.6)](
          double t, std::span<double> q, std::span<double> v, std::span<double> a) {
        double motion[3] = {below, 0, 0};
        if (t < begin + move.end()) move.derivatives(t - begin, motion);
        std::fill(v.begin(), v.end(), 0), std::fill(a.begin(), a.end(), 0);
        q[2] = motion[0], v[5] = motion[1], a[5] = motion[2];
      }));
}

FallTrial try_fall() {
  FallTrial trial;
  const Robot robot = load("builtin:aerial_manipulator");
  const double fall = 0.4, g = -robot.gravity().z;
  Numbers q = robot.neutral();
  q[2] = 3;
  for (const size_t k : {7u, 10u}) q[k] = k == 7 ? 0.9 : -0.9;
  Simulation sim(robot);
  sim.command("base", catching(fall, 3 - g * fall * fall / 2, -g * fall, g), fall);
  SimulationState x = sim.start(q, Numbers(12, 0.0));
  Record record(robot);
  trial.drift = sim.run(x, 2.0, record, {.every = 0.01}).energy_drift;
  report::Series z{.name = "height of the base"}, left{.name = "left joint 1"},
      right{.name = "right joint 1"}, force{.name = "on the base"};
  for (int i = 0; i < record.size(); ++i) {
    const double t = record.t()[size_t(i)];
    for (report::Series* line : {&z, &left, &right, &force}) line->x.push_back(t);
    z.y.push_back(record.q(i)[2]);
    left.y.push_back(record.q(i)[7]), right.y.push_back(record.q(i)[10]);
    force.y.push_back(record.tau(i)[5]);
    if (t > fall - 1e-9) continue;
    for (size_t k = 6; k < 12; ++k)
      trial.swing_while_falling = std::max(trial.swing_while_falling, std::abs(record.v(i)[k]));
  }
  trial.off_rest = std::abs(x.v[5]) + std::abs(x.q[2] - (3 - g * fall * fall / 2 - 1));
  trial.height.series = {std::move(z), std::move(left), std::move(right)};
  trial.thrust.series = {std::move(force)};
  return trial;
}

}  // namespace

report::Chapter tour_motion() {
  const EnergyTrial energy = try_energy();
  const WorkTrial work = try_work();
  const StripTrial strip = draw_strip();
  const FallTrial fall = try_fall();
  const report::Checks checks{
      {report::at_most("five-bar: loop open by, all integrators", energy.largest_violation, 1e-10),
       report::at_most("five-bar: energy drift with step control", energy.adaptive_drift, 1e-4),
       report::at_least("stopped and gone on with: the same bits", strip.same_bits ? 1 : 0, 1),
       report::at_most("arm7: taylor at 1e-12 against taylor at 1e-14", work.best, 1e-9),
       report::at_most("arm7: order of rk4, off 4", std::abs(work.order - 4), 0.1),
       report::at_most("falling: arms turn by, rad/s", fall.swing_while_falling, 1e-9),
       report::at_most("caught: off its place and at speed", fall.off_rest, 1e-12),
       report::at_most("caught: energy drift", fall.drift, 1e-6)}};
  return {"Motion",
          "motion",
          {report::Paragraph{
               "A simulation integrates on the configuration manifold, with loops closed after "
               "every step in the metric of the kinetic energy. Motors give forces, or hold a "
               "joint to a law, and what that takes is found (hybrid dynamics inside the step)."},
           energy.table,
           report::Figure{report::to_svg(energy.plot),
                          "Fixed steps of low order lose or gain energy; step "
                          "control keeps what its tolerance says."},
           report::Figure{report::to_svg(work.plot),
                          "Time against error: every curve from loose to tight."},
           report::Figure{report::to_svg(strip.plot), "One picture every 0.1 s."}, checks,
           report::Figure{report::to_svg(fall.height),
                          "Free fall for 0.4 s: nothing turns, for all parts fall alike. Then the "
                          "base is led to rest within 0.6 s, and the arms swing on."},
           report::Figure{report::to_svg(fall.thrust),
                          "The force that holds the base to its law, by hybrid dynamics."}}};
}

}  // namespace jounce::app
