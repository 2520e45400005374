// SPDX-License-Identifier: BSD-3-Clause
// States and results of `jounce compute` as tables, lines and arrays, beside its JSON.
#pragma once

#include <string>
#include <vector>

#include "apps/jounce/compute/table.hpp"

namespace jounce::app {

/// The words of --format.
inline const std::vector<std::string> format_names = {"json", "jsonl", "csv", "npz", "text"};

/// By the name of a file, "json" where it says nothing.
std::string format_of(const std::string& path);

/// {"states": [...]} of what was given as CSV (columns t, q.JOINT, v.JOINT, ...), NPZ (arrays t, q,
/// v, ...) or JSON lines, each state on the line that it was on; JSON as it is. Columns of a record
/// that the quantity does not read are passed over; InputError for one that is no joint's.
std::string states_json(const Quantity& quantity, const Robot& robot, const std::string& text,
                        const std::string& origin);

/// Results in a format other than JSON. InputError where CSV or NPZ cannot hold them.
std::string written_results(const std::string& format, const Quantity& quantity, const Robot& robot,
                            const Json& results);

}  // namespace jounce::app
