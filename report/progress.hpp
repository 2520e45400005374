// SPDX-License-Identifier: BSD-3-Clause
// A progress bar for long commands, drawn only on terminals.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace jounce::report {

/// Where a progress bar is drawn.
struct Terminal {
  std::ostream& stream;
  bool interactive = false;          ///< false: nothing is ever written
  std::size_t columns = 80;          ///< no line is longer than this
  std::function<double()> now = {};  ///< seconds on a clock that never goes back
};

/// Standard error, interactive where it is a terminal, with the steady clock.
Terminal standard_error();

/// Redraws at most ten times a second, on calls only; the first line comes after a tenth of a
/// second, so short work stays silent. Not for use by several threads at once.
class Progress {
 public:
  Progress(std::string_view label, std::size_t total, Terminal terminal = standard_error());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Adds to the work done, which never exceeds the total.
  void advance(std::size_t steps = 1);

  /// Clears the line; later calls draw nothing.
  void finish();

 private:
  std::string line(double elapsed) const;
  void draw(double now);

  std::string label_;
  std::size_t total_;
  std::size_t done_ = 0;
  Terminal terminal_;
  double start_ = 0;
  double last_ = 0;  // time of the last drawing
  bool drawn_ = false;
  bool finished_ = false;
};

}  // namespace jounce::report
