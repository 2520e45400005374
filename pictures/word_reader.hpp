// SPDX-License-Identifier: BSD-3-Clause
// Words and numbers of a text, one after the other.
#pragma once

#include <charconv>
#include <cmath>
#include <jounce/group/vec3.hpp>
#include <string_view>

namespace jounce::pictures {

class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  std::string_view next() {
    const size_t first = rest_.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return rest_ = {};
    rest_.remove_prefix(first);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r\n"));
    rest_.remove_prefix(word.size());
    return word;
  }
  /// NaN where it is none.
  double number() {
    const std::string_view word = next();
    double x = 0;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), x);
    return end.ec == std::errc() ? x : std::nan("");
  }
  Vec3<double> point() {
    const double x = number(), y = number();
    return {x, y, number()};
  }
  bool done() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

 private:
  std::string_view rest_;
};

}  // namespace jounce::pictures
