// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jounce/interrupt.hpp"

namespace jounce::app {
namespace {

constexpr int caught_signals[2] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t last_signal = 0;  // a handler can reach nothing else

extern "C" void remember_signal(int number) { last_signal = number; }

}  // namespace

Interrupt::Interrupt() {
  last_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int k = 0; k < 2; ++k) sigaction(caught_signals[k], &action, &before_[k]);
}
Interrupt::~Interrupt() {
  for (int k = 0; k < 2; ++k) sigaction(caught_signals[k], &before_[k], nullptr);
}
int Interrupt::signal() const { return last_signal; }

}  // namespace jounce::app
