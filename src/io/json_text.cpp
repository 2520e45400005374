// SPDX-License-Identifier: BSD-3-Clause
// Writes JSON members.
#include "io/json_text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <jounce/error.hpp>
#include <limits>

#include "io/number_text.hpp"
#include "io/source_text.hpp"

namespace jounce::io {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_bits(const Vec3<double>& a, const Vec3<double>& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string result;
  for (std::size_t k = 0; k < parts.size(); ++k) result += (k == 0 ? "" : separator) + parts[k];
  return result;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string any_number(double value) {
  return std::isfinite(value) ? number_text(value) : json_string(number_text(value));
}
std::string any_numbers(std::span<const double> values) {
  std::string list = "[";
  for (const double x : values) list += (list.size() == 1 ? "" : ", ") + any_number(x);
  return list + "]";
}

void JsonFields::add(std::string_view key, const std::string& json) {
  members_.push_back(json_string(key) + ": " + json);
}

void JsonFields::text(std::string_view key, std::string_view value) {
  if (has_control_character(value))
    throw InputError(who_ + ": " + std::string(key) + " " + in_quotes(value) +
                     " has a control character");
  add(key, json_string(value));
}

std::string JsonFields::checked(std::string_view key, double value) const {
  if (!std::isfinite(value))
    throw InputError(who_ + ": " + std::string(key) + " is not a finite number");
  return number_text(value);
}

void JsonFields::number(std::string_view key, double value) { add(key, checked(key, value)); }

void JsonFields::number_unless(std::string_view key, double value, double otherwise) {
  if (!same_bits(value, otherwise)) number(key, value);
}

std::string JsonFields::bracketed(std::string_view key, const std::vector<double>& values) const {
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const double value : values) parts.push_back(checked(key, value));
  return "[" + joined(parts, ", ") + "]";
}

void JsonFields::numbers(std::string_view key, const std::vector<double>& values) {
  add(key, bracketed(key, values));
}

void JsonFields::any_numbers(std::string_view key, std::span<const double> values) {
  add(key, io::any_numbers(values));
}

void JsonFields::numbers_unless_zero(std::string_view key, const std::vector<double>& values) {
  const auto is_zero = [](double value) { return same_bits(value, 0); };
  if (!std::all_of(values.begin(), values.end(), is_zero)) numbers(key, values);
}

void JsonFields::vectors(std::string_view key, const std::vector<Vec3<double>>& values) {
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const Vec3<double>& v : values) parts.push_back(bracketed(key, {v.x, v.y, v.z}));
  if (!parts.empty()) add(key, "[" + joined(parts, ", ") + "]");
}

void JsonFields::vec3_unless(std::string_view key, const Vec3<double>& value,
                             const Vec3<double>& otherwise) {
  if (!same_bits(value, otherwise)) numbers(key, {value.x, value.y, value.z});
}

void JsonFields::list(std::string_view key, const std::vector<double>& values, double unlimited) {
  std::vector<std::string> parts;
  parts.reserve(values.size());
  for (const double value : values)
    parts.push_back(same_bits(value, unlimited) ? "null" : checked(key, value));
  if (parts.size() == 1) add(key, parts[0]);
  if (parts.size() > 1) add(key, "[" + joined(parts, ", ") + "]");
}

void JsonFields::list(std::string_view key, const std::vector<double>& values) {
  list(key, values, std::numeric_limits<double>::quiet_NaN());
}

void JsonFields::placement(std::string_view key, const SE3<double>& T) {
  JsonFields fields(who_ + ": " + std::string(key));
  fields.vec3_unless("position", T.p, {});
  const auto& [a, b, c] = T.R.m.row;
  const auto one = Mat3<double>::identity();
  if (!same_bits(a, one.row[0]) || !same_bits(b, one.row[1]) || !same_bits(c, one.row[2]))
    fields.numbers("rotation", {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z});
  if (!fields.members_.empty()) add(key, fields.on_one_line());
}

void JsonFields::lines(std::string_view key, const std::vector<std::string>& entries, int indent) {
  if (entries.empty()) return;
  const std::string inner(std::size_t(indent) + 2, ' ');
  add(key, "[\n" + inner + joined(entries, ",\n" + inner) + "\n" +
               std::string(std::size_t(indent), ' ') + "]");
}

std::string JsonFields::on_one_line() const { return "{" + joined(members_, ", ") + "}"; }

std::string JsonFields::on_lines(int indent) const {
  const std::string inner(std::size_t(indent) + 2, ' ');
  return "{\n" + inner + joined(members_, ",\n" + inner) + "\n" +
         std::string(std::size_t(indent), ' ') + "}";
}

}  // namespace jounce::io
