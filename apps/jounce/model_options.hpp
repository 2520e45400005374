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
  std::vector<std::string> packages;
  bool strict = false;  ///< entries that would be ignored are refused
};

void add_model_options(CLI::App& command, ModelOptions& options);

struct ModelAndReport {
  Robot robot;
  std::vector<Ignored> ignored;
};
ModelAndReport load_model(const ModelOptions& options);

/// What a computation leaves out without a word in its result, each in a line on standard error:
/// entries of the file that were ignored, loops that are left open.
void tell_what_is_left_out(const std::string& model, const ModelAndReport& loaded);

/// [{"name", "q": [first, count], "v": [first, count]}]: joints that have coordinates of their own.
Json joint_list(const Robot& robot);

}  // namespace jounce::app
