// SPDX-License-Identifier: BSD-3-Clause
// Kernels on packs; this file is compiled once for every instruction set.
#include "benchmarks/pack_kernels.hpp"

#include <jounce/group/se3.hpp>
#include <jounce/scalar/pack.hpp>

namespace jounce::bench::inline JOUNCE_ISA {
namespace {

template <class P>
void sincos_all(int n, const typename P::Inner* x, typename P::Inner* s, typename P::Inner* c) {
  for (int k = 0; k < n; k += P::lanes) {
    const auto y = sincos(P::load(x + k));
    y.sin.store(s + k);
    y.cos.store(c + k);
  }
}

/// Lane k of input number j stands at x[8 j + k].
void exp_all(int n, const double* x, double* y) {
  using P = Pack<double, 8>;
  for (int k = 0; k < n; k += 8, x += 48, y += 96) {
    P in[6];
    for (int j = 0; j < 6; ++j) in[j] = P::load(x + 8 * j);
    const SE3<P> T = exp(Twist<P>{{in[0], in[1], in[2]}, {in[3], in[4], in[5]}});
    for (int i = 0; i < 3; ++i) {
      T.R.m.row[i].x.store(y + 24 * i);
      T.R.m.row[i].y.store(y + 24 * i + 8);
      T.R.m.row[i].z.store(y + 24 * i + 16);
    }
    T.p.x.store(y + 72);
    T.p.y.store(y + 80);
    T.p.z.store(y + 88);
  }
}

template <class T>
double peak(int rounds) {
  using P = Pack<T, register_bytes(native_isa) / int(sizeof(T))>;
  constexpr int chains = 10;  // enough to hide the latency of a multiply-add
  P x[chains];
  for (int k = 0; k < chains; ++k) x[k] = P(T(0.1) * T(k));
  const P a(T(0.999)), b(T(0.001));
  for (int round = 0; round < rounds; ++round)
    for (int k = 0; k < chains; ++k) x[k] = x[k] * a + b;
  for (P& chain : x) asm volatile("" : : "r"(&chain) : "memory");
  return 2.0 * chains * P::lanes * rounds;
}

}  // namespace

DynamicsTimes time_pack_dynamics(const Model<double>& m, const double* q);

PackKernels pack_kernel_table() {
  return {
      sincos_all<Pack<double, 8>>, sincos_all<Pack<float, 16>>, exp_all, peak<double>, peak<float>,
      time_pack_dynamics};
}

}  // namespace jounce::bench::inline JOUNCE_ISA
