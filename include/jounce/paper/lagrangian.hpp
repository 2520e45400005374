// SPDX-License-Identifier: BSD-3-Clause
// The Lagrangian equations in closed form as Park wrote them, for reading and teaching.
//
// [Park] section 4, equations (30)-(59). Screws A_k and home poses M_k stand in the ground frame at
// zero, and every body is f_k = prod e^{A_j x_j} M_k over the coordinates j on its way to the
// ground: kinematic and inertial parameters are apart, and x enters through Ad_j^i alone. Geometry,
// Dynamics and SecondDerivatives have the same numbers from recursions; tests hold one against the
// other. Each coordinate is a link of its own here; where a joint has several, its body hangs on
// the last, and the others carry no mass.
// Departures: trees, not only chains; kinetic energy has its 1/2 in (32), (39); the two cases of
// (54) are printed with their conditions exchanged; g points down, so that (58), (59) have a minus;
// (50) needs absolute home poses; rotors add a diagonal to M. Joints need coordinates that are
// exponents: all kinds but planar, spherical, free and custom.
#pragma once

#include <Eigen/LU>
#include <jounce/global_matrices.hpp>

namespace jounce {

/// M = A^T L^T D L A, (46), its factors apart.
struct ParkFactors {
  Eigen::MatrixXd A;  ///< (41) 6n x n: constant screws
  Eigen::MatrixXd L;  ///< (43) 6n x 6n: Ad_k^{j+1} where j carries k
  Eigen::MatrixXd D;  ///< (45) 6n x 6n: constant inertias

  Eigen::MatrixXd M() const { return detail::congruent(detail::product(L, A), D); }
};

/// The same with the matrices of the recursions: (47)-(51), and Q between the two.
struct NewtonEulerFactors {
  Eigen::MatrixXd S, G, J;  ///< A = Q S, L = Q G Q^-1, D = Q^-T J Q^-1
  Eigen::MatrixXd Q;        ///< (50) diag[Ad_{M_k}], absolute home poses

  Eigen::MatrixXd M() const { return detail::congruent(detail::product(G, S), J); }
};

/// Rodriguez, Jain, Kreutz-Delgado 1991: frames on the bodies with the axes of the ground, so that
/// phi has only shifts in it, while H and J turn with the robot.
struct ShiftFactors {
  Eigen::MatrixXd H;    ///< 6n x n: screws at their bodies' origins
  Eigen::MatrixXd phi;  ///< 6n x 6n: [1 0; -[p] 1], p from body j to body k
  Eigen::MatrixXd J;    ///< 6n x 6n: inertias at their bodies' origins

  Eigen::MatrixXd M() const { return detail::congruent(detail::product(phi, H), J); }
};

/// A robot's lists (30), (31) at a configuration x; coordinates are those of the tree, where mimic
/// joints have their own.
class LagrangianForm {
 public:
  LagrangianForm(const Robot& robot, const VectorArg& q);

  int n() const { return static_cast<int>(A.size()); }
  /// Whether coordinate j carries coordinate k, or is it.
  bool carries(int j, int k) const { return path_[at(k)][at(j)]; }

  std::vector<Twist<double>> A;  ///< (30) screws at zero, in the ground frame
  std::vector<SE3<double>> M;    ///< (31) centre-of-mass frames at zero
  std::vector<Inertia<double>>
      D;  ///< (36) inertias at zero, in the ground frame; zero inside joints
  std::vector<double> x;
  Vec3<double> g;  ///< gravity

  /// Definition 1, (37): Ad of e^{-A_j x_j} ... e^{-A_i x_i}; B itself where i > j.
  Twist<double> Ad_chain(int j, int i, Twist<double> B) const {
    for (int k = i; k <= j; ++k)
      if (carries(k, j)) B = Ad_inv(exp(A[at(k)] * x[at(k)]), B);
    return B;
  }
  /// Definition 2: <V, W>_k.
  double inner(int k, const Twist<double>& V, const Twist<double>& W) const {
    return dot(D[at(k)] * V, W);
  }
  /// Ad_k^{j+1}(A_j): a column of L A; zero where j does not carry k.
  Twist<double> column(int k, int j) const {
    return carries(j, k) ? Ad_chain(k, j + 1, A[at(j)]) : Twist<double>{};
  }
  /// f_k, (31).
  SE3<double> pose(int k) const {
    SE3<double> f;
    for (int j = 0; j <= k; ++j)
      if (carries(j, k)) f = f * exp(A[at(j)] * x[at(j)]);
    return f * M[at(k)];
  }

