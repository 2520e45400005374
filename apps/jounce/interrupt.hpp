// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C as a question that a long computation asks between its steps.
#pragma once

#include <csignal>

namespace jounce::app {

/// While one of these lives, the first SIGINT or SIGTERM is remembered; a second one ends the
/// program as ever.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The number of the signal that came, or 0.
  int signal() const;
  /// What a shell expects of a program that a signal ended.
  int exit_status() const { return 128 + signal(); }

 private:
  struct sigaction before_[2];
};

}  // namespace jounce::app
