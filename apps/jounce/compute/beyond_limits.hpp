// SPDX-License-Identifier: BSD-3-Clause
// States whose coordinates lie beyond the limits of their joints: computed, and told once.
#pragma once

#include <jounce/model/robot.hpp>
#include <string>

#include "apps/jounce/json_input.hpp"

namespace jounce::app {

class BeyondLimits {
 public:
  explicit BeyondLimits(const Robot& robot) : robot_(robot) {}

  void look(JsonObject& state);
  /// `inverse: q of joint "elbow" is 50, its limits are -6.28 and 6.28`, and of how many states
  /// more that can be said; empty where there is none.
  std::string told() const;

 private:
  Robot robot_;
  std::string first_;
  int states_ = 0;
};

}  // namespace jounce::app
