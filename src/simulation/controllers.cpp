// SPDX-License-Identifier: BSD-3-Clause
// Samples, holds and delays.
//
// What an input of m numbers holds in the state: when it was first sampled, how many samples were
// taken, how many are under way; what acts (m); the last sample (m); and those under way, each its
// time of arrival and m numbers. Times of samples are first + k * sample, not sums of steps.
#include <algorithm>
#include <cmath>

#include "io/number_text.hpp"
#include "quotes.hpp"
#include "simulation/inputs.hpp"

namespace jounce {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The part of what is held that is one input's.
template <class Number>
struct HeldInput {
  HeldInput(std::span<Number> all, size_t first, size_t m_) : begin(all.data() + first), m(m_) {}

  Number& first() const { return begin[0]; }
  Number& taken() const { return begin[1]; }
  Number& under_way() const { return begin[2]; }
  Number* acts() const { return begin + held_head; }
  Number* last() const { return acts() + m; }
  Number* arrival(size_t k) const { return last() + m + k * (1 + m); }

  double next_sample(double sample) const { return first() + taken() * sample; }
  void push(double time) const {
    double* entry = arrival(size_t(under_way()));
    entry[0] = time;
    std::copy_n(last(), m, entry + 1);
    under_way() += 1;
  }
  void pop() const {
    std::copy_n(arrival(0) + 1, m, acts());
    under_way() -= 1;
    std::copy(arrival(1), arrival(1 + size_t(under_way())), arrival(0));
  }

  Number* begin;
  size_t m;
};
size_t held_numbers(size_t m, size_t queue) { return held_head + 2 * m + queue * (1 + m); }

/// Times that are the same but for rounding.
bool due(double time, double t) { return time <= t + 4e-16 * std::abs(t); }

void require_time(const std::string& who, const char* what, double x) {
  if (!(x >= 0) || !std::isfinite(x))
    throw InputError(who + ": " + what + " is " + io::number_text(x) + ", needs a time in s");
}

}  // namespace

std::string Inputs::label(const Input& one) const {
  if (!one.options.name.empty()) return in_quotes(one.options.name);
  const std::string number = std::to_string(1 + (&one - inputs_.data()));
  if (one.kind == Kind::forces) return "controller " + number;
  const FrameInfo& frame = robot_.frame_info(wrenches_[one.wrench].frame);
  return (one.kind == Kind::wrench ? "wrench on " : "propellers of ") + in_quotes(frame.name);
}

void Inputs::add(const std::string& who, Input input) {
  const FeedbackOptions& x = input.options;
  require_time(who, "sample", x.sample);
  require_time(who, "delay", x.delay);
  if (!(x.rate_limit > 0))
    throw InputError(who + ": rate_limit is " + io::number_text(x.rate_limit) +
                     ", needs a change per s above 0");
  if (x.sample == 0 && (x.delay > 0 || x.rate_limit < unlimited))
    throw InputError(who + ": " + (x.delay > 0 ? "delay" : "rate_limit") +
                     " needs a sample time, and sample is 0");
  if (input.sampled()) {
    input.held = held_size_;
    input.queue = size_t(std::ceil(x.delay / x.sample)) + 1;
    held_size_ += held_numbers(input.numbers, input.queue);
  }
  continuous_ = continuous_ || !input.sampled();
  if (numbers_.size() < input.numbers) numbers_.resize(input.numbers);
  inputs_.push_back(std::move(input));
}
void Inputs::add_controller(Feedback law, FeedbackOptions options) {
  add("controller", {Kind::forces, size_t(robot_.nv()), std::move(law), std::move(options)});
}
void Inputs::add_wrench(FrameId frame, Feedback law, Representation in, FeedbackOptions options) {
  const size_t place = wrenches_.size();
  add("wrench", {Kind::wrench, 6, std::move(law), std::move(options), {}, place});
  wrenches_.push_back({frame, {}, in});
}
void Inputs::add_propellers(FrameId frame, const Propellers& propellers, Feedback speeds,
                            FeedbackOptions options) {
  const size_t place = wrenches_.size();
  add("propellers", {Kind::propellers, size_t(propellers.count()), std::move(speeds),
                     std::move(options), propellers, place});
  wrenches_.push_back({frame, {}, Representation::body});
}

void Inputs::ask(const Input& one, double t, Feedback::Numbers q, Feedback::Numbers v,
                 std::span<double> to) const {
  const auto when = [&] { return label(one) + ": at t = " + io::number_text(t) + " "; };
  const size_t found = one.law(t, q, v, to);
  if (found != to.size())
    throw InputError(
        when() + "it gave " + std::to_string(found) + " numbers, " +
        (one.kind == Kind::forces ? "robot " + in_quotes(robot_.name()) + " needs " : "needs ") +
        std::to_string(to.size()));
  for (size_t k = 0; k < to.size(); ++k) {
    if (std::isfinite(to[k])) continue;
    std::string what = "number " + std::to_string(k);
    if (one.kind == Kind::forces)
      for (const JointInfo& joint : robot_.joints())
        if (!joint.mimic && int(k) >= joint.v && int(k) < joint.v + joint.nv)
          what = "the force on joint " + in_quotes(joint.name);
    throw InputError(when() + what + " is " + io::number_text(to[k]));
  }
}

bool Inputs::sample(SimulationState& x) {
  const size_t before = x.held.size();
  if (before > held_size_)
    throw InputError("simulate: the state holds samples of other controllers than this simulation");
  x.held.resize(held_size_);
  bool changed = false;
  for (const Input& one : inputs_) {
    if (!one.sampled()) continue;
    if (one.held >= before) x.held[one.held] = x.t;  // it begins here
    changed = sample(one, x) || changed;
  }
  return changed;
}
bool Inputs::sample(const Input& one, SimulationState& x) {
  const HeldInput<double> held(x.held, one.held, one.numbers);
  const double T = one.options.sample, samples = one.options.delay / T;
  const bool whole = std::abs(samples - std::round(samples)) < 1e-9;
  if (due(held.next_sample(T), x.t)) {
    ask(one, x.t, x.q, x.v, {numbers_.data(), one.numbers});
    const double most = held.taken() > 0 ? one.options.rate_limit * T : unlimited;
    for (size_t k = 0; k < one.numbers; ++k)
      held.last()[k] = std::clamp(numbers_[k], held.last()[k] - most, held.last()[k] + most);
    held.push(whole ? held.first() + (held.taken() + std::round(samples)) * T
                    : held.next_sample(T) + one.options.delay);
    while (due(held.next_sample(T), x.t)) held.taken() += 1;
  }
  bool changed = false;
  while (held.under_way() > 0 && due(held.arrival(0)[0], x.t)) {
    held.pop();
    changed = true;
  }
  return changed;
}
double Inputs::next_break() const {
  double next = unlimited;
  for (const Input& one : inputs_) {
    if (!one.sampled()) continue;
    const HeldInput<const double> held(held_, one.held, one.numbers);
    next = std::min(next, held.next_sample(one.options.sample));
    if (held.under_way() > 0) next = std::min(next, held.arrival(0)[0]);
  }
  return next;
}

}  // namespace jounce
