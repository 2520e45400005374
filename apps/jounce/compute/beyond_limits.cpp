// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jounce/compute/beyond_limits.hpp"

#include "io/number_text.hpp"

namespace jounce::app {

void BeyondLimits::look(JsonObject& state) {
  if (state.find("q") == nullptr) return;
  const std::vector<double> q = state.numbers("q");
  const Limits& limits = robot_.limits();
  for (const JointInfo& joint : robot_.joints()) {
    if (joint.mimic || joint.nq != 1 || joint.nv != 1) continue;
    const double value = q[size_t(joint.q)];
    const double lower = limits.lower[size_t(joint.v)], upper = limits.upper[size_t(joint.v)];
    if (value >= lower && value <= upper) continue;
    if (states_++ == 0)
      first_ = state.who() + ": q of joint " + io::in_quotes(joint.name) + " is " +
               io::number_text(value) + ", its limits are " + io::number_text(lower) + " and " +
               io::number_text(upper);
    return;
  }
}

std::string BeyondLimits::told() const {
  if (states_ < 2) return first_;
  const std::string more = std::to_string(states_ - 1);
  return first_ + "; " + more + (states_ == 2 ? " more state is" : " more states are") +
         " beyond limits";
}

}  // namespace jounce::app