  /// (40).
  double mass(int i, int j) const {
    double sum = 0;
    for (int k = 0; k < n(); ++k) sum += inner(k, column(k, i), column(k, j));
    return sum;
  }
  /// Proposition 1, (53): d/dx_k Ad_j^i(B).
  Twist<double> chain_derivative(int j, int i, const Twist<double>& B, int k) const {
    if (!(i <= k && k <= j && carries(k, j))) return {};
    return Ad_chain(j, k, ad(Ad_chain(before(k), i, B), A[at(k)]));
  }
  /// Proposition 2, (54): d2/(dx_l dx_k) Ad_j^i(B).
  Twist<double> chain_second_derivative(int j, int i, const Twist<double>& B, int k, int l) const {
    const int a = k < l ? k : l, c = k < l ? l : k;
    if (!(i <= a && c <= j && carries(a, j) && carries(c, j))) return {};
    const Twist<double> inner_bracket = ad(Ad_chain(before(a), i, B), A[at(a)]);
    return Ad_chain(j, c, ad(Ad_chain(before(c), a, inner_bracket), A[at(c)]));
  }
  /// dm_ij/dx_k.
  double mass_derivative(int i, int j, int k) const {
    double sum = 0;
    for (int l = 0; l < n(); ++l)
      sum += inner(l, column_derivative(l, i, k), column(l, j)) +
             inner(l, column(l, i), column_derivative(l, j, k));
    return sum;
  }
  /// d2 m_ij/(dx_k dx_l).
  double mass_second_derivative(int i, int j, int k, int l) const;

  /// Gamma_ijk, first kind: (55), (56) and (57), as they are printed.
  double christoffel(int i, int j, int k) const;

  /// (58): - sum m_k g . f_k r.
  double potential() const;
  /// (59): dU/dx_k.
  double gravity_force(int k) const;

  ParkFactors factors() const;
  NewtonEulerFactors newton_euler_factors() const;
  ShiftFactors shift_factors() const;
  /// L A, 6n x n: the Jacobian of the map (65) to all link frames, seen from the ground at zero.
  Eigen::MatrixXd pullback_jacobian() const;
  /// The part of M that inertial parameter p (m, m c, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, about the
  /// ground's origin at zero) of link k brings for each unit of it: M is linear in all of them.
  Eigen::MatrixXd mass_of_parameter(int k, int p) const;

 private:
  static size_t at(int k) { return static_cast<size_t>(k); }
  /// The coordinate before k on its way to the ground, or -1.
  int before(int k) const {
    for (int j = k; --j >= 0;)
      if (carries(j, k)) return j;
    return -1;
  }
  Twist<double> column_derivative(int l, int j, int k) const {
    return carries(j, l) ? chain_derivative(l, j + 1, A[at(j)], k) : Twist<double>{};
  }
  /// <Ad_l^b([Ad_{b-1}^{a+1}(A_a), A_b]), Ad_l^{c+1}(A_c)>_l.
  double term(int l, int a, int b, int c) const {
    if (a == b) return 0;
    return inner(l, Ad_chain(l, b, ad(Ad_chain(before(b), a + 1, A[at(a)]), A[at(b)])),
                 column(l, c));
  }

