// SPDX-License-Identifier: BSD-3-Clause
// Three-vectors in registers for inverse_dynamics, forward_dynamics and mass_matrix: one state,
// SIMD inside. What ThreeNumbers is for other kinds of number (three_numbers.hpp).
//
// An articulated inertia is four 3 x 3 blocks of columns. With X = Ad_{T^-1} a parent feels
// X^T H X = (H X)^T X: two multiplications from the right, which mix columns by constants, and a
// transposition between them.
#pragma once

#include <jounce/algorithm/joint_steps.hpp>

#include "kernels/lanes/lane_bodies.hpp"
#include "kernels/lanes/poses_in_lanes.hpp"

namespace jounce {
namespace lanes {

/// How an anchor lies and moves, seen from the anchor of what carries it (origins.hpp).
struct Cut {
  Column d, drift;
  Column fall;       ///< acceleration, as seen from there
  Column all_falls;  ///< of all anchors on the way from the ground
};

inline namespace JOUNCE_ISA {

/// a + s z, and a + b x (s z).
[[gnu::always_inline]] inline Column plus_z(const Column& a, double s) {
  return a + spread(s) * Column(0, 0, 1, 0);
}
[[gnu::always_inline]] inline Column plus_cross_z(const Column& a, const Column& b, double s) {
  return a + shuffled<1, 0, 2, 3>(b, b) * (spread(s) * Column(1, -1, 0, 0));
}
[[gnu::always_inline]] inline double z_of(const Column& a) { return a[2]; }

/// I - [d][y] - [y][d].
[[gnu::always_inline]] inline Columns3 minus_hat_products(const Columns3& I, const Column& d,
                                                          const Column& y) {
  return plus_diagonal(minus_outer(minus_outer(I, d, y), y, d), spread_sum((d + d) * y));
}
/// A body's inertia in the frame where its own has the pose U. Single numbers of U are read from
/// memory, already spread.
[[gnu::always_inline]] inline CompositeInertia push_forward(const Pose& U,
                                                            const CompositeInertia& G) {
  const auto turned = [&](const Columns3& N) {  // N R^T
    const auto column = [&](int k) {
      return N.x * spread_from(U.x, k) + N.y * spread_from(U.y, k) + N.z * spread_from(U.z, k);
    };
    return Columns3{column(0), column(1), column(2)};
  };
  const Column h = Columns3{U.x, U.y, U.z} * G.h;
  return {minus_hat_products(turned(transpose(turned(G.I))), U.p, h + U.p * (G.mass * 0.5)),
          h + U.p * G.mass, G.mass};
}
[[gnu::always_inline]] inline CompositeInertia operator+(const CompositeInertia& a,
                                                         const CompositeInertia& b) {
  return {a.I + b.I, a.h + b.h, a.mass + b.mass};
}
[[gnu::always_inline]] inline Force operator*(const CompositeInertia& G, const Screw& S) {
  return {G.I * S.w + cross(G.h, S.v), G.mass * S.v - cross(G.h, S.w)};
}
/// [w] M.
[[gnu::always_inline]] inline Columns3 hat_times(const Column& w, const Columns3& M) {
  return {cross(w, M.x), cross(w, M.y), cross(w, M.z)};
}
/// Idot of what moves with the twist V: A + A^T + 2 (h.v) 1 with A = [w] I - h v^T.
[[gnu::always_inline]] inline Columns3 moment_rate(const CompositeInertia& G, const Screw& V) {
  const Columns3 A = minus_outer(hat_times(V.w, G.I), G.h, V.v);
  return plus_diagonal(A + transpose(A), 2 * dot(G.h, V.v));
}
[[gnu::always_inline]] inline CompositeInertia inertia_rate(const CompositeInertia& G,
                                                            const Screw& V) {
  return {moment_rate(G, V), G.mass * V.v + cross(V.w, G.h), {}};
}
/// What is taken about the point d, taken about the origin.
[[gnu::always_inline]] inline Force moved_from(const Column& d, const Force& F) {
  return {F.m + cross(d, F.f), F.f};
}
[[gnu::always_inline]] inline CompositeInertia moved_from(const Column& d,
                                                          const CompositeInertia& G) {
  const Column mass_d = d * G.mass;
  return {minus_hat_products(G.I, d, G.h + mass_d * 0.5), G.h + mass_d, G.mass};
}

[[gnu::always_inline]] inline BlockInertia& operator+=(BlockInertia& H, const BlockInertia& G) {
  return H = {H.A + G.A, H.B + G.B, H.C + G.C, H.M + G.M};
}
/// H with a body's own inertia.
[[gnu::always_inline]] inline void add(BlockInertia& H, const LaneBody& body) {
  const Columns3 hat = load(body.hat_h);
  H = {H.A + load(body.I), H.B + hat, H.C - hat, plus_diagonal(H.M, body.mass)};
}
/// H S of a joint that turns about z.
[[gnu::always_inline]] inline Force turning_column(const BlockInertia& H) { return {H.A.z, H.C.z}; }
/// H - U U^T / D.
[[gnu::always_inline]] inline BlockInertia minus_outer(const BlockInertia& H, const Force& U,
                                                       double inverse_D) {
  const Force V = U * inverse_D;
  return {minus_outer(H.A, U.m, V.m), minus_outer(H.B, U.m, V.f), minus_outer(H.C, U.f, V.m),
          minus_outer(H.M, U.f, V.f)};
}
/// M R^T.
[[gnu::always_inline]] inline Columns3 times_transposed(const Columns3& M, const Columns3& R) {
  return {M.x * spread<0>(R.x) + M.y * spread<0>(R.y) + M.z * spread<0>(R.z),
          M.x * spread<1>(R.x) + M.y * spread<1>(R.y) + M.z * spread<1>(R.z),
          M.x * spread<2>(R.x) + M.y * spread<2>(R.y) + M.z * spread<2>(R.z)};
}
/// M [p].
[[gnu::always_inline]] inline Columns3 times_hat(const Columns3& M, const Column& p) {
  const Column x = spread<0>(p), y = spread<1>(p), z = spread<2>(p);
  return {M.y * z - M.z * y, M.z * x - M.x * z, M.x * y - M.y * x};
}
/// H in the axes of the parent, about its origin.
[[gnu::always_inline]] inline BlockInertia carried(const Columns3& R, const Column& p,
                                                   const BlockInertia& H) {
  const Columns3 B = times_transposed(H.B, R), M = times_transposed(H.M, R);
  const Columns3 A = transpose(times_transposed(H.A, R) - times_hat(B, p));
  const Columns3 C = transpose(times_transposed(H.C, R) - times_hat(M, p));
  const Columns3 B_up = times_transposed(C, R);
  return {times_transposed(A, R) - times_hat(B_up, p), B_up, transpose(B_up),
          times_transposed(transpose(M), R)};
}

/// Scalar products of F with the screws of some coordinates, four at a time.
[[gnu::always_inline]] inline void write_products(const Force& F, const Screw* screw,
                                                  const int* column, int count, double* to) {
  const auto product = [&](int c) {
    const Screw& S = screw[column[c]];
    return F.m * S.w + F.f * S.v;
  };
  int c = 0;
  for (; c + 4 <= count; c += 4) {
    const Columns3 rows = rows_of(product(c), product(c + 1), product(c + 2), product(c + 3));
    store(rows.x + rows.y + rows.z, to + c);
  }
  for (; c < count; ++c) to[c] = sum(product(c));
}

/// The pose of a body behind a revolute joint: that of its parent, the placement, the turn.
[[gnu::always_inline]] inline Pose turned_pose(const Pose& U, const LaneBody& body, double sin,
                                               double cos) {
  const auto column = [&](int k) {
    return U.x * spread(body.row[0][k]) + U.y * spread(body.row[1][k]) +
           U.z * spread(body.row[2][k]);
  };
  const Column x = column(0), y = column(1), c = spread(cos), s = spread(sin);
  return {x * c + y * s, y * c - x * s, column(2),
          U.x * spread(body.p[0]) + U.y * spread(body.p[1]) + (U.z * spread(body.p[2]) + U.p)};
}
/// Mass times the centre of mass of a body with the pose U.
[[gnu::always_inline]] inline Column first_moment(const Pose& U, const CompositeInertia& G) {
  return Columns3{U.x, U.y, U.z} * G.h + U.p * G.mass;
}
/// The pose of the parent of a body with the pose U, behind a revolute joint.
[[gnu::always_inline]] inline Pose pose_of_parent(const Pose& U, const LaneBody& body, double sin,
                                                  double cos) {
  const Column c = spread(cos), s = spread(sin), x = U.x * c - U.y * s, y = U.x * s + U.y * c;
  const auto column = [&](int k) {
    return x * spread(body.row[k][0]) + y * spread(body.row[k][1]) + U.z * spread(body.row[k][2]);
  };
  const Pose W{column(0), column(1), column(2), U.p};
  return {W.x, W.y, W.z, U.p - turned_by(W, {body.p[0], body.p[1], body.p[2]})};
}
[[gnu::always_inline]] inline const Column& z_axis(const Pose& U) { return U.z; }
[[gnu::always_inline]] inline Screw Ad(const Pose& U, const Twist<double>& V) {
  const Column w = turned_by(U, V.w);
  return {w, turned_by(U, V.v) + cross(U.p, w)};
}

}  // namespace JOUNCE_ISA

struct InRegisters {
  using Real = double;
  using P = double;
  using Vector = Column;
  using Matrix = Columns3;
  using Screw = lanes::Screw;
  using Force = lanes::Force;
  using CompositeInertia = lanes::CompositeInertia;
  using BlockInertia = lanes::BlockInertia;
  using Pose = lanes::Pose;
  using Cut = lanes::Cut;
  using Bodies = const LaneBody*;

