// SPDX-License-Identifier: BSD-3-Clause
// The members of a JSON object as they are written: on one line or one per line.
//
// Numbers are written shortest, so that they read back to the same bits. One that is not finite is
// an InputError that names it.
#pragma once

#include <jounce/group/se3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jounce::io {

class JsonFields {
 public:
  /// `who` starts the messages: joint "j4".
  explicit JsonFields(std::string who) : who_(std::move(who)) {}

  /// A member whose value is JSON already.
  void add(std::string_view key, const std::string& json);
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, double value);
  /// Nothing is written for the default, which is compared by its bits.
  void number_unless(std::string_view key, double value, double otherwise);
  void numbers(std::string_view key, const std::vector<double>& values);
  /// Those that are not finite as strings "nan", "inf" and "-inf".
  void any_numbers(std::string_view key, std::span<const double> values);
  void numbers_unless_zero(std::string_view key, const std::vector<double>& values);
  void vectors(std::string_view key, const std::vector<Vec3<double>>& values);
  void vec3_unless(std::string_view key, const Vec3<double>& value, const Vec3<double>& otherwise);
  /// A single number as such, several as a list, none as nothing; `unlimited` is null.
  void list(std::string_view key, const std::vector<double>& values, double unlimited);
  void list(std::string_view key, const std::vector<double>& values);
  void placement(std::string_view key, const SE3<double>& T);
  /// A list with one entry of JSON per line; nothing where there are none.
  void lines(std::string_view key, const std::vector<std::string>& entries, int indent);

  std::string on_one_line() const;
  std::string on_lines(int indent) const;

 private:
  std::string checked(std::string_view key, double value) const;
  std::string bracketed(std::string_view key, const std::vector<double>& values) const;

  std::string who_;
  std::vector<std::string> members_;
};

/// A number, or a list of them, that need not be finite: then a string.
std::string any_number(double value);
std::string any_numbers(std::span<const double> values);

/// A JSON string with its quotes.
std::string json_string(std::string_view text);

}  // namespace jounce::io
