// SPDX-License-Identifier: BSD-3-Clause
// Numbers from text and to text, the same in every locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jounce::io {

enum class NumberFault { none, not_a_number, not_finite, out_of_range };

struct NumberText {
  double value = 0;
  NumberFault fault = NumberFault::none;
};

/// Decimal numbers only; the whole text must be one number.
NumberText parse_number(std::string_view text);

/// Whether the text is a number and zero.
bool is_zero_text(std::string_view text);

/// What is wrong with `text`: "1,5" is not a number.
std::string describe(NumberFault fault, std::string_view text);

/// The shortest text that reads back to the same bits; "-0.0" keeps its sign in JSON too.
std::string number_text(double x);

/// Any double from what number_text writes, "nan" and "-inf" among them; nothing otherwise.
std::optional<double> parse_any_number(std::string_view text);

}  // namespace jounce::io
