// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Motion": integrators keep energy, or do not; time against error; a five-bar
// linkage and an aerial manipulator in motion.
#include <algorithm>
#include <cmath>
#include <jounce/dynamics.hpp>
#include <jounce/kinematics.hpp>
#include <jounce/record_io.hpp>

#include "apps/jounce/tour/aerial_motion.hpp"
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
                    .y = {.label = "|E - E0| / largest kinetic", .log = true}};
  double largest_violation = 0, adaptive_drift = 0, discrete_drift = 0;
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
  const Method methods[] = {
      {Integrator::semi_implicit, 0, 1e-3}, {Integrator::variational, 0, 2e-3},
      {Integrator::rk4, 0, 1e-3},           {Integrator::rkmk4, 0, 2e-3},
      {Integrator::rodas4, 1e-6, 0},        {Integrator::dopri5, 1e-8, 0},
      {Integrator::dop853, 1e-8, 0},        {Integrator::automatic, 1e-11, 0},
      {Integrator::taylor, 1e-8, 0}};
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
    if (method.integrator == Integrator::variational) trial.discrete_drift = found.energy_drift;
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
  add_curve(Integrator::variational, {}, steps);
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
  report::Plot height{.title = "An aerial manipulator falls and is caught by its controller",
                      .x = {.label = "time", .unit = "s"},
                      .y = {.label = "height of the base", .unit = "m"}};
  report::Plot off{.title = "How far it is off its reference",
                   .x = {.label = "time", .unit = "s"},
                   .y = {.label = "off", .unit = "m, rad"},
                   .height = 300};
  double speed = 0;  ///< m/s, when it is caught
  double fell = 0, off_at_end = 0, drift = 0;
};

constexpr double fall_time = 0.3;  ///< s

/// Rotors and motors are off, then computed torque brings it back to the experiment's reference.
FallTrial try_fall() {
  FallTrial trial;
  AerialMotion flight({.feedback = true, .fall = fall_time, .duration = 5, .tol = 1e-8});
  Record record(flight.robot());
  trial.drift = flight.fly(record).energy_drift;
  report::Series z{.name = "the base"}, wanted{.name = "its reference", .width = 1};
  report::Series place{.name = "the base, m"}, attitude{.name = "its attitude, rad"},
      joints{.name = "the joint that is furthest off, rad"};
  for (int i = 0; i < record.size(); ++i) {
    const double t = record.t()[size_t(i)];
    const AerialMotion::Off off = flight.off(t, record.q(i));
    for (report::Series* line : {&z, &wanted, &place, &attitude, &joints}) line->x.push_back(t);
    z.y.push_back(record.q(i)[2]);
    wanted.y.push_back(AerialExperiment::reference(t).q[2]);
    place.y.push_back(off.position), attitude.y.push_back(off.attitude);
    joints.y.push_back(off.joints);
    trial.off_at_end = std::max({off.position, off.attitude, off.joints});
    trial.fell = std::max(trial.fell, off.position);
    if (t <= fall_time) trial.speed = std::hypot(record.v(i)[3], record.v(i)[4], record.v(i)[5]);
  }
  trial.height.series = {std::move(z), std::move(wanted)};
  trial.off.series = {std::move(place), std::move(attitude), std::move(joints)};
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
       report::at_most("five-bar: energy drift of discrete mechanics", energy.discrete_drift, 1e-3),
       report::at_least("stopped and gone on with: the same bits", strip.same_bits ? 1 : 0, 1),
       report::at_most("arm7: taylor at 1e-12 against taylor at 1e-14", work.best, 1e-9),
       report::at_most("arm7: order of rk4, off 4", std::abs(work.order - 4), 0.1),
       report::at_least("caught: off the reference at most, m", fall.fell, 0.3),
       report::at_most("caught: off the reference after 5 s, m or rad", fall.off_at_end, 2e-3),
       report::at_most("caught: energy drift", fall.drift, 1e-6)}};
  return {
      "Motion",
      "motion",
      {report::Paragraph{
           "A simulation integrates on the configuration manifold, with loops closed after "
           "every step in the metric of the kinetic energy. Motors give forces, or hold a "
           "joint to a law, and what that takes is found (hybrid dynamics inside the step)."},
       energy.table,
       report::Figure{report::both_widths(energy.plot),
                      "Fixed steps of low order lose or gain energy, those of discrete mechanics "
                      "let it come back; step "
                      "control keeps what its tolerance says."},
       report::Figure{report::both_widths(work.plot),
                      "Time against error: every curve from loose to tight."},
       report::Figure{report::both_widths(strip.plot), "One picture every 0.1 s."}, checks,
       report::Figure{report::both_widths(fall.height),
                      "Rotors and motors are off for " + report::shortest(fall_time) +
                          " s, then computed torque at every 4 ms, by rotors that can only "
                          "push, catches it at " +
                          report::fixed(fall.speed, 1) + " m/s."},
       report::Figure{report::both_widths(fall.off),
                      "The same motion, off the reference of the experiment."}}};
}

}  // namespace jounce::app
