// SPDX-License-Identifier: BSD-3-Clause
// The instruction set a translation unit is compiled for, as a value that templates can carry.
//
// The linker keeps one copy of equal template names. Were the same name built once with AVX-512 and
// once without, an old machine could end up running the AVX-512 copy. Pack carries the instruction
// set in its type, so every function that works on packs has a different name in every build.
#pragma once

namespace jounce {

enum class Isa : unsigned char { baseline, avx2, avx512 };

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr Isa native_isa = Isa::avx512;
#elif defined(__AVX2__) && defined(__FMA__)
inline constexpr Isa native_isa = Isa::avx2;
#else
inline constexpr Isa native_isa = Isa::baseline;
#endif

/// Bytes of the widest register worth using. Vector types wider than a register are very slow.
constexpr int register_bytes(Isa isa) {
  return isa == Isa::avx512 ? 64 : isa == Isa::avx2 ? 32 : 16;
}

constexpr const char* name(Isa isa) {
  return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : "baseline";
}

}  // namespace jounce
