// SPDX-License-Identifier: BSD-3-Clause
// The instruction set a translation unit is compiled for: as a value that templates can carry, and
// as the name of the inline namespace that its inline functions live in.
//
// The linker keeps one copy of equal names. Were the same function built once with AVX-512 and once
// without, an old machine could end up running the AVX-512 copy. So inline functions and function
// templates live in `inline namespace JOUNCE_ISA`, innermost, and have a different name in every
// build; nobody writes it out. Types do not: they are the same in all builds, cross from one to
// another, and what kernels call of their few member functions is inlined, so that none is emitted
// (the test isa_symbols). Nor does what is compiled in the library alone. Pack carries the
// instruction set in its type.
#pragma once

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define JOUNCE_NATIVE_ISA avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define JOUNCE_NATIVE_ISA avx2
#else
#define JOUNCE_NATIVE_ISA baseline
#endif
#if !defined(JOUNCE_ISA)  // the library's kernels have names of their own, avx2_kernels, ...
#define JOUNCE_ISA JOUNCE_NATIVE_ISA
#endif

namespace jounce {

enum class Isa : unsigned char { baseline, avx2, avx512 };

inline namespace JOUNCE_ISA {

inline constexpr Isa native_isa = Isa::JOUNCE_NATIVE_ISA;

/// Bytes of the widest register worth using. Vector types wider than a register are very slow.
constexpr int register_bytes(Isa isa) {
  return isa == Isa::avx512 ? 64 : isa == Isa::avx2 ? 32 : 16;
}

constexpr const char* name(Isa isa) {
  return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : "baseline";
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
