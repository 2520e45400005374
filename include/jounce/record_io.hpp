// SPDX-License-Identifier: BSD-3-Clause
// Records of simulations and the states they go on from, as files; all read back to the same bits.
//
//   std::ofstream("run.npz", std::ios::binary) << write_record(record, record_format("run.npz"));
//   const jounce::Record again = jounce::load_record(robot, "run.npz");
// Columns are named after joints: q.elbow, v.elbow, a.elbow, tau.elbow, and of a joint with several
// coordinates q.base:0, q.base:1, ... docs/integrators.md has the formats.
#pragma once

#include <jounce/simulation.hpp>
#include <string>
#include <string_view>

namespace jounce {

enum class RecordFormat : unsigned char {
  csv,   ///< a line of names, then a line for each time
  json,  ///< lists "t", "q", "v", "a", "tau", with the joints' names
  npz    ///< what numpy.load reads: arrays t [T], q [T, nq], v, a, tau [T, nv], q_names, v_names
};
/// By the extension: .json, .npz, CSV otherwise.
RecordFormat record_format(std::string_view path);

/// The bytes of a file. InputError where NPZ cannot hold a record of that size (4 GiB an array).
std::string write_record(const Record& record, RecordFormat format);

/// From bytes, whatever their format; `origin` names them in messages. InputError has the place
/// where they are no record of this robot.
Record read_record(const Robot& robot, std::string_view bytes, const std::string& origin);
Record load_record(const Robot& robot, const std::string& path);

/// A state with all that the next step depends on, as JSON.
std::string write_checkpoint(const Robot& robot, const SimulationState& state);
SimulationState read_checkpoint(const Robot& robot, std::string_view text,
                                const std::string& origin);
SimulationState load_checkpoint(const Robot& robot, const std::string& path);

/// Laws of forces from a table in CSV: a column t, in s, and others named after joints, "elbow" or
/// "tau.elbow", one of several coordinates "base:0"; linear between its times. Of a record, which
/// has them too, columns q., v. and a. are passed over. InputError has line and column.
struct ForceTable {
  struct Column {
    std::string joint;  ///< as Simulation::command takes it
    Law law;
  };
  std::vector<Column> columns;
};
ForceTable read_forces(const Robot& robot, std::string_view text, const std::string& origin);

}  // namespace jounce
