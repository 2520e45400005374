// SPDX-License-Identifier: BSD-3-Clause
// Text for reports: escaping, clean UTF-8, widths in columns and numbers without a locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jounce::report {

/// Valid UTF-8 without control characters but newline and tab: carriage returns are dropped,
/// anything else that is not text becomes U+FFFD.
std::string clean(std::string_view text);

/// clean(), with newlines and tabs as single spaces.
std::string one_line(std::string_view text);
/// The same in double quotes.
std::string in_quotes(std::string_view text);

/// clean(), with & < > " ' as entities: safe as XML and HTML content or attribute.
std::string escape(std::string_view text);

/// Number of code points, which is the number of columns for scripts without wide characters.
std::size_t columns(std::string_view text);

/// The first count code points.
std::string_view first_columns(std::string_view text, std::size_t count);

/// The text repeated count times.
std::string repeat(std::string_view text, std::size_t count);

/// The value with at most this many decimals and no trailing zeros: 12.5, never -0.
std::string trimmed(double value, int decimals);

/// The value with exactly this many decimals: 12.50, never -0.
std::string fixed(double value, int decimals);

/// The value with this many significant digits: 1.25e-07.
std::string significant(double value, int digits);

/// The shortest text that reads back as the same value.
std::string shortest(double value);

/// The integer in superscript digits, for powers of ten.
std::string superscript(int value);

}  // namespace jounce::report
