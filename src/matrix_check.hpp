// SPDX-License-Identifier: BSD-3-Clause
// Matrices that a user gives, refused by name where their sizes or numbers are wrong.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <string>

namespace jounce {

void check_matrix(const std::string& caller, const std::string& name, const dense::Matrix& X,
                  int rows, int columns);
/// Square, symmetric and positive (semi)definite, to 1e-12 of the largest entry.
void check_semidefinite(const std::string& caller, const std::string& name, const dense::Matrix& X,
                        int size);
void check_definite(const std::string& caller, const std::string& name, const dense::Matrix& X,
                    int size);

}  // namespace jounce
