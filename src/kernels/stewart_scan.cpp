// SPDX-License-Identifier: BSD-3-Clause
// Reach of a Gough-Stewart platform in eight poses at a time.
//
// The determinant of the 6x6 matrix with rows (m_i, leg_i), m_i = y_i x leg_i / size, is expanded
// by Laplace along its first three columns: 20 products of two 3x3 determinants. That needs no
// pivot, so all lanes go the same way.
#include <jounce/group/so3.hpp>
#include <jounce/scalar/pack.hpp>

#include "kernels/table.hpp"

namespace jounce::inline JOUNCE_ISA {
namespace {

using Lane = Pack<double, 8>;

/// Rows (i, j, k) of the left minor, rows (p, q, r) of the right one, and the sign of the product.
struct Minor {
  int i, j, k, p, q, r;
  double sign;
};
constexpr int minors = 20;

struct Minors {
  Minor at[minors];
};

constexpr Minors make_minors() {
  Minors all{};
  int count = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = i + 1; j < 6; ++j)
      for (int k = j + 1; k < 6; ++k) {
        int rest[3] = {}, n = 0;
        for (int row = 0; row < 6; ++row)
          if (row != i && row != j && row != k) rest[n++] = row;
        all.at[count++] = {i, j, k, rest[0], rest[1], rest[2], (i + j + k) % 2 == 1 ? 1.0 : -1.0};
      }
  return all;
}
constexpr Minors table = make_minors();

Lane determinant(const Vec3<Lane> (&m)[6], const Vec3<Lane> (&f)[6]) noexcept {
  Lane sum(0.0);
  for (const Minor& x : table.at)
    sum += dot(m[x.i], cross(m[x.j], m[x.k])) * dot(f[x.p], cross(f[x.q], f[x.r])) * Lane(x.sign);
  return sum;
}

Vec3<Lane> spread(const double (&x)[3]) { return {Lane(x[0]), Lane(x[1]), Lane(x[2])}; }

Vec3<Lane> load_row(const double* from) {
  return {Lane::load(from), Lane::load(from + 8), Lane::load(from + 16)};
}

/// One block: eight flags and determinants.
void scan_block(const StewartScan& s, const double* poses, Lane& flags, Lane& normalised) noexcept {
  const Mat3<Lane> R{{load_row(poses), load_row(poses + 24), load_row(poses + 48)}};
  const Vec3<Lane> p = load_row(poses + 72), c = R * spread(s.c);
  const Lane zero(0.0), one(1.0);
  Vec3<Lane> m[6], leg[6];
  Lane is_short = zero, is_long = zero, base = zero, top = zero, product = one;
  const bool tilts = s.cos_base >= -1 || s.cos_platform >= -1;
  for (int i = 0; i < 6; ++i) {
    const Vec3<Lane> arm = R * spread(s.b[i]);
    leg[i] = arm + p - spread(s.a[i]);
    m[i] = cross(arm - c, leg[i]) * Lane(s.inverse_size);
    const Lane L2 = dot(leg[i], leg[i]);
    product *= L2;
    is_short = select(L2 < Lane(s.shortest2[i]), one, is_short);
    is_long = select(L2 > Lane(s.longest2[i]), one, is_long);
    if (!tilts) continue;
    const Lane L = sqrt(L2);
    base = select(dot(leg[i], spread(s.base_axis[i])) < Lane(s.cos_base) * L, one, base);
    const Vec3<Lane> axis = R * spread(s.platform_axis[i]);
    top = select(dot(leg[i], axis) < Lane(s.cos_platform) * L, one, top);
  }
  product = sqrt(product);
  normalised = select(product > zero, determinant(m, leg) / product, zero);
  const Lane side = s.sign == 0 ? abs(normalised) : normalised * Lane(s.sign);
  const Lane bad = select(side > Lane(s.least_determinant), zero, Lane(16.0));
  flags = is_short + is_long * Lane(2.0) + base * Lane(4.0) + top * Lane(8.0) + bad;
}

void scan_blocks(const StewartScan& scan, const double* poses, int blocks, unsigned char* flags,
                 double* determinants) {
  for (int k = 0; k < blocks; ++k) {
    Lane verdict, normalised;
    scan_block(scan, poses + 96 * k, verdict, normalised);
    for (int lane = 0; lane < 8; ++lane) {
      flags[8 * k + lane] = static_cast<unsigned char>(verdict[lane]);
      determinants[8 * k + lane] = normalised[lane];
    }
  }
}

}  // namespace

void add_stewart_scan(StewartKernels& k) { k.scan = scan_blocks; }

}  // namespace jounce::inline JOUNCE_ISA
