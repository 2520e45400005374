// SPDX-License-Identifier: BSD-3-Clause
// Seeded random numbers, poses, twists, wrenches and inertias of every kind of number for tests.
//
// The same seed gives the same numbers with every compiler and standard library. A number of kind
// Pack gets a different value in every lane; series and dual numbers get random derivatives too, so
// that a law checked on them is a law checked on every derivative.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <jounce/group/inertia.hpp>
#include <jounce/scalar/counting.hpp>
#include <jounce/scalar/pack.hpp>

namespace jounce::test {

inline constexpr double pi = 3.14159265358979323846;

/// f of every number inside a vector, matrix, pose, twist, wrench or inertia.
template <class A, class F>
auto map(const Vec3<A>& a, F f) {
  return Vec3<decltype(f(a.x))>{f(a.x), f(a.y), f(a.z)};
}
template <class A, class F>
auto map(const Mat3<A>& m, F f) {
  return Mat3<decltype(f(m.row[0].x))>{{map(m.row[0], f), map(m.row[1], f), map(m.row[2], f)}};
}
template <class A, class F>
auto map(const Sym3<A>& m, F f) {
  return Sym3<decltype(f(m.xx))>{f(m.xx), f(m.xy), f(m.yy), f(m.xz), f(m.yz), f(m.zz)};
}
template <class A, int R, int C, class F>
auto map(const jounce::Matrix<A, R, C>& a, F f) {
  jounce::Matrix<decltype(f(a(0, 0))), R, C> b;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) b(i, j) = f(a(i, j));
  return b;
}
template <class A, class F>
auto map(const SO3<A>& R, F f) {
  return SO3<decltype(f(R.m.row[0].x))>{map(R.m, f)};
}
template <class A, class F>
auto map(const Quaternion<A>& q, F f) {
  return Quaternion<decltype(f(q.x))>{f(q.x), f(q.y), f(q.z), f(q.w)};
}
template <class A, class F>
auto map(const SE3<A>& T, F f) {
  return SE3<decltype(f(T.p.x))>{map(T.R, f), map(T.p, f)};
}
template <class A, class F>
auto map(const Twist<A>& V, F f) {
  return Twist<decltype(f(V.w.x))>{map(V.w, f), map(V.v, f)};
}
template <class A, class F>
auto map(const Wrench<A>& wrench, F f) {
  return Wrench<decltype(f(wrench.m.x))>{map(wrench.m, f), map(wrench.f, f)};
}
template <class A, class F>
auto map(const Inertia<A>& G, F f) {
  return Inertia<decltype(f(G.mass))>{f(G.mass), map(G.h, f), map(G.I, f)};
}

/// A value made of doubles as the same value made of another kind of number: as<Real>(T).
template <class Real>
Real as(double x) {
  return Real(x);
}
template <class Real, class Value>
requires(!Arithmetic<Value>) auto as(const Value& value) {
  return map(value, [](double x) { return Real(x); });
}

/// splitmix64 (Steele, Lea, Flood 2014) with its own normal distribution (Box and Muller 1958): not
/// the library's, so that a change there does not move every test.
class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed), state_(seed) {}

  std::uint64_t seed() const { return seed_; }

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform(double a = 0, double b = 1) {
    return a + (b - a) * (double(bits() >> 11) * 0x1p-53);
  }
  /// exp of a uniform number between log a and log b.
  double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(uniform(0, 2 * pi));
  }
  double sign() { return bits() >> 63 ? 1 : -1; }

  /// A number whose value is uniform in [a, b], lane by lane; derivatives lie in [-1, 1].
  template <class Real = double>
  Real number(double a = -1, double b = 1) {
    Real x;
    fill(x, a, b);
    return x;
  }
  template <class Real = double>
  Vec3<Real> vec3() {
    return {number<Real>(), number<Real>(), number<Real>()};
  }
  /// Uniform on the sphere; for series and dual numbers a moving unit vector.
  template <class Real = double>
  Vec3<Real> unit_vec3() {
    return rotation<Real>() * Vec3<Real>{Real(0), Real(0), Real(1)};
  }
  /// A rotation vector of a given angle.
  template <class Real = double>
  Vec3<Real> rotation_vector(double angle) {
    return unit_vec3<Real>() * Real(angle);
  }
  template <class Real = double>
  Quaternion<Real> quaternion() {
    Quaternion<Real> q;
    for (Real* part : {&q.x, &q.y, &q.z, &q.w}) fill_normal(*part);
    const Real s = Real(1) / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x * s, q.y * s, q.z * s, q.w * s};
  }
  /// Uniform on SO(3), because the four normal numbers have no preferred direction.
  template <class Real = double>
  SO3<Real> rotation() {
    return to_rotation(quaternion<Real>());
  }
  template <class Real = double>
  SE3<Real> pose() {
    return {rotation<Real>(), vec3<Real>()};
  }
  template <class Real = double>
  Twist<Real> twist() {
    return {vec3<Real>(), vec3<Real>()};
  }
  template <class Real = double>
  Wrench<Real> wrench() {
    return {vec3<Real>(), vec3<Real>()};
  }
  /// Eight point masses: a body with positive definite pseudo-inertia.
  template <class Real = double>
  Inertia<Real> inertia() {
    Inertia<Real> G{Real(0), as<Real>(Vec3<double>{}), as<Real>(Sym3<double>{})};
    for (int k = 0; k < 8; ++k) G = G + point_mass(number<Real>(0.2, 1), vec3<Real>());
    return G;
  }
  template <class Real>
  static Inertia<Real> point_mass(const Real& m, const Vec3<Real>& r) {
    const Real xx = m * r.x * r.x, yy = m * r.y * r.y, zz = m * r.z * r.z;
    return {m,
            r * m,
            {yy + zz, -(m * r.x * r.y), xx + zz, -(m * r.x * r.z), -(m * r.y * r.z), xx + yy}};
  }

 private:
  template <Arithmetic T>
  void fill(T& x, double a, double b) {
    x = T(uniform(a, b));
  }
  void fill(Counting& x, double a, double b) { x = uniform(a, b); }
  template <class T, int W, Isa I>
  void fill(Pack<T, W, I>& x, double a, double b) {
    for (int k = 0; k < W; ++k) x.set(k, T(uniform(a, b)));
  }
  template <class T, int K>
  void fill(Taylor<T, K>& x, double a, double b) {
    fill(x.c[0], a, b);
    for (int k = 1; k <= K; ++k) fill(x.c[k], -1, 1);
  }
  template <class T, int N>
  void fill(Dual<T, N>& x, double a, double b) {
    fill(x.a, a, b);
    for (T& derivative : x.d) fill(derivative, -1, 1);
  }

  template <Arithmetic T>
  void fill_normal(T& x) {
    x = T(normal());
  }
  void fill_normal(Counting& x) { x = normal(); }
  template <class T, int W, Isa I>
  void fill_normal(Pack<T, W, I>& x) {
    for (int k = 0; k < W; ++k) x.set(k, T(normal()));
  }
  template <class T, int K>
  void fill_normal(Taylor<T, K>& x) {
    fill(x, -1, 1);
    fill_normal(x.c[0]);
  }
  template <class T, int N>
  void fill_normal(Dual<T, N>& x) {
    fill(x, -1, 1);
    fill_normal(x.a);
  }

  std::uint64_t seed_, state_;
};

}  // namespace jounce::test
