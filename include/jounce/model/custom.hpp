// SPDX-License-Identifier: BSD-3-Clause
// Joints that the user writes: a function q -> SE3, from which Jounce gets everything else.
//
//   const auto cam = jounce::custom_joint<1>([](const auto* q) {
//     using std::sin;  return jounce::SE3{...};  // any smooth pose of q[0]
//   });
// The lambda must be generic: it runs on double, on series and on dual numbers. With D dual numbers
// along q and v,   S_k = (T^-1 dT/dq_k)^vee   and   Sdot_k = d/dt S_k along v,   both exact.
#pragma once

#include <jounce/group/se3.hpp>
#include <jounce/scalar/pack.hpp>
#include <memory>

namespace jounce {

/// Kinds of number that a custom joint runs on; shorter series and fewer directions are padded.
inline constexpr int custom_order = 16, custom_directions = 8;

/// What a joint contributes at one state: pose, screws, their derivatives.
template <class Real>
struct JointMotion {
  SE3<Real> T;
  Twist<Real> S[6], Sdot[6];
};

/// The interface behind custom_joint.
struct CustomJoint {
  using Series = Taylor<double, custom_order>;
  using Gradient = Dual<double, custom_directions>;

  explicit CustomJoint(int dof_) : dof(dof_) {}
  CustomJoint(const CustomJoint&) = delete;
  CustomJoint& operator=(const CustomJoint&) = delete;
  virtual ~CustomJoint() = default;
  virtual JointMotion<double> move(const double* q, const double* v) const = 0;
  virtual JointMotion<Series> move(const Series* q, const Series* v) const = 0;
  virtual JointMotion<Gradient> move(const Gradient* q, const Gradient* v) const = 0;

  const int dof;
};

namespace detail::inline JOUNCE_ISA {

/// (T^-1 dT)^vee from a pose and a derivative of its entries.
template <class Real>
Twist<Real> body_twist(const SE3<Real>& T, const SE3<Real>& dT) {
  return {vee(transpose(T.R.m) * dT.R.m), inverse_times(T.R, dT.p)};
}

/// The same entry of every number of a pose: f(x) for x in (R, p).
template <class F, class Real>
auto map_entries(const SE3<Real>& T, F f) {
  using To = std::remove_cvref_t<decltype(f(T.p.x))>;
  const auto row = [&](const Vec3<Real>& a) { return Vec3<To>{f(a.x), f(a.y), f(a.z)}; };
  return SE3<To>{{{{row(T.R.m.row[0]), row(T.R.m.row[1]), row(T.R.m.row[2])}}}, row(T.p)};
}

template <int Dof, class F>
struct CustomJointOf final : CustomJoint {
  explicit CustomJointOf(F f) : CustomJoint(Dof), pose(std::move(f)) {}

  JointMotion<double> move(const double* q, const double* v) const override {
    return evaluate(q, v);
  }
  JointMotion<Series> move(const Series* q, const Series* v) const override {
    return evaluate(q, v);
  }
  JointMotion<Gradient> move(const Gradient* q, const Gradient* v) const override {
    return evaluate(q, v);
  }

  template <class Real>
  JointMotion<Real> evaluate(const Real* q, const Real* v) const {
    using Along = Dual<Real, 1>;       // value and derivative along v
    using Partial = Dual<Along, Dof>;  // and the partial derivatives with respect to q
    Partial x[Dof];
    for (int k = 0; k < Dof; ++k) {
      Along at(q[k]);
      at.d[0] = v[k];
      x[k] = Partial::variable(at, k);
    }
    const SE3<Partial> T = pose(static_cast<const Partial*>(x));
    const SE3<Along> T_along = map_entries(T, [](const Partial& y) { return y.a; });
    JointMotion<Real> motion;
    motion.T = map_entries(T_along, [](const Along& y) { return y.a; });
    for (int k = 0; k < Dof; ++k) {
      const auto dT = map_entries(T, [k](const Partial& y) { return y.d[k]; });
      const Twist<Along> S = body_twist(T_along, dT);
      motion.S[k] = {{S.w.x.a, S.w.y.a, S.w.z.a}, {S.v.x.a, S.v.y.a, S.v.z.a}};
      motion.Sdot[k] = {{S.w.x.d[0], S.w.y.d[0], S.w.z.d[0]}, {S.v.x.d[0], S.v.y.d[0], S.v.z.d[0]}};
    }
    return motion;
  }

