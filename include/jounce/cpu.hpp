// SPDX-License-Identifier: BSD-3-Clause
// Which instruction set this processor runs, found out at run time.
#pragma once

#include <jounce/scalar/isa.hpp>

namespace jounce {

/// The best instruction set that both this processor and this build of the library have.
/// The environment variable JOUNCE_ISA (baseline, avx2, avx512) asks for a lower one; InputError,
/// here and in what needs kernels, where it names anything else.
Isa best_isa();

/// The library's version, for example "0.1.0".
const char* version();

}  // namespace jounce