  // To and from the numbers of the reference forms.
  [[gnu::always_inline]] static Vector vector(const Vec3<double>& a) { return column(a); }
  [[gnu::always_inline]] static Vector constant(const Vec3<double>& a) { return column(a); }
  [[gnu::always_inline]] static Force force(const Wrench<double>& F) { return load(F); }
  [[gnu::always_inline]] static Matrix matrix(const Mat3<double>& M) { return columns(M); }
  [[gnu::always_inline]] static Matrix transposed(const Mat3<double>& M) { return rows(M); }
  [[gnu::always_inline]] static Twist<double> numbers(const Screw& a) {
    return {lanes::vector(a.w), lanes::vector(a.v)};
  }
  [[gnu::always_inline]] static Wrench<double> numbers(const Force& F) {
    return {lanes::vector(F.m), lanes::vector(F.f)};
  }
  [[gnu::always_inline]] static void write(const Screw& a, double* to) {
    store(shuffled<0, 1, 2, 4>(a.w, a.v), to);
    const auto rest = __builtin_shufflevector(a.v.r, a.v.r, 1, 2);
    __builtin_memcpy(to + 4, &rest, sizeof(rest));
  }
  [[gnu::always_inline]] static Pose pose(const SE3<double>& T) { return lanes::Pose{} * T; }
  [[gnu::always_inline]] static Matrix transposed_axes(const Pose& T) {
    return transpose(Columns3{T.x, T.y, T.z});
  }
  [[gnu::always_inline]] static ArticulatedInertia<double> numbers(const BlockInertia& H) {
    const auto mat = [](const Columns3& M) {
      return Mat3<double>{
          {{M.x[0], M.y[0], M.z[0]}, {M.x[1], M.y[1], M.z[1]}, {M.x[2], M.y[2], M.z[2]}}};
    };
    return {symmetric(mat(H.A)), mat(H.B), symmetric(mat(H.M))};
  }

