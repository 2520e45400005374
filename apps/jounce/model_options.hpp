// SPDX-License-Identifier: BSD-3-Clause
// The robot that a subcommand works on, from its command line.
#pragma once

#include <jounce/io.hpp>
#include <jounce/model/robot.hpp>

#include "apps/jounce/json_output.hpp"

namespace CLI {
class App;
}

namespace jounce::app {

struct ModelOptions {
  std::string model;
  std::string base;     ///< fixed, floating, or empty: as the model says
  std::string gravity;  ///< X,Y,Z
  std::string mimic = "couple";
  std::string inertia = "warn";  ///< warn, strict, repair
  std::vector<std::string> packages;
  bool strict = false;  ///< warnings, and what is unknown and would be ignored, are refused
  bool quiet = false;   ///< nothing is told on standard error
  bool xacro = false;   ///< xacro is run through its tool
  std::size_t places = ReadOptions().places;  ///< kept of each finding
};

void add_model_options(CLI::App& command, ModelOptions& options);

/// "1,2.5,-3" of an option, so many numbers; InputError says what is needed.
std::vector<double> parse_numbers(const std::string& option, const std::string& text, int count,
                                  const std::string& needed);

/// What the options say to a reader; InputError where they exclude each other.
ReadOptions read_options(const ModelOptions& options);

/// A robot with what was noticed in its file.
struct ModelAndReport {
  Robot robot;
  std::vector<Finding> findings;
};
ModelAndReport load_model(const ModelOptions& options);
/// The robot of a file that was read, on the base and under the gravity that the options say.
ModelAndReport make_model(const ModelOptions& options, Loaded loaded);

/// Warnings, what is unknown, and (where `open` says that a computation leaves them) loops that are
/// left open, each in a line on standard error, unless the options are quiet.
void tell_findings(const ModelOptions& options, const ModelAndReport& loaded, bool open);

/// Findings as [{"level", "kind", "what", "count", "places": [{"line", "column", "what"}]}].
Json findings_json(std::span<const Finding> findings);

/// [{"name", "q": [first, count], "v": [first, count]}]: joints that have coordinates of their own.
Json joint_list(const Robot& robot);

}  // namespace jounce::app
