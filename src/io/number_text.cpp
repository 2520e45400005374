// SPDX-License-Identifier: BSD-3-Clause
// Numbers from text and to text by std::from_chars and std::to_chars.
#include "io/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "io/source_text.hpp"

namespace jounce::io {

NumberText parse_number(std::string_view text) {
  std::string_view body = text;
  if (body.starts_with('+')) {
    body.remove_prefix(1);
    if (body.starts_with('-')) return {0, NumberFault::not_a_number};
  }
  double value = 0;
  const char* const end = body.data() + body.size();
  const auto [stop, error] = std::from_chars(body.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return {0, NumberFault::not_a_number};
  if (error == std::errc::result_out_of_range) return {0, NumberFault::out_of_range};
  if (!std::isfinite(value)) return {0, NumberFault::not_finite};
  return {value, NumberFault::none};
}

std::optional<double> parse_any_number(std::string_view text) {
  const NumberText number = parse_number(text);
  if (number.fault == NumberFault::none) return number.value;
  if (number.fault != NumberFault::not_finite) return std::nullopt;
  const double sign = text.starts_with('-') ? -1 : 1;
  const bool is_nan = text.find_first_of("aA") != std::string_view::npos;
  return std::copysign(is_nan ? NAN : INFINITY, sign);
}

bool is_zero_text(std::string_view text) {
  const NumberText number = parse_number(text);
  return number.fault == NumberFault::none && number.value == 0;
}

std::string describe(NumberFault fault, std::string_view text) {
  switch (fault) {
    case NumberFault::not_finite:
      return in_quotes(text) + " is not a finite number";
    case NumberFault::out_of_range:
      return in_quotes(text) + " is outside the range of double";
    default:
      return in_quotes(text) + " is not a number";
  }
}

std::string number_text(double x) {
  if (x == 0 && std::signbit(x)) return "-0.0";
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x);
  return {buffer.data(), result.ptr};
}

}  // namespace jounce::io
