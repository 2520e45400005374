// SPDX-License-Identifier: BSD-3-Clause
// The certificate: its box holds the pose that 113-bit Newton iterations converge to, and it is
// refused where there is no pose, or two in one.
#include "stewart/krawczyk.hpp"

#include <gtest/gtest.h>

#include "stewart/platforms.hpp"
#include "support/quad.hpp"
#include "support/scale.hpp"

namespace jounce::stewart_detail {
namespace {

using test::Quad;

CentredPlatform uncentred(const Stewart& platform, const SixNumbers& lengths) {
  return {&platform, lengths, {}, {}, 1};
}

/// F of eight equations at x = (e, g): |R b + p - a|^2 - L^2 without denominators, e.g, y.x - 1.
/// Written from the meaning of Study coordinates, not from the library's forms.
void equations(const CentredPlatform& c, const double* y, const Quad* x, Quad* F) {
  const Quad w = x[0], ex = x[1], ey = x[2], ez = x[3];
  const Quad ee = w * w + ex * ex + ey * ey + ez * ez;
  const Quad R[3][3] = {
      {w * w + ex * ex - ey * ey - ez * ez, 2 * (ex * ey - w * ez), 2 * (ex * ez + w * ey)},
      {2 * (ex * ey + w * ez), w * w - ex * ex + ey * ey - ez * ez, 2 * (ey * ez - w * ex)},
      {2 * (ex * ez - w * ey), 2 * (ey * ez + w * ex),
       w * w - ex * ex - ey * ey + ez * ez}};  // e.e times the rotation
  const Quad *e = x, *g = x + 4;
  const Quad p[3] = {2 * (g[1] * e[0] - g[0] * e[1] - g[2] * e[3] + g[3] * e[2]),
                     2 * (g[2] * e[0] - g[0] * e[2] - g[3] * e[1] + g[1] * e[3]),
                     2 * (g[3] * e[0] - g[0] * e[3] - g[1] * e[2] + g[2] * e[1])};
  for (size_t i = 0; i < 6; ++i) {
    const Vec3<double>&a = c.platform->base()[i], &b = c.platform->platform()[i];
    const Quad A[3] = {a.x, a.y, a.z}, L = c.lengths[i];
    Quad sum = -L * L * ee * ee;
    for (int k = 0; k < 3; ++k) {
      const Quad leg = R[k][0] * b.x + R[k][1] * b.y + R[k][2] * b.z + p[k] - ee * A[k];
      sum += leg * leg;
    }
    F[i] = sum / ee;
  }
  F[6] = e[0] * g[0] + e[1] * g[1] + e[2] * g[2] + e[3] * g[3];
  F[7] = -1;
  for (int k = 0; k < 8; ++k) F[7] += y[k] * x[k];
}

void solve(Quad (&A)[8][9]) {
  for (int k = 0; k < 8; ++k) {
    int best = k;
    for (int i = k; i < 8; ++i)
      if (test::quad_abs(A[i][k]) > test::quad_abs(A[best][k])) best = i;
    std::swap(A[k], A[best]);
    for (int i = 0; i < 8; ++i) {
      if (i == k) continue;
      const Quad f = A[i][k] / A[k][k];
      for (int j = k; j < 9; ++j) A[i][j] -= f * A[k][j];
    }
  }
}

/// The exact zero near y by Newton's method with differences of step 1e-17.
void exact_pose(const CentredPlatform& c, const double* y, Quad* x) {
  for (int k = 0; k < 8; ++k) x[k] = y[k];
  for (int iteration = 0; iteration < 6; ++iteration) {
    Quad F[8], moved[8], A[8][9];
    equations(c, y, x, F);
    for (int j = 0; j < 8; ++j) {
      const Quad old = x[j], h = 1e-17;
      x[j] = old + h;
      equations(c, y, x, moved);
      x[j] = old;
      for (int i = 0; i < 8; ++i) A[i][j] = (moved[i] - F[i]) / h;
    }
    for (int i = 0; i < 8; ++i) A[i][8] = -F[i];
    solve(A);
    for (int j = 0; j < 8; ++j) x[j] += A[j][8] / A[j][j];
  }
}

void study_of(const SE3<double>& T, double* x) {
  const Quaternion<double> e = to_quaternion(T.R);
  const Quaternion<double> g = Quaternion<double>{T.p.x, T.p.y, T.p.z, 0} * e;
  const double from[8] = {e.w, e.x, e.y, e.z, g.w / 2, g.x / 2, g.y / 2, g.z / 2};
  double size = 0;
  for (const double part : from) size += part * part;
  for (int i = 0; i < 8; ++i) x[i] = from[i] / std::sqrt(size);
}

TEST(Krawczyk, BoxHoldsTheExactPose) {
  int certified = 0;
  for (std::uint64_t seed = 1; seed <= std::uint64_t(test::scaled(200)); ++seed) {
    test::Random random(seed);
    const Stewart platform = test::random_platform(random);
    const SE3<double> T = test::random_pose(random);
    const CentredPlatform c = uncentred(platform, platform.lengths(T));
    const double off = seed % 2 ? 0 : random.log_uniform(1e-12, 1e-6);
    const SE3<double> U = T * exp(random.twist() * off);
    const Certificate proof = certify(c, U);
    if (!proof.certified) continue;
    ++certified;
    double y[8];
    Quad x[8];
    study_of(U, y);
    exact_pose(c, y, x);
    for (int k = 0; k < 8; ++k)
      EXPECT_LE(double(test::quad_abs(x[k] - y[k])), proof.radius) << seed;
  }
  EXPECT_GE(certified, 0.95 * test::scaled(200));  // the rest is close to a singular pose
}

TEST(Krawczyk, RefusesWhatIsNoPose) {
  test::Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Stewart platform = test::random_platform(random);
    const SE3<double> T = test::random_pose(random);
    const CentredPlatform c = uncentred(platform, platform.lengths(T));
    EXPECT_FALSE(certify(c, T * exp(random.twist() * 0.3)).certified);
  }
}

TEST(Krawczyk, RefusesASingularPose) {
  // Base and platform parallel, the platform turned by 90 degrees: the paper's platform can then
  // turn on, infinitesimally, with locked legs.
  const Stewart platform = test::paper_platform();
  const SE3<double> T = test::pose_of(0, 0, 50, 0, 0, 90);
  const Certificate proof =
      certify({&platform, platform.lengths(T), {}, {}, 32}, SE3<double>{T.R, T.p * (1.0 / 32)});
  EXPECT_LT(std::abs(platform.normalised_determinant(T)), 1e-9);
  EXPECT_FALSE(proof.certified);
  EXPECT_NE(*proof.reason, 0);
}

TEST(Krawczyk, CountsCentresAndUnitsExactly) {
  test::Random random(4);
  for (int k = 0; k < 50; ++k) {
    const Stewart platform = test::random_platform(random);
    const SE3<double> T = test::random_pose(random);
    const Vec3<double> a = random.vec3(), b = random.vec3();
    const SE3<double> centred{T.R, (T * b - a) * 0.25};
    const SixNumbers L = platform.lengths(T);
    if (!certify(uncentred(platform, L), T).certified) continue;
    EXPECT_TRUE(certify({&platform, L, a, b, 4}, centred).certified) << k;
    EXPECT_FALSE(certify({&platform, L, a, b, 2}, centred).certified) << k;
  }
}

}  // namespace
}  // namespace jounce::stewart_detail