  // What is felt at a frame with the pose T, felt where T is seen from.
  [[gnu::always_inline]] static BlockInertia on_parent(const SE3<double>& T,
                                                       const ArticulatedInertia<double>& H) {
    const BlockInertia blocks{columns(to_matrix(H.A)), columns(H.B), rows(H.B),
                              columns(to_matrix(H.M))};
    return carried(columns(T.R.m), column(T.p), blocks);
  }
  [[gnu::always_inline]] static Force on_parent(const SE3<double>& T, const Wrench<double>& F) {
    const Wrench<double> G = dual_Ad_inv(T, F);
    return {column(G.m), column(G.f)};
  }
};

}  // namespace lanes

/// Screws and forces of all coordinates by component, for entries of matrices by rows.
struct ComponentRows {
  static constexpr int most = 36;
  double* x = nullptr;  ///< [most][stride]
  int stride = 0;       ///< at least nv + 3
};
/// What the kernels keep: vectors in registers where those have 32 bytes, else three numbers.
using InNumbers = ThreeNumbers<double, double>;
struct KernelRoom {
  const LaneBody* body = nullptr;
  Room<lanes::InRegisters> registers;
  Room<InNumbers> numbers;
  const FrameSeat<double>* frame = nullptr;
  /// [bodies] where mass_and_bias leaves the inertias of the bodies, seen from one place; or null.
  lanes::CompositeInertia* kept = nullptr;
  ComponentRows rows;
  const int* run = nullptr;  ///< [bodies] the first of the bodies that hang on one another up to i
};

}  // namespace jounce
