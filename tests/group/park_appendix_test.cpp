// SPDX-License-Identifier: BSD-3-Clause
// The appendix of Park, Bobrow and Ploen 1995, in the vectors of its equations (74) to (83), and
// Featherstone's arrangement of the inertia, (28).
#include <jounce/group/eigen.hpp>
#include <jounce/group/inertia.hpp>
#include <jounce/group/matrices.hpp>

#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

Matrix3 bracket(const Vector3& x) {
  Matrix3 X;
  X << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
  return X;
}
Vec3<double> three(const Vector3& x) { return {x.x(), x.y(), x.z()}; }

/// A link: mass, vector to its centre of mass, inertia about that; and its motion.
struct Link {
  explicit Link(Random& rng) {
    const auto vector = [&] { return Vector3(rng.normal(), rng.normal(), rng.normal()); };
    mass = 0.5 + rng.uniform();
    r = vector(), w = vector(), v = vector(), wdot = vector(), vdot = vector();
    const Matrix3 A = bracket(vector()) + Matrix3::Identity();
    I = A * A.transpose();
  }
  double mass = 0;
  Vector3 r, w, v, wdot, vdot;
  Matrix3 I;

  /// J of (21), of the library.
  Inertia<double> J() const {
    const Sym3<double> about_com{I(0, 0), I(0, 1), I(1, 1), I(0, 2), I(1, 2), I(2, 2)};
    return inertia_from_com(mass, SE3<double>{{}, three(r)}, about_com);
  }
  Twist<double> V() const { return {three(w), three(v)}; }
  Twist<double> Vdot() const { return {three(wdot), three(vdot)}; }
};

TEST(ParkAppendix, NewtonAndEulerAreTheGeometricEquation) {
  Random rng(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Link x(rng);
    const Matrix3 R = bracket(x.r), W = bracket(x.w), Wdot = bracket(x.wdot);
    const Vector3 a = x.vdot + x.w.cross(x.v);                                          // (76)
    const Vector3 a_com = a + x.wdot.cross(x.r) + x.w.cross(x.w.cross(x.r));            // (77)
    const Vector3 f = x.mass * a_com;                                                   // (74)
    const Vector3 m = x.I * x.wdot + x.w.cross(x.I * x.w) + x.r.cross(x.mass * a_com);  // (75)
    const Vector3 f_78 = x.mass * (x.vdot + W * x.v + Wdot * x.r + W * W * x.r);
    const Vector3 m_79 = x.I * x.wdot + x.w.cross(x.I * x.w) + x.mass * R * x.vdot +
                         x.mass * R * W * x.v + x.mass * R * Wdot * x.r + x.mass * R * W * W * x.r;
    const Wrench<double> F =
        x.J() * x.Vdot() - dual_ad(x.V(), x.J() * x.V());  // (80) with nothing carried
    const Vector3 m_83 =
        x.I * x.wdot - x.mass * R * R * x.wdot + x.mass * R * x.vdot + W * x.I * x.w -
        x.mass * W * R * R * x.w + x.mass * W * R * x.v +
        x.mass * bracket(x.v) * W * x.r;  // (82), (83): the paper has + before W R R
    const double scale = 1e-12 * (1 + f.norm() + m.norm());
    EXPECT_LE((f - f_78).norm(), scale) << trial;
    EXPECT_LE((m - m_79).norm(), scale) << trial;
    EXPECT_LE((to_eigen(F).tail<3>() - f_78).norm(), scale) << trial;  // (81)
    EXPECT_LE((to_eigen(F).head<3>() - m_79).norm(), scale) << trial;
    EXPECT_LE((m_83 - m_79).norm(), scale) << trial;
    const Vector3 printed = m_83 + 2 * x.mass * W * R * R * x.w;
    EXPECT_GT((printed - m_79).norm(), 1e-3 * (x.mass * W * R * R * x.w).norm()) << trial;
  }
}

/// Both identities that the text after (83) needs, of which it prints one: -[r]^2 wdot = [r][wdot]
/// r and -[w][r]^2 w = [r][w]^2 r; and [w][r] v + [v][w] r = [r][w] v by Jacobi.
TEST(ParkAppendix, JacobiIdentities) {
  Random rng(8);
  for (int trial = 0; trial < 50; ++trial) {
    const Link x(rng);
    const Matrix3 R = bracket(x.r), W = bracket(x.w);
    EXPECT_LE((R * R * x.wdot + R * bracket(x.wdot) * x.r).norm(),
              1e-13 * (1 + x.r.squaredNorm()) * (1 + x.wdot.norm()));
    EXPECT_LE((W * R * R * x.w + R * W * W * x.r).norm(),
              1e-13 * (1 + x.r.squaredNorm()) * (1 + x.w.squaredNorm()) * 4);
    EXPECT_LE((W * R * x.v + bracket(x.v) * W * x.r - R * W * x.v).norm(),
              1e-13 * (1 + x.r.norm()) * (1 + x.w.norm()) * (1 + x.v.norm()) * 4);
    const Vector3 a = x.r, b = x.w, c = x.v;
    EXPECT_LE((a.cross(b.cross(c)) + c.cross(a.cross(b)) + b.cross(c.cross(a))).norm(),
              1e-13 * (1 + a.norm()) * (1 + b.norm()) * (1 + c.norm()) * 4);
  }
}

/// (28) is J with its rows exchanged, and his spatial inner product undoes the exchange: momentum
/// (f, m) instead of (m, f), the same energy and the same power.
TEST(ParkAppendix, FeatherstonesInertiaAndInnerProduct) {
  using Six = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  Random rng(9);
  for (int trial = 0; trial < 50; ++trial) {
    const Link x(rng);
    const Matrix3 R = bracket(x.r), one = Matrix3::Identity();
    Matrix6 his;
    his << -x.mass * R, x.mass * one, x.I - x.mass * R * R, x.mass * R;  // (28)
    const Matrix6 J = to_eigen(to_matrix(x.J()));
    Matrix6 exchange = Matrix6::Zero();
    exchange.topRightCorner<3, 3>() = exchange.bottomLeftCorner<3, 3>() = one;
    EXPECT_LE((exchange * his - J).norm(), 1e-13 * J.norm()) << trial;
    const auto inner = [](const Six& a, const Six& b) {  // (a, b) ^. (c, d) = a d + b c
      return a.head<3>().dot(b.tail<3>()) + a.tail<3>().dot(b.head<3>());
    };
    const Six V = to_eigen(x.V()), W = to_eigen(x.Vdot());
    EXPECT_NEAR(inner(V, his * V), V.dot(J * V), 1e-12 * J.norm() * V.squaredNorm());
    EXPECT_NEAR(inner(W, his * V), W.dot(J * V), 1e-12 * J.norm() * V.norm() * W.norm());
  }
}

}  // namespace
}  // namespace jounce::test
