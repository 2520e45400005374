// SPDX-License-Identifier: BSD-3-Clause
// Results as tables, lines, arrays, and for a person.
#include <algorithm>
#include <functional>
#include <jounce/move.hpp>

#include "apps/jounce/compute/formats.hpp"
#include "io/csv_text.hpp"
#include "io/npz_file.hpp"
#include "io/number_text.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

/// A number of a result, with the name of its column.
struct Cell {
  std::string name;
  double value;
};

/// Names for the entries of a list: joints where it has one number for each coordinate.
std::vector<std::string> entry_names(const Robot& robot, const std::string& key, std::size_t size) {
  if (key == "q" && size == std::size_t(robot.nq())) return position_names(robot);
  if (size == std::size_t(robot.nv())) return velocity_names(robot);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < size; ++k) names.push_back(std::to_string(k));
  return names;
}

/// The numbers of a value and of all below it.
void add_cells(const Robot& robot, const std::string& name, const std::string& key,
               const Json& value, std::vector<Cell>& cells) {
  if (value.is_number()) return cells.push_back({name, value.get<double>()});
  if (value.is_boolean()) return cells.push_back({name, value.get<bool>() ? 1.0 : 0.0});
  if (value.is_string()) return;  // the name of a frame
  if (value.is_object()) {
    for (const auto& [inner, entry] : value.items()) {
      std::string whole = name.empty() ? "" : name + ".";
      whole += inner;
      add_cells(robot, whole, inner, entry, cells);
    }
    return;
  }
  if (!value.is_array())
    throw InputError("--format csv: " + io::in_quotes(name) + " is no number; json holds it");
  const bool vector = !value.empty() && value[0].is_number();
  const std::vector<std::string> names =
      vector ? entry_names(robot, key, value.size()) : entry_names(robot, "", 0);
  for (std::size_t k = 0; k < value.size(); ++k)
    add_cells(robot, name + "." + (vector ? names[k] : std::to_string(k)), "", value[k], cells);
}

std::string csv_text(const Robot& robot, const Json& results) {
  std::string out;
  std::size_t width = 0;
  for (std::size_t row = 0; row < results.size(); ++row) {
    std::vector<Cell> cells;
    add_cells(robot, "", "", results[row], cells);
    if (row == 0) {
      width = cells.size();
      for (const Cell& cell : cells) out += (out.empty() ? "" : ",") + io::csv_name(cell.name);
      out += '\n';
    }
    if (cells.size() != width)
      throw InputError("--format csv: result " + std::to_string(row) + " has " +
                       std::to_string(cells.size()) + " numbers, the first has " +
                       std::to_string(width) + "; json holds it");
    for (std::size_t k = 0; k < cells.size(); ++k)
      out += (k > 0 ? "," : "") + io::number_text(cells[k].value);
    out += '\n';
  }
  return out;
}

/// The shape of lists of lists of numbers; false where it is none.
bool shape_of(const Json& value, std::vector<std::size_t>& shape) {
  if (value.is_number()) return true;
  if (!value.is_array()) return false;
  shape.push_back(value.size());
  return value.empty() || shape_of(value[0], shape);
}
void add_numbers(const Json& value, std::vector<double>& numbers) {
  if (value.is_number()) numbers.push_back(value.get<double>());
  else
    for (const Json& entry : value) add_numbers(entry, numbers);
}

std::string npz_text(const Robot& robot, const Json& results) {
  std::vector<io::ZipEntry> entries;
  if (results.empty()) throw InputError("--format npz: there is no state");
  for (const auto& [key, first] : results[0].items()) {
    std::vector<std::size_t> shape;
    if (!shape_of(first, shape)) continue;  // names
    std::vector<double> numbers;
    std::size_t size = results.size();
    std::string text = std::to_string(size) + ",";
    for (const std::size_t n : shape) text += std::to_string(n) + ",", size *= n;
    for (const Json& result : results) add_numbers(result.at(key), numbers);
    if (numbers.size() != size)
      throw InputError("--format npz: " + io::in_quotes(key) +
                       " has not the same shape in all results; jsonl holds it");
    entries.push_back({key + ".npy", io::npy_numbers(text, numbers)});
  }
  entries.push_back({"q_names.npy", io::npy_names(position_names(robot))});
  entries.push_back({"v_names.npy", io::npy_names(velocity_names(robot))});
  return io::write_zip(entries);
}

// ---- for a person ------------------------------------------------------------------------------

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = report::columns(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}
std::string number_cell(const Json& value) {
  return value.is_number() ? padded(report::significant(value.get<double>(), 6), 13)
                           : padded(value.dump(), 13);
}

/// A row of numbers on one line, behind the name of its row.
std::string row_text(const std::string& name, const Json& row, std::size_t width) {
  std::string text = "  " + name + std::string(width - report::columns(name), ' ');
  for (const Json& entry : row) text += number_cell(entry);
  return text + "\n";
}

std::string value_text(const Robot& robot, const std::string& key, const Json& value) {
  if (!value.is_array()) {
    if (!value.is_object())
      return key + "  " + (value.is_number_float() ? number_cell(value) : value.dump()) + "\n";
    std::string text = key + "\n";
    for (const auto& [inner, entry] : value.items()) text += "  " + value_text(robot, inner, entry);
    return text;
  }
  const std::vector<std::string> names = entry_names(robot, key, value.size());
  std::size_t width = 2;
  for (const std::string& name : names) width = std::max(width, report::columns(name));
  std::string text = key + "\n";
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (value[k].is_array() && !value[k].empty() && value[k][0].is_array())
      text += value_text(robot, key + "[" + std::to_string(k) + "]", value[k]);
    else
      text += row_text(names[k], value[k].is_array() ? value[k] : Json::array({value[k]}), width);
  }
  return text;
}

std::string person_text(const Robot& robot, const Json& results) {
  std::string text;
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results.size() > 1) text += "state " + std::to_string(k) + "\n";
    for (const auto& [key, value] : results[k].items()) text += value_text(robot, key, value);
  }
  return text;
}

}  // namespace

std::string format_of(const std::string& path) {
  for (const std::string& name : format_names)
    if (name != "text" && path.ends_with("." + name)) return name;
  return "json";
}

std::string written_results(const std::string& format, const Quantity& quantity, const Robot& robot,
                            const Json& results) {
  require_finite(results, quantity.name);
  if (format == "csv") return csv_text(robot, results);
  if (format == "npz") return npz_text(robot, results);
  if (format == "text") return person_text(robot, results);
  std::string lines;
  for (const Json& result : results) lines += result.dump() + "\n";
  return lines;
}

}  // namespace jounce::app
