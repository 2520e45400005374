// SPDX-License-Identifier: BSD-3-Clause
// What acts on a robot from time and state, sampled or always: forces of controllers, wrenches from
// outside, propellers, the compliant ground.
#pragma once

#include <jounce/kinematics.hpp>
#include <jounce/simulation.hpp>
#include <optional>

namespace jounce {

constexpr size_t held_head = 3;  ///< numbers of an input that is sampled before those that act

class Inputs {
 public:
  explicit Inputs(Robot robot) : robot_(std::move(robot)) {}

  void add_controller(Feedback law, FeedbackOptions options);
  void add_wrench(FrameId frame, Feedback law, Representation in, FeedbackOptions options);
  void add_propellers(FrameId frame, const Propellers& propellers, Feedback speeds,
                      FeedbackOptions options);
  void add_ground_point(FrameId frame, const CompliantGround& ground);

  bool any() const { return !inputs_.empty(); }
  /// Whether any is evaluated in all stages, so that forces depend on state.
  bool continuous() const { return continuous_; }
  bool has_wrenches() const { return !wrenches_.empty(); }

  /// Takes the samples that are due at the state's time. True where any came to act.
  bool sample(SimulationState& x);
  /// What is held from now on: the state's own.
  void hold(std::span<const double> held) { held_ = held; }
  /// The next sample, or arrival of one.
  double next_break() const;

  /// Adds forces to tau and finds the wrenches.
  void evaluate(double t, const double* q, const double* v, double* tau);
  std::span<const OutsideWrench<double>> wrenches() const { return wrenches_; }
  /// The power of the wrenches that were found last.
  double power(const double* q, const double* v);

  struct GroundPoint {
    FrameId frame;
    CompliantGround ground;
    size_t wrench;  ///< its place among the wrenches
  };
  /// Frames that the compliant ground may carry.
  std::span<const GroundPoint> ground_points() const { return points_; }

 private:
  enum class Kind : unsigned char { forces, wrench, propellers };
  struct Input {
    Kind kind;
    size_t numbers;
    Feedback law;
    FeedbackOptions options;
    std::optional<Propellers> propellers{};
    size_t wrench = 0;  ///< its place among the wrenches
    size_t held = 0;    ///< where its part of what is held begins
    size_t queue = 0;   ///< how many samples may be under way

    bool sampled() const { return options.sample > 0; }
  };
  /// After its options were checked; `who` is for messages.
  void add(const std::string& who, Input input);
  void ask(const Input& one, double t, Feedback::Numbers q, Feedback::Numbers v,
           std::span<double> to) const;
  std::string label(const Input& one) const;
  void act(const Input& one, std::span<const double> numbers, double* tau);
  bool sample(const Input& one, SimulationState& x);
  Feedback::Numbers at(const double* q) const { return {q, size_t(robot_.nq())}; }
  Feedback::Numbers vector(const double* v) const { return {v, size_t(robot_.nv())}; }
  Kinematics& kinematics();

  Robot robot_;
  std::vector<Input> inputs_;
  std::vector<GroundPoint> points_;
  std::vector<OutsideWrench<double>> wrenches_;
  std::optional<Kinematics> kinematics_;
  std::vector<double> numbers_;  ///< scratch
  std::span<const double> held_;
  size_t held_size_ = 0;
  bool continuous_ = false;
};

}  // namespace jounce
