// SPDX-License-Identifier: BSD-3-Clause
// A progress bar for long commands, drawn only on terminals.
#include "report/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "report/text.hpp"

namespace jounce::report {
namespace {

constexpr double drawing_period = 0.1;     // seconds between two drawings
constexpr std::size_t bar_columns = 24;    // columns of the bar
constexpr std::size_t times_columns = 36;  // columns after the bar, at most
constexpr std::string_view clear_line = "\r\x1b[K";

std::string two_digits(long long value) { return (value < 10 ? "0" : "") + std::to_string(value); }

// 1:05 or 2:01:05.
std::string clock_text(double seconds) {
  const auto whole = std::llround(std::clamp(seconds, 0.0, 3.5e6));
  const std::string tail = ":" + two_digits(whole % 60);
  if (whole < 3600) return std::to_string(whole / 60) + tail;
  return std::to_string(whole / 3600) + ":" + two_digits(whole / 60 % 60) + tail;
}

std::string bar(double share) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(bar_columns));
  return repeat("━", full) + repeat("─", bar_columns - full);
}

std::size_t window_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

double steady_seconds() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

}  // namespace

Terminal standard_error() {
  const char* kind = std::getenv("TERM");
  const bool capable = kind != nullptr && std::string_view(kind) != "dumb";
  const bool interactive = capable && isatty(STDERR_FILENO) == 1;
  return {std::cerr, interactive, interactive ? window_columns() : 80, steady_seconds};
}

Progress::Progress(std::string_view label, std::size_t total, Terminal terminal)
    : label_(one_line(label)), total_(total), terminal_(std::move(terminal)) {
  if (!terminal_.interactive) return;
  start_ = terminal_.now();
  last_ = start_;
}

Progress::~Progress() {
  try {
    finish();
  } catch (...) {  // a stream that throws must not end the program
  }
}

void Progress::advance(std::size_t steps) {
  done_ += std::min(steps, total_ - done_);
  if (!terminal_.interactive || finished_) return;
  const double now = terminal_.now();
  if (now - last_ >= drawing_period) draw(now);
}

void Progress::finish() {
  if (drawn_ && !finished_) terminal_.stream << clear_line << std::flush;
  finished_ = true;
}

// label ━━━━━────  42 %  0:07, 0:10 left
std::string Progress::line(double elapsed) const {
  const double share = total_ == 0 ? 1 : static_cast<double>(done_) / static_cast<double>(total_);
  const std::string percent = std::to_string(static_cast<int>(share * 100));
  std::string tail = std::string(3 - percent.size(), ' ') + percent + " %  " + clock_text(elapsed);
  if (done_ > 0) tail += ", " + clock_text(elapsed * (1 - share) / share) + " left";
  const std::size_t room = terminal_.columns > bar_columns + times_columns
                               ? terminal_.columns - bar_columns - times_columns
                               : 0;
  std::string text = label_;
  if (columns(text) > room && room > 0) text = std::string(first_columns(text, room - 1)) + "…";
  if (room > 0) tail = text + (text.empty() ? "" : " ") + bar(share) + " " + tail;
  return std::string(first_columns(tail, terminal_.columns > 0 ? terminal_.columns - 1 : 0));
}

void Progress::draw(double now) {
  terminal_.stream << clear_line << line(now - start_) << std::flush;
  last_ = now;
  drawn_ = true;
}

}  // namespace jounce::report
