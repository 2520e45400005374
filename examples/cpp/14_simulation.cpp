// SPDX-License-Identifier: BSD-3-Clause
// A five-bar linkage is let go. How well do integrators keep its energy and its loop, does a run
// that was stopped go on as if nothing had been, and what does a motor feel that leads it?
#include <cassert>
#include <cstdio>
#include <jounce/record_io.hpp>

namespace {

using jounce::Integrator;

const jounce::Robot linkage = jounce::load("builtin:five_bar");
const std::vector<double> still(4, 0.0);

/// Two seconds without friction; a row of the table.
void swing(const jounce::SimulationOptions& options) {
  jounce::Simulation sim(linkage, options);
  jounce::SimulationState x = sim.start(linkage.closed(), still);
  const jounce::RunReport report = sim.run(x, 2.0);
  std::printf("%-15s%8ld%14.2e%14.2e\n", std::string(name(options.integrator)).c_str(),
              report.steps, report.energy_drift, report.constraint_violation);
  assert(report.constraint_violation < 1e-10);
}

/// Stopped half way, written down, read, and gone on with: the same as at one go, to the last bit.
void stop_and_go() {
  jounce::Simulation sim(linkage), another(linkage);
  jounce::SimulationState whole = sim.start(linkage.closed(), still), part = whole;
  jounce::Record record(linkage);
  sim.run(whole, 2.0, record, {.every = 0.01});
  sim.run(part, 2.0, {.watch = [](const auto& x) { return x.t < 1; }});
  const std::string checkpoint = jounce::write_checkpoint(linkage, part);
  jounce::SimulationState resumed = jounce::read_checkpoint(linkage, checkpoint, "checkpoint");
  another.run(resumed, 2.0);
  assert(resumed.q == whole.q && resumed.v == whole.v);
  const std::string file = write_record(record, jounce::RecordFormat::npz);
  assert(read_record(linkage, file, "record").q(100)[0] == record.q(100)[0]);
  std::printf("\nstopped at %.3f s, gone on to the same bits; %d rows are %zu bytes of NPZ\n",
              part.t, record.size(), file.size());
}

/// The left shoulder on a trajectory, all others free.
void lead() {
  jounce::Simulation sim(linkage);
  const double from = linkage.closed()[0];
  sim.command(linkage.joints()[0].name,
              jounce::Command::trajectory(jounce::septic(from, from + 0.5, 1.0)));
  jounce::SimulationState x = sim.start(linkage.closed(), still);
  jounce::Record record(linkage);
  const jounce::RunReport report = sim.run(x, 1.0, record);
  double most = 0;
  for (int i = 0; i < record.size(); ++i) most = std::max(most, std::abs(record.tau(i)[0]));
  std::printf("led by the left shoulder: up to %.3f N m; energy drift %.1e\n", most,
              report.energy_drift);
  assert(std::abs(x.q[0] - from - 0.5) < 1e-14 && report.energy_drift < 1e-6);
}

}  // namespace

int main() {
  std::printf("%-15s%8s%14s%14s\n", "integrator", "steps", "energy drift", "loop open by");
  swing({.integrator = Integrator::semi_implicit, .step = 1e-3, .passive = false});
  swing({.integrator = Integrator::variational, .step = 1e-3, .passive = false});
  swing({.integrator = Integrator::rk4, .step = 1e-3, .passive = false});
  swing({.integrator = Integrator::dopri5, .tol = 1e-8, .passive = false});
  swing({.integrator = Integrator::dop853, .tol = 1e-8, .passive = false});
  swing({.integrator = Integrator::rodas4, .tol = 1e-8, .passive = false});
  swing({.integrator = Integrator::taylor, .tol = 1e-8, .passive = false});
  stop_and_go();
  lead();
}
