// SPDX-License-Identifier: BSD-3-Clause
// The bundled robots and the files of models/ that are compiled into the library.
#pragma once

#include <jounce/io.hpp>
#include <span>
#include <string_view>

namespace jounce::io {

struct EmbeddedFile {
  std::string_view name, text;
};

/// Every .urdf and .json of models/, written by cmake/embed_models.cmake.
std::span<const EmbeddedFile> embedded_files();

/// The text of a file of models/, or an empty one.
std::string_view embedded_text(std::string_view name);

/// One of builtin_robots(); fails with the nearest names.
Loaded read_builtin(const std::string& name, const ReadOptions& options);

}  // namespace jounce::io
