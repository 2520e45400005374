// SPDX-License-Identifier: BSD-3-Clause
// Speed of the kinds of number: sine and cosine of packs against the C library, series products.
#include <jounce/cpu.hpp>
#include <jounce/scalar/taylor.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/pack_kernels.hpp"

namespace jounce::bench {
namespace {

template <class T>
struct Angles {
  static constexpr int count = 256;
  T x[count], s[count], c[count];

  Angles() {
    for (int k = 0; k < count; ++k) x[k] = T(0.0314 * k - 4);
  }
};

Row sincos_libm() {
  Angles<double> a;
  const double ns = nanoseconds([&] {
    keep(a.x);
    for (int k = 0; k < a.count; ++k) {
      const auto y = sincos(a.x[k]);
      a.s[k] = y.sin;
      a.c[k] = y.cos;
    }
    keep(a.s);
  });
  return {.robot = "", .algorithm = "sincos", .library = "libm", .ns = ns / a.count};
}

template <class T>
Row sincos_pack(void (*kernel)(int, const T*, T*, T*), const char* mode, int lanes) {
  Angles<T> a;
  const double ns = nanoseconds([&] {
    kernel(a.count, a.x, a.s, a.c);
    keep(a.s);
  });
  return {.robot = "", .algorithm = "sincos", .mode = mode, .lanes = lanes, .ns = ns / a.count};
}

template <int K>
Row series_product() {
  Taylor<double, K> x, y;
  for (int k = 0; k <= K; ++k) x.c[k] = 0.5 + k, y.c[k] = 1.0 / (k + 1);
  const double ns = nanoseconds([&] {
    keep(x);
    auto z = x * y;
    keep(z);
  });
  const double flops = double(K + 1) * (K + 1);
  const std::string name = "series-product-" + std::to_string(K);
  return with_peak({.robot = "", .algorithm = name, .ns = ns, .flops = flops});
}

}  // namespace

std::vector<Row> numbers() {
  return {sincos_libm(), sincos_pack(pack_kernels().sincos_double, "batch64", 8),
          sincos_pack(pack_kernels().sincos_float, "batch32", 16), series_product<4>(),
          series_product<8>()};
}

}  // namespace jounce::bench
