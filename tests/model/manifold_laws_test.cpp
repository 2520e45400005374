// SPDX-License-Identifier: BSD-3-Clause
// Laws of how coordinates move, on every kind of joint and every kind of number.
#include <jounce/model/manifold.hpp>

#include "group/kinds.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace jounce::test {
namespace {

constexpr JointKind all_factors[] = {
    JointKind::revolute, JointKind::prismatic,     JointKind::helical,   JointKind::cylindrical,
    JointKind::planar,   JointKind::translational, JointKind::spherical, JointKind::free,
    JointKind::circle,   JointKind::custom};

Factor factor_of(JointKind kind) {
  if (kind == JointKind::custom) return {kind, 0, 0, 3, 3};
  return {kind, 0, 0, elementary_nq(kind), elementary_nv(kind)};
}

/// The numbers of a factor: coordinates or velocities.
template <class Real>
struct Numbers {
  Real x[7];
  int size;

  operator Real*() { return x; }              // NOLINT: an array with its length
  operator const Real*() const { return x; }  // NOLINT
};
template <class Real>
Numbers<Real> velocities(const Factor& f) {
  Numbers<Real> v{{}, f.nv};
  return v;
}
template <class Real>
Numbers<Real> random_velocities(const Factor& f, Random& random, double size = 1) {
  Numbers<Real> v{{}, f.nv};
  for (int k = 0; k < f.nv; ++k) v[k] = random.number<Real>(-size, size);
  return v;
}
template <class Real>
Numbers<Real> random_coordinates(const Factor& f, Random& random) {
  Numbers<Real> q{{}, f.nq};
  for (int k = 0; k < f.nq; ++k) q[k] = random.number<Real>(-1, 1);
  if (const int r = quaternion_offset(f.kind); r >= 0) {
    const Quaternion<Real> turn = random.quaternion<Real>();
    q[r] = turn.x, q[r + 1] = turn.y, q[r + 2] = turn.z, q[r + 3] = turn.w;
  }
  if (is_circle(f)) {
    const SinCos<Real> turn = sincos(random.number<Real>(-3, 3));
    q[0] = turn.cos, q[1] = turn.sin;
  }
  return q;
}
template <class Real>
Numbers<Real> moved(const Factor& f, const Numbers<Real>& q, const Numbers<Real>& dv) {
  Numbers<Real> to{{}, f.nq};
  integrate(f, q.x, dv.x, to.x);
  return to;
}
/// x + h y in dual numbers.
template <class Real>
Numbers<Dual<Real, 1>> along(const Numbers<Real>& x, const Numbers<Real>& y) {
  Numbers<Dual<Real, 1>> sum{{}, x.size};
  for (int k = 0; k < x.size; ++k) sum[k].a = x[k], sum[k].d[0] = y[k];
  return sum;
}
template <class Real>
Numbers<Dual<Real, 1>> constant(const Numbers<Real>& x) {
  return along(x, Numbers<Real>{{}, x.size});
}
template <class Real>
Numbers<Real> derivative(const Numbers<Dual<Real, 1>>& x) {
  Numbers<Real> slope{{}, x.size};
  for (int k = 0; k < x.size; ++k) slope[k] = x[k].d[0];
  return slope;
}

template <class Real>
std::vector<double> parts_of(const Numbers<Real>& x) {
  Parts parts;
  for (int k = 0; k < x.size; ++k) parts.add(x[k]);
  return parts.all;
}
template <class Real>
void expect_same(const Numbers<Real>& found, const Numbers<Real>& needed, double count,
                 std::uint64_t seed) {
  std::vector<double> a = parts_of(found), b = parts_of(needed);
  a.push_back(1), b.push_back(1);  // relative to numbers of about 1
  expect_near_parts(a, b, rounding<Real>(count), seed, __FILE__, __LINE__);
}

/// law(factor, random) on several states of every kind of joint.
template <class Law>
void on_every_factor(Law law) {
  for (const JointKind kind : all_factors)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(name(kind));
      Random random(seed + 100);
      law(factor_of(kind), random);
    }
}

