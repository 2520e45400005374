// SPDX-License-Identifier: BSD-3-Clause
// A link or frame of a robot as users have it: its number, or its name where speed does not matter.
#pragma once

#include <jounce/model/robot.hpp>
#include <string>
#include <string_view>

namespace jounce {

/// For the length of a call.
class FrameArg {
 public:
  FrameArg(FrameId id) : id_(id) {}                                 // NOLINT: an argument type
  FrameArg(std::string_view name) : name_(name), named_(true) {}    // NOLINT
  FrameArg(const char* name) : FrameArg(std::string_view(name)) {}  // NOLINT
  FrameArg(const std::string& name) : FrameArg(std::string_view(name)) {}  // NOLINT

  /// InputError with the nearest name where the robot has none of this name.
  FrameId of(const Robot& robot) const { return named_ ? robot.frame(name_) : id_; }

 private:
  FrameId id_{};
  std::string_view name_;
  bool named_ = false;
};

}  // namespace jounce