  std::vector<std::vector<bool>> path_;  ///< [k][j]: whether j carries k
};

inline LagrangianForm::LagrangianForm(const Robot& robot, const VectorArg& q) {
  robot.check_q("lagrangian form", "q", q);
  const std::span<const double> own = q;
  const Model<double>& m = robot.model();
  for (int r = 0; r < m.part_at[m.bodies]; ++r) {
    const JointKind kind = m.part[r].kind;
    for (const JointKind refused : {JointKind::planar, JointKind::spherical, JointKind::free,
                                    JointKind::circle, JointKind::custom})
      if (kind == refused)
        throw InputError(std::string("lagrangian form: a ") + name(kind) +
                         " joint has coordinates that are no exponents");
  }
  x.resize(at(m.nq));
  expand_positions(robot.system().coupling, own.data(), x.data());
  WorkspaceStorage<double> storage(m);
  Workspace<double>& w = storage.view();
  const std::vector<double> zero(at(m.nv) + at(m.nq));
  forward_poses(m, State<double>{zero.data(), zero.data(), zero.data()}, w);
  g = m.gravity;
  for (int i = 1; i < m.bodies; ++i)
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const bool last = k + 1 == m.v_at[i + 1];
      const Inertia<double> G = last ? m.G[i] : Inertia<double>{};
      A.push_back(Ad(w.pose[i], w.S[k]));
      M.push_back(w.pose[i] * SE3<double>{{}, G.mass > 0 ? G.h * (1 / G.mass) : Vec3<double>{}});
      D.push_back(push_forward(w.pose[i], G));
      path_.emplace_back(at(m.nv));
      for (int b = m.parent[i]; b > 0; b = m.parent[b])
        for (int j = m.v_at[b]; j < m.v_at[b + 1]; ++j) path_.back()[at(j)] = true;
      for (int j = m.v_at[i]; j <= k; ++j) path_.back()[at(j)] = true;
    }
}

inline double LagrangianForm::mass_second_derivative(int i, int j, int k, int l) const {
  const auto second = [&](int body, int c) {
    return carries(c, body) ? chain_second_derivative(body, c + 1, A[at(c)], k, l)
                            : Twist<double>{};
  };
  double sum = 0;
  for (int body = 0; body < n(); ++body)
    sum += inner(body, second(body, i), column(body, j)) +
           inner(body, column_derivative(body, i, k), column_derivative(body, j, l)) +
           inner(body, column_derivative(body, i, l), column_derivative(body, j, k)) +
           inner(body, column(body, i), second(body, j));
  return sum;
}

inline double LagrangianForm::christoffel(int i, int j, int k) const {
  if (i > j) return christoffel(j, i, k);
  const int last = j > k ? j : k;
  if (!carries(i, last) || !carries(j, last) || !carries(k, last)) return 0;
  double sum = 0;
  for (int l = last; l < n(); ++l) {
    if (!carries(last, l)) continue;
    if (k <= i) sum += term(l, k, i, j) + term(l, k, j, i) + term(l, i, j, k);       // (55)
    else if (k <= j) sum += term(l, k, j, i) + term(l, i, j, k) - term(l, i, k, j);  // (56)
    else sum += term(l, i, j, k) - term(l, i, k, j) - term(l, j, k, i);              // (57)
  }
  return sum / 2;
}

inline double LagrangianForm::potential() const {
  double U = 0;
  for (int k = 0; k < n(); ++k) U -= D[at(k)].mass * dot(g, pose(k).p);
  return U;
}

inline double LagrangianForm::gravity_force(int k) const {
  double sum = 0;
  for (int i = k; i < n(); ++i) {
    if (!carries(k, i)) continue;
    const Twist<double> B = Ad_inv(M[at(i)], column(i, k));  // M^-1 hat(Ad A_k) M
    sum -= D[at(i)].mass * dot(g, pose(i).R * B.v);          // times r = (0, 0, 0, 1)
  }
  return sum;
}

inline ParkFactors LagrangianForm::factors() const {
  const Eigen::Index rows = 6 * Eigen::Index(n());
  ParkFactors f{Eigen::MatrixXd::Zero(rows, n()), Eigen::MatrixXd::Zero(rows, rows),
                Eigen::MatrixXd::Zero(rows, rows)};
  for (int k = 0; k < n(); ++k) {
    f.A.block<6, 1>(6 * k, k) = to_eigen(A[at(k)]);
    f.D.block<6, 6>(6 * k, 6 * k) = detail::block_of(D[at(k)]);
    for (int j = 0; j <= k; ++j) {
      if (!carries(j, k)) continue;
      SE3<double> T;
      for (int c = j + 1; c <= k; ++c)
        if (carries(c, k)) T = T * exp(A[at(c)] * x[at(c)]);
      f.L.block<6, 6>(6 * k, 6 * j) = to_eigen(Ad_inv_matrix(T));
    }
  }
  return f;
}