TEST(ManifoldLaws, DifferenceUndoesIntegrate) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      const auto q = random_coordinates<Real>(f, random), dv = random_velocities<Real>(f, random);
      auto found = velocities<Real>(f);
      difference(f, q.x, moved(f, q, dv).x, found.x);
      expect_same(found, dv, 50, random.seed());
    });
  });
}

TEST(ManifoldLaws, IntegratesConstantsAlongNumbers) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      const auto q = random_coordinates<Plain<Real>>(f, random);
      const auto dv = random_velocities<Real>(f, random);
      Numbers<Real> as_numbers{{}, f.nq}, found{{}, f.nq};
      for (int k = 0; k < f.nq; ++k) as_numbers[k] = Real(q[k]);
      integrate(f, q.x, dv.x, found.x);
      expect_same(found, moved(f, as_numbers, dv), 1, random.seed());
      Numbers<Real> back = velocities<Real>(f);
      difference(f, q.x, found.x, back.x);
      expect_same(back, dv, 50, random.seed());
    });
  });
}

TEST(ManifoldLaws, RateIsTheDerivativeOfIntegrate) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      const auto q = random_coordinates<Real>(f, random), v = random_velocities<Real>(f, random);
      Numbers<Real> found{{}, f.nq};
      rate(f, q.x, v.x, found.x);
      const Numbers<Real> still{{}, f.nv};
      expect_same(found, derivative(moved(f, constant(q), along(still, v))), 50, random.seed());
    });
  });
}

/// q0 (+) u moves with v where u moves by dexp_inv(u, v).
TEST(ManifoldLaws, DexpInvIsTheRateOfExponentialCoordinates) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      const auto q = random_coordinates<Real>(f, random);
      const auto u = random_velocities<Real>(f, random, 1.5);
      const auto v = random_velocities<Real>(f, random);
      auto udot = velocities<Real>(f);
      dexp_inv(f, u.x, v.x, udot.x);
      const Numbers<Real> still{{}, f.nv};
      const auto found = moved(f, constant(q), along(u, udot));
      const auto needed = moved(f, constant(moved(f, q, u)), along(still, v));
      expect_same(found, needed, 200, random.seed());
    });
  });
}

TEST(ManifoldLaws, DualDexpInvIsTransposed) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      const auto u = random_velocities<Real>(f, random, 1.5);
      const auto v = random_velocities<Real>(f, random), tau = random_velocities<Real>(f, random);
      auto udot = velocities<Real>(f), pulled = velocities<Real>(f);
      dexp_inv(f, u.x, v.x, udot.x);
      dual_dexp_inv(f, u.x, tau.x, pulled.x);
      Real one(0), other(0);
      for (int k = 0; k < f.nv; ++k) one += tau[k] * udot[k], other += pulled[k] * v[k];
      expect_near(one, other, rounding<Real>(200), random.seed());
    });
  });
}

/// e^{sv} e^{tw} = e^{tw} e^{sv} (+) s t ad_v w, up to third order.
TEST(ManifoldLaws, AdIsTheCommutatorOfMotions) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      using Twice = Dual<Dual<Real, 1>, 1>;
      const auto q = random_coordinates<Real>(f, random);
      const auto v = random_velocities<Real>(f, random), w = random_velocities<Real>(f, random);
      Numbers<Twice> at{{}, f.nq}, sv{{}, f.nv}, tw{{}, f.nv}, apart{{}, f.nv};
      for (int k = 0; k < f.nq; ++k) at[k].a.a = q[k];
      for (int k = 0; k < f.nv; ++k) sv[k].a.d[0] = v[k], tw[k].d[0].a = w[k];
      difference(f, moved(f, moved(f, at, tw), sv).x, moved(f, moved(f, at, sv), tw).x, apart.x);
      auto found = velocities<Real>(f), needed = velocities<Real>(f);
      for (int k = 0; k < f.nv; ++k) needed[k] = apart[k].d[0].d[0];
      group_ad(f, v.x, w.x, found.x);
      expect_same(found, needed, 200, random.seed());
    });
  });
}

