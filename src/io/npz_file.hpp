// SPDX-License-Identifier: BSD-3-Clause
// Archives of arrays in NumPy's NPY format, version 1.0: what numpy.savez writes.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/zip_file.hpp"

namespace jounce::io {

/// Bytes that begin as an archive does.
bool is_zip(std::string_view bytes);

/// An array of doubles, row by row, of a shape "201, 7" or "201,".
std::string npy_numbers(const std::string& shape, std::span<const double> x);
/// Strings.
std::string npy_names(const std::vector<std::string>& names);

/// An array of an archive, read.
struct NpyArray {
  std::string kind;  ///< "<f8"
  bool by_columns = false;
  std::vector<std::size_t> shape;
  std::string_view data;

  std::size_t size() const {
    std::size_t count = 1;
    for (const std::size_t n : shape) count *= n;
    return count;
  }
  double number(std::size_t k) const {
    double x = 0;
    std::memcpy(&x, data.data() + 8 * k, 8);
    return x;
  }
  /// Of two dimensions.
  double at(std::size_t row, std::size_t column) const {
    return number(by_columns ? row + shape[0] * column : shape[1] * row + column);
  }
};

class NpzArchive {
 public:
  NpzArchive(std::string_view bytes, const std::string& origin);

  /// The names of its arrays.
  std::vector<std::string> names() const;
  bool has(const std::string& name) const { return find(name) != nullptr; }
  /// Doubles, with so many columns; 0: one dimension. InputError for anything else.
  NpyArray numbers(const std::string& name, std::size_t columns) const;
  /// Names, where there are any, must be these.
  void check_names(const std::string& name, const std::vector<std::string>& needed) const;

 private:
  const ZipEntry* find(const std::string& name) const;

  std::string origin_;
  std::vector<ZipEntry> entries_;
};

}  // namespace jounce::io
