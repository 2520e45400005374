// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jounce/simulate_report.hpp"

#include "report/text.hpp"

namespace jounce::app {
namespace {

double simulated(const RunSummary& s) { return s.state.t - s.start; }
double seconds_per_step(const RunSummary& s) {
  return s.report.steps > 0 ? s.report.seconds / double(s.report.steps) : 0;
}
double real_time_factor(const RunSummary& s) {
  return s.report.seconds > 0 ? simulated(s) / s.report.seconds : 0;
}

/// "auto, tol 1e-08" or "rk4, step 0.001".
std::string method_text(const SimulationOptions& options) {
  return std::string(name(options.integrator)) +
         (options.step > 0 ? ", step " + report::shortest(options.step) + " s"
                           : ", tol " + report::shortest(options.tol));
}

std::string summary_line(std::string name, const std::string& value) {
  name.resize(24, ' ');
  return "  " + name + value + "\n";
}

}  // namespace

const std::vector<Key>& summary_keys() {
  static const std::vector<Key> keys = {
      {"model", "as it was asked for"},
      {"integrator", "its name"},
      {"tol", "its tolerance, where it chooses its steps", false},
      {"step", "in s, where steps have one length", false},
      {"end", "\"time\" (T was reached) or \"interrupted\""},
      {"t", "where the run came to, in s"},
      {"q", "coordinates there"},
      {"v", "velocities there"},
      {"energy_drift",
       "the largest |E - E_0 - work of commands, dampers and outside wrenches|, of the largest "
       "kinetic energy"},
      {"constraint_violation", "how far loops were open at most, in m and sines of angles"},
      {"steps", "that were taken"},
      {"rejected", "steps that were tried and not taken"},
      {"evaluations", "of accelerations, or of their series"},
      {"seconds", "of computing"},
      {"seconds_per_step", "of computing"},
      {"real_time_factor", "simulated time over computing time"},
      {"limits", "joints that went beyond their limits: [{\"joint\", \"t\", \"beyond\"}]"},
      {"impact_energy", "what impacts at --stops added, in J; the drift is without it"},
      {"stiff", "{\"t\", \"joint\"}: when the motion was first found stiff, and by whom", false}};
  return keys;
}

Json summary_json(const RunSummary& s) {
  Json out{{"model", s.model}, {"integrator", name(s.options.integrator)}};
  if (s.options.step > 0) out["step"] = s.options.step;
  else out["tol"] = s.options.tol;
  out["end"] = s.interrupted ? "interrupted" : "time";
  out["t"] = s.state.t;
  out["q"] = s.state.q;
  out["v"] = s.state.v;
  out["energy_drift"] = s.report.energy_drift;
  out["constraint_violation"] = s.report.constraint_violation;
  out["steps"] = s.report.steps;
  out["rejected"] = s.report.rejected;
  out["evaluations"] = s.report.evaluations;
  out["seconds"] = s.report.seconds;
  out["seconds_per_step"] = seconds_per_step(s);
  out["real_time_factor"] = real_time_factor(s);
  out["limits"] = Json::array();
  for (size_t k = 0; k < s.limits.size(); ++k)
    out["limits"].push_back({{"joint", s.limits[k]},
                             {"t", s.report.limits[k].t},
                             {"beyond", s.report.limits[k].excess}});
  out["impact_energy"] = s.report.impact_energy;
  if (!s.stiff_joint.empty()) out["stiff"] = {{"t", s.report.stiff_time}, {"joint", s.stiff_joint}};
  return out;
}

std::string summary_text(const RunSummary& s) {
  using report::significant;
  std::string out = s.model + ": " + report::shortest(s.start) + " s to " +
                    report::shortest(s.state.t) + " s by " + method_text(s.options) +
                    (s.interrupted ? " (interrupted)\n" : "\n");
  out += summary_line("energy drift", significant(s.report.energy_drift, 3) +
                                          " of the largest kinetic energy, " +
                                          significant(s.report.largest_kinetic, 3) + " J");
  out += summary_line("constraint violation", significant(s.report.constraint_violation, 3));
  out += summary_line("steps", std::to_string(s.report.steps) + ", and " +
                                   std::to_string(s.report.rejected) + " rejected");
  out += summary_line("evaluations", std::to_string(s.report.evaluations));
  out += summary_line("time per step", significant(1e6 * seconds_per_step(s), 3) + " us");
  out += summary_line("real-time factor", significant(real_time_factor(s), 3));
  if (s.report.impact_energy != 0)
    out += summary_line("impacts", significant(s.report.impact_energy, 3) + " J");
  for (size_t k = 0; k < s.limits.size(); ++k)
    out += summary_line("beyond its limit",
                        s.limits[k] + ", first at " + significant(s.report.limits[k].t, 4) +
                            " s, by " + significant(s.report.limits[k].excess, 3) + " at most");
  return out;
}

}  // namespace jounce::app