/// A moving part of joint.hpp: its pose and twist.
template <class Real>
struct MovingPart {
  Part<Plain<Real>> part;

  MovingPart(const Factor& f, Random& random) {
    part.kind = f.kind;
    part.placement = random.pose<Plain<Real>>();
    part.pitch = random.number<Plain<Real>>();
    part.angle = 0;
  }
  SE3<Real> pose(const Numbers<Real>& q) const {
    const int angle = elementary_angle(part.kind);
    SinCos<Real> t = sincos(angle < 0 ? Real(0) : q[angle]);
    Workspace<Real> w;
    w.sin = &t.sin, w.cos = &t.cos;
    SE3<Real> T;
    part_pose(part, q.x, w, T);
    return T;
  }
};

/// The two switches over joint kinds agree: T(q (+) dv) = T(q) exp(S dv).
TEST(ManifoldLaws, IntegratesAlongTheScrewsOfTheJoint) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      if (f.kind == JointKind::custom) return;
      const MovingPart<Real> part(f, random);
      const auto q = random_coordinates<Real>(f, random), dv = random_velocities<Real>(f, random);
      const Twist<Real> X = part_twist(part.part, dv.x);
      expect_near(part.pose(moved(f, q, dv)), part.pose(q) * exp(X), rounding<Real>(50),
                  random.seed());
      auto back = velocities<Real>(f);
      coordinates(f.kind, X, back.x);
      expect_same(back, dv, 0, random.seed());
    });
  });
}

/// The reversed motion is the inverse one, along the turned axis; its velocities are those that
/// move it so.
TEST(ManifoldLaws, ReversedMotionsAreInverse) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      if (f.kind == JointKind::custom) return;
      MovingPart<Real> part(f, random);
      part.part.placement = {};
      const auto q = random_coordinates<Real>(f, random), v = random_velocities<Real>(f, random);
      Numbers<Real> back{{}, f.nq}, back_v{{}, f.nv};
      reverse_motion(f, q.x, v.x, back.x, back_v.x);
      const bool has_axis = motions_add(f) && f.kind != JointKind::translational;
      const Plain<Real> i(1);
      const SO3<Plain<Real>> half_turn{{{{i, 0, 0}, {0, -i, 0}, {0, 0, -i}}}};  // z -> -z
      const SO3<Plain<Real>> to_axis = has_axis ? half_turn : SO3<Plain<Real>>{};
      const SE3<Real> T = part.pose(back);
      const SE3<Real> turned{inverse(to_axis) * T.R * to_axis, inverse(to_axis) * T.p};
      expect_near(turned, inverse(part.pose(q)), rounding<Real>(20), random.seed());
      const Twist<Real> V = part_twist(part.part, back_v.x);
      const Twist<Real> found{inverse(to_axis) * V.w, inverse(to_axis) * V.v};
      const Twist<Real> needed = -Ad(part.pose(q), part_twist(part.part, v.x));
      expect_near(found, needed, rounding<Real>(20), random.seed());
    });
  });
}

TEST(ManifoldLaws, NeutralPartsStandAtTheirPlacement) {
  on_every(kinds, []<class Real>() {
    on_every_factor([](const Factor& f, Random& random) {
      Numbers<Real> q{{}, f.nq};
      for (int k = 0; k < f.nq; ++k) q[k] = random.number<Real>();
      neutral(f, q.x);
      if (f.kind == JointKind::custom) return expect_same(q, Numbers<Real>{{}, f.nq}, 0, 0);
      const MovingPart<Real> part(f, random);
      const SE3<Plain<Real>>& placed = part.part.placement;
      const SE3<Real> needed{detail::constant<Plain<Real>, Real>(placed.R),
                             detail::as<Real>(placed.p)};
      expect_near(part.pose(q), needed, rounding<Real>(4), random.seed());
    });
  });
}

}  // namespace
}  // namespace jounce::test