  F pose;
};

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// A joint with Dof coordinates and the pose f(q), where v = dq/dt.
template <int Dof, class F>
std::shared_ptr<const CustomJoint> custom_joint(F f) {
  static_assert(Dof >= 1 && Dof <= 6, "a joint has one to six coordinates");
  return std::make_shared<const detail::CustomJointOf<Dof, F>>(std::move(f));
}

}  // namespace JOUNCE_ISA

namespace detail::inline JOUNCE_ISA {

/// Copies the numbers of a motion from one kind to another.
template <class To, class From, class F>
JointMotion<To> convert(const JointMotion<From>& from, int dof, F f) {
  const auto twist = [&](const Twist<From>& X) {
    return Twist<To>{{f(X.w.x), f(X.w.y), f(X.w.z)}, {f(X.v.x), f(X.v.y), f(X.v.z)}};
  };
  JointMotion<To> to;
  to.T = map_entries(from.T, f);
  for (int k = 0; k < dof; ++k) to.S[k] = twist(from.S[k]), to.Sdot[k] = twist(from.Sdot[k]);
  return to;
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

inline JointMotion<double> move_custom(const CustomJoint& joint, const double* q, const double* v) {
  return joint.move(q, v);
}
/// float and long double, by way of double.
template <Arithmetic T>
JointMotion<T> move_custom(const CustomJoint& joint, const T* q, const T* v) {
  double as_double[2][6];
  for (int k = 0; k < joint.dof; ++k)
    as_double[0][k] = static_cast<double>(q[k]), as_double[1][k] = static_cast<double>(v[k]);
  return detail::convert<T>(joint.move(as_double[0], as_double[1]), joint.dof,
                            [](double x) { return static_cast<T>(x); });
}
template <int K>
JointMotion<Taylor<double, K>> move_custom(const CustomJoint& joint, const Taylor<double, K>* q,
                                           const Taylor<double, K>* v) {
  static_assert(K <= custom_order);
  CustomJoint::Series q_long[6], v_long[6];
  for (int k = 0; k < joint.dof; ++k)
    for (int j = 0; j <= K; ++j) q_long[k].c[j] = q[k].c[j], v_long[k].c[j] = v[k].c[j];
  return detail::convert<Taylor<double, K>>(joint.move(q_long, v_long), joint.dof,
                                            [](const CustomJoint::Series& x) {
                                              Taylor<double, K> y;
                                              for (int j = 0; j <= K; ++j) y.c[j] = x.c[j];
                                              return y;
                                            });
}
template <int N>
JointMotion<Dual<double, N>> move_custom(const CustomJoint& joint, const Dual<double, N>* q,
                                         const Dual<double, N>* v) {
  static_assert(N <= custom_directions);
  CustomJoint::Gradient q_long[6], v_long[6];
  for (int k = 0; k < joint.dof; ++k) {
    q_long[k].a = q[k].a, v_long[k].a = v[k].a;
    for (int j = 0; j < N; ++j) q_long[k].d[j] = q[k].d[j], v_long[k].d[j] = v[k].d[j];
  }
  return detail::convert<Dual<double, N>>(joint.move(q_long, v_long), joint.dof,
                                          [](const CustomJoint::Gradient& x) {
                                            Dual<double, N> y(x.a);
                                            for (int j = 0; j < N; ++j) y.d[j] = x.d[j];
                                            return y;
                                          });
}
/// Lane by lane.
template <class T, int W, Isa I>
JointMotion<Pack<T, W, I>> move_custom(const CustomJoint& joint, const Pack<T, W, I>* q,
                                       const Pack<T, W, I>* v) {
  JointMotion<Pack<T, W, I>> all;
  for (int lane = 0; lane < W; ++lane) {
    double q_lane[6], v_lane[6];
    for (int k = 0; k < joint.dof; ++k) q_lane[k] = q[k][lane], v_lane[k] = v[k][lane];
    const JointMotion<double> one = joint.move(q_lane, v_lane);
    const auto* from = reinterpret_cast<const double*>(&one);
    auto* to = reinterpret_cast<Pack<T, W, I>*>(&all);
    constexpr int numbers = sizeof(one) / sizeof(double);
    for (int k = 0; k < numbers; ++k) to[k].set(lane, T(from[k]));
  }
  return all;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