inline NewtonEulerFactors LagrangianForm::newton_euler_factors() const {
  const ParkFactors f = factors();
  Eigen::MatrixXd Q = Eigen::MatrixXd::Zero(6 * n(), 6 * n()), inverse = Q;
  for (int k = 0; k < n(); ++k) {
    Q.block<6, 6>(6 * k, 6 * k) = to_eigen(Ad_matrix(M[at(k)]));
    inverse.block<6, 6>(6 * k, 6 * k) = to_eigen(Ad_inv_matrix(M[at(k)]));
  }
  using namespace detail;
  return {product(inverse, f.A), product(inverse, product(f.L, Q)), congruent(Q, f.D), Q};
}

inline ShiftFactors LagrangianForm::shift_factors() const {
  ShiftFactors f{Eigen::MatrixXd::Zero(6 * n(), n()), Eigen::MatrixXd::Zero(6 * n(), 6 * n()),
                 Eigen::MatrixXd::Zero(6 * n(), 6 * n())};
  for (int k = 0; k < n(); ++k) {
    const SE3<double> at_k = pose(k);
    const SE3<double> turn{at_k.R, {}};
    f.H.block<6, 1>(6 * k, k) = to_eigen(Ad(turn, Ad_inv(M[at(k)], A[at(k)])));
    f.J.block<6, 6>(6 * k, 6 * k) =
        detail::block_of(push_forward(turn, pull_back(M[at(k)], D[at(k)])));
    for (int j = 0; j <= k; ++j)
      if (carries(j, k))
        f.phi.block<6, 6>(6 * k, 6 * j) =
            to_eigen(Ad_inv_matrix(SE3<double>{{}, at_k.p - pose(j).p}));
  }
  return f;
}

inline Eigen::MatrixXd LagrangianForm::pullback_jacobian() const {
  Eigen::MatrixXd J(6 * n(), n());
  for (int k = 0; k < n(); ++k)
    for (int j = 0; j < n(); ++j) J.block<6, 1>(6 * k, j) = to_eigen(column(k, j));
  return J;
}

inline Eigen::MatrixXd LagrangianForm::mass_of_parameter(int k, int p) const {
  double unit[10] = {};
  unit[p] = 1;
  const Inertia<double> G{
      unit[0], {unit[1], unit[2], unit[3]}, {unit[4], unit[5], unit[6], unit[7], unit[8], unit[9]}};
  Eigen::MatrixXd J(6, n());
  for (int j = 0; j < n(); ++j) J.col(j) = to_eigen(column(k, j));
  return detail::congruent(J, detail::block_of(G));
}

inline namespace JOUNCE_ISA {

/// Park's worked example, (60)-(64): M, C and the curvature of any arm of two screws. X and Y are
/// <Ad_2^2[A_1, A_2], Ad_2^2 A_1>_2 and <Ad_2^2[A_1, A_2], A_2>_2.
struct TwoScrewArm {
  explicit TwoScrewArm(const LagrangianForm& of) {
    const Twist<double> bracket = ad(of.A[0], of.A[1]);
    const Twist<double> first = of.Ad_chain(1, 1, of.A[0]), turned = of.Ad_chain(1, 1, bracket);
    const Twist<double> again = of.Ad_chain(1, 1, ad(bracket, of.A[1]));
    M(0, 0) = of.inner(0, of.A[0], of.A[0]) + of.inner(1, first, first);  // (60)
    M(0, 1) = M(1, 0) = of.inner(1, first, of.A[1]);
    M(1, 1) = of.inner(1, of.A[1], of.A[1]);
    X = of.inner(1, turned, first);
    Y = of.inner(1, turned, of.A[1]);
    X_slope = of.inner(1, again, first) + of.inner(1, turned, turned);
  }
  /// (61)-(64), without their extra velocities and with the right sign of c_21.
  Eigen::Matrix2d C(double v1, double v2) const {
    Eigen::Matrix2d found;
    found << X * v2, X * v1 + Y * v2, -X * v1, 0;
    return found;
  }
  /// R_1212 by M_11(x_2), M_12(x_2) and a constant M_22: -M_11''/2 + ...
  double R_1212() const { return -X_slope + (M(1, 1) * X * X - M(0, 1) * X * Y) / M.determinant(); }
  double scalar_curvature() const { return 2 * R_1212() / M.determinant(); }

  Eigen::Matrix2d M;
  double X, Y, X_slope;  ///< X_slope = dX/dx_2
};

}  // namespace JOUNCE_ISA

}  // namespace jounce
