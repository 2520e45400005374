// SPDX-License-Identifier: BSD-3-Clause
// The table of start systems, and an independent count of a platform's poses: a homotopy from
// products of linear forms with 2^7 paths, in std::complex and Eigen, that shares nothing with the
// library's tracker but the platform.
#include "stewart/start_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <complex>
#include <jounce/stewart/all_poses.hpp>

#include "stewart/modes_support.hpp"
#include "stewart/platforms.hpp"

namespace jounce {
namespace {

using C = std::complex<double>;
using Vector = Eigen::Matrix<C, 8, 1>;
using Matrix8 = Eigen::Matrix<C, 8, 8>;

/// |R b + p - a|^2 (e.e) on the Study quadric, from its meaning: with B = the matrix of
/// e -> e b - a e and 2 g, the leg is |e b - a e + 2 g|^2 for b, a as pure quaternions.
struct Leg {
  Vec3<C> a, b;
  C c;  ///< |a|^2 + |b|^2 - L^2
};

using Quat = std::array<C, 4>;

Quat product(const Quat& p, const Quat& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
          p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
          p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// The polar form of a leg's quadric: symmetric and bilinear in x and y.
C polar(const Leg& leg, const Vector& x, const Vector& y) {
  const auto arm = [&](const Vector& z) {
    const Quat e{z[0], z[1], z[2], z[3]};
    const Quat eb = product(e, {0, leg.b.x, leg.b.y, leg.b.z});
    const Quat ae = product({0, leg.a.x, leg.a.y, leg.a.z}, e);
    Quat sum;
    for (size_t k = 0; k < 4; ++k) sum[k] = eb[k] - ae[k] + 2.0 * z[Eigen::Index(4 + k)];
    return sum;
  };
  const Quat p = arm(x), q = arm(y);
  const C square = leg.c - dot(leg.a, leg.a) - dot(leg.b, leg.b);  // -L^2
  C sum = 0;
  for (size_t k = 0; k < 4; ++k)
    sum += p[k] * q[k] + square * x[Eigen::Index(k)] * y[Eigen::Index(k)];
  return sum;
}

C study(const Vector& x, const Vector& y) {
  C sum = 0;
  for (int k = 0; k < 4; ++k) sum += 0.5 * (x[k] * y[4 + k] + x[4 + k] * y[k]);
  return sum;
}

Leg leg_of(const Stewart& s, const SixNumbers& L, size_t i) {
  const Vec3<double>&a = s.base()[i], &b = s.platform()[i];
  return {{a.x, a.y, a.z}, {b.x, b.y, b.z}, dot(a, a) + dot(b, b) - L[i] * L[i]};
}

TEST(StartSystems, RootsSolveTheirPlatformsAndDiffer) {
  const auto systems = stewart_detail::start_systems();
  ASSERT_EQ(systems.size(), 3u);
  EXPECT_EQ(systems[0].roots, 40);
  EXPECT_EQ(systems[1].roots, 28);
  EXPECT_EQ(systems[2].roots, 16);
  for (const stewart_detail::StartSystem& system : systems) {
    stewart_detail::Leg<stewart_detail::Complex<double>> legs[6];
    system.legs_into(legs);
    std::vector<Vector> roots;
    for (int k = 0; k < system.roots; ++k) {
      stewart_detail::Complex<double> z[8];
      system.root_into(k, z);
      Vector x;
      for (int i = 0; i < 8; ++i) x[i] = {z[i].re, z[i].im};
      EXPECT_NEAR(x.norm(), 1, 1e-14);
      for (const auto& l : legs) {
        const auto number = [](const auto& w) { return C(w.re, w.im); };
        const Leg leg{{number(l.a[0]), number(l.a[1]), number(l.a[2])},
                      {number(l.b[0]), number(l.b[1]), number(l.b[2])},
                      number(l.c)};
        EXPECT_LT(std::abs(polar(leg, x, x)), 1e-13);  // coefficients are of order ten
      }
      EXPECT_LT(std::abs(study(x, x)), 1e-15);
      for (const Vector& other : roots) EXPECT_LT(std::abs(other.dot(x)), 1 - 1e-6);
      roots.push_back(x);
    }
  }
}

/// Seven quadrics and a chart: the platform's at t = 0, x_i^2 = x_0^2 at t = 1.
class TotalDegree {
 public:
  TotalDegree(const Stewart& s, const SixNumbers& L, test::Random& random) {
    for (size_t i = 0; i < 6; ++i) leg_[i] = leg_of(s, L, i);
    gamma_ = std::polar(1.0, random.uniform(0.5, 2.5));
    for (int k = 0; k < 8; ++k) chart_[k] = C(random.normal(), random.normal());
  }

  /// Follows one path; true when it ends at a pose.
  bool follow(int signs, Vector& x) const {
    x[0] = 1;
    for (int k = 1; k < 8; ++k) x[k] = signs >> (k - 1) & 1 ? -1 : 1;
    x /= bilinear(chart_, x);
    double t = 1, h = 0.01;
    while (t > 0 && h > 1e-7) {
      const double step = std::min(h, t);
      Vector y = x;
      if (correct(predict(x, t, step), t - step, y)) x = y, t -= step, h = step * 1.5;
      else h = step * 0.5;
    }
    return t <= 0;
  }

  C value(int row, const Vector& x, const Vector& y, double t) const {
    const C F = row < 6 ? polar(leg_[size_t(row)], x, y) : study(x, y);
    return (1 - t) * F + gamma_ * t * (x[row + 1] * y[row + 1] - x[0] * y[0]);
  }

 private:
  static C bilinear(const Vector& x, const Vector& y) { return (x.transpose() * y)(0); }

  Matrix8 jacobian(const Vector& x, double t) const {
    Matrix8 J;
    for (int k = 0; k < 8; ++k) {
      const Vector unit = Vector::Unit(k);
      for (int row = 0; row < 7; ++row) J(row, k) = 2.0 * value(row, x, unit, t);
    }
    J.row(7) = chart_.transpose();
    return J;
  }
  Vector tangent(const Vector& x, double t) const {
    Vector rate;
    for (int row = 0; row < 7; ++row) rate[row] = value(row, x, x, 0) - value(row, x, x, 1);
    rate[7] = 0;
    return jacobian(x, t).partialPivLu().solve(rate);  // dx/dt, dH/dt = H(1) - H(0)
  }
  /// Two stages of Heun.
  Vector predict(const Vector& x, double t, double h) const {
    const Vector k = tangent(x, t);
    return x - h * 0.5 * (k + tangent(x - h * k, t - h));
  }
  bool correct(Vector y, double t, Vector& x) const {
    for (int k = 0; k < 3; ++k) {
      Vector F;
      for (int row = 0; row < 7; ++row) F[row] = value(row, y, y, t);
      F[7] = bilinear(chart_, y) - 1.0;
      const Vector d = jacobian(y, t).partialPivLu().solve(F);
      y -= d;
      if (k == 0 && !(d.norm() < 1e-3 * y.norm())) return false;
      if (k == 2 && !(d.norm() < 1e-9 * y.norm())) return false;
    }
    x = y;
    return true;
  }

  std::array<Leg, 6> leg_;
  C gamma_;
  Vector chart_;
};

/// Paths that do not reach t = 0 go to the solutions without a pose, e = 0 and g.g = 0.
TEST(StartSystems, TotalDegreeHomotopyFindsTheSamePoses) {
  test::Random random(2);
  const Stewart platform = test::random_platform(random);
  const SixNumbers L = platform.lengths(test::random_pose(random));
  const TotalDegree homotopy(platform, L, random);
  std::vector<Vector> roots;
  int real = 0;
  for (int signs = 0; signs < 128; ++signs) {
    Vector x;
    if (!homotopy.follow(signs, x)) continue;
    x /= x.norm();
    if (x.head<4>().norm() < 1e-4) continue;
    bool known = false;
    for (const Vector& other : roots) known = known || std::abs(other.dot(x)) > 1 - 1e-10;
    if (known) continue;
    roots.push_back(x);
    Eigen::Index largest;
    x.cwiseAbs().maxCoeff(&largest);
    real += (x / x[largest]).imag().norm() < 1e-8;
  }
  const AllPoses all = all_poses(platform, L);
  EXPECT_EQ(all.complex_count, 40);
  EXPECT_EQ(roots.size(), 40u);
  EXPECT_EQ(size_t(real), all.poses.size());
}

}  // namespace
}  // namespace jounce
