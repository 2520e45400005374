// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion as products of a few large matrices, for reading and teaching.
//
// Stacking the bodies' twists and wrenches turns the recursions into matrices of 6 n rows. The
// recursions cost O(n), these O(n^3); they are the same mathematics, and tests hold one against the
// other.
//   global_matrices       body frames: [Park] (47)-(49), (51), [Ploen] (24)-(28), (36)-(38)
//   spatial_matrices      ground frame: [Ali] Proposition 1 and Lemma 1 at order 0
//   innovations           Rodriguez, Jain, Kreutz-Delgado 1991: M = (1 + H phi K) D (1 + H phi K)^T
// Departures: joints may have any number of coordinates and screws S(q), whose rate Sdot enters
// beside adS Gamma V; trees, not only chains; rotors add a diagonal to M. Mimic joints share the
// columns of S with their leader.
#pragma once

#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/skew_block.hpp>
#include <jounce/algorithm/small_cholesky.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/group/eigen.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/paper/dense_products.hpp>
#include <jounce/vector_arg.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// The tree's state from the robot's, poses and twists of all bodies.
struct StackedState {
  StackedState(const Robot& robot_, const VectorArg& q_, const VectorArg& v_)
      : robot(robot_), m(robot.model()), storage(m), w(storage.view()) {
    robot.check_q("global matrices", "q", q_);
    robot.check_v("global matrices", "v", v_);
    const std::span<const double> from_q = q_, from_v = v_;
    const Coupling<double>& c = robot.system().coupling;
    fold = Dense::Zero(m.nv, robot.nv());
    for (int k = 0; k < robot.nv(); ++k)
      for_each_follower(c, k, [&](int t, double ratio) { fold(t, k) = ratio; });
    q.resize(m.nq);
    v.resize(m.nv);
    expand_positions(c, from_q.data(), q.data());
    expand(c, from_v.data(), v.data());
    const State<double> x{q.data(), v.data(), v.data()};
    forward_poses(m, x, w);
    w.V[0] = {};
    forward_twists(m, x, w);
  }
  static size_t at(int k) { return static_cast<size_t>(k); }
  int rows() const { return 6 * (m.bodies - 1); }

  /// diag[f(i)] over the bodies.
  template <class F>
  Dense diagonal(F f) const {
    Dense D = Dense::Zero(rows(), rows());
    for (int i = 1; i < m.bodies; ++i) D.block<6, 6>(6 * (i - 1), 6 * (i - 1)) = f(i);
    return D;
  }
  /// Columns f(i, k) of the coordinates k of joint i, in the rows of body i.
  template <class F>
  Dense screws(F f) const {
    Dense columns = Dense::Zero(rows(), m.nv);
    for (int i = 1; i < m.bodies; ++i)
      for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k)
        columns.block<6, 1>(6 * (i - 1), k) = to_eigen(f(i, k));
    return product(columns, fold);
  }

  const Robot& robot;
  const Model<double>& m;
  WorkspaceStorage<double> storage;
  Workspace<double>& w;
  Eigen::VectorXd q, v;  ///< of the tree
  Dense fold;            ///< tree velocities from the robot's
};

/// (1 - Y)^-1 = 1 + Y + Y^2 + ... where Y has a block in the rows of body i and the columns of its
/// parent, and none else.
inline Dense sum_of_powers(const Model<double>& m, const Dense& Y) {
  Dense sum = Dense::Identity(Y.rows(), Y.cols());
  for (int i = 1; i < m.bodies; ++i) {
    const int row = 6 * (i - 1), parent = 6 * (m.parent[i] - 1);
    if (parent >= 0)
      sum.middleRows(row, 6) +=
          product(Y.block(row, parent, 6, 6), sum.middleRows(parent, 6));  // sum = 1 + Y sum
  }
  return sum;
}

/// Of the symmetric matrix of one joint.
inline Dense inverse_of_joint(const Dense& A) {
  const int n = static_cast<int>(A.rows());
  double L[36], x[6];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k) L[6 * i + k] = A(i, k);
  factor(L, n);
  Dense inverse(n, n);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) x[i] = i == k ? 1 : 0;
    solve(L, n, x);
    for (int i = 0; i < n; ++i) inverse(i, k) = x[i];
  }
  return inverse;
}

inline Eigen::Matrix<double, 6, 6> block_of(const Inertia<double>& G) {
  return to_eigen(to_matrix(G));
}
/// Ploen's Proposition 1.
inline Eigen::Matrix<double, 6, 6> ploen_matrix(const Inertia<double>& G, const Twist<double>& V) {
  Eigen::Matrix<double, 6, 6> Cb;
  const Eigen::Matrix3d w = to_eigen(hat(V.w)), h = to_eigen(hat(G.h)),
                        I = to_eigen(to_matrix(G.I));
  Cb << w * I + I * w, h * w, -w * h, G.mass * w;
  return Cb;
}

}  // namespace detail::inline JOUNCE_ISA

/// Body frames; n is the number of moving bodies.
struct GlobalMatrices {
  Eigen::MatrixXd Gamma;     ///< 6n x 6n: Ad_{T_i^-1} from the parent to body i
  Eigen::MatrixXd G;         ///< (1 - Gamma)^-1 = 1 + Gamma + Gamma^2 + ...
  Eigen::MatrixXd S, Sdot;   ///< 6n x nv
  Eigen::MatrixXd J;         ///< diag of the bodies' inertias
  Eigen::MatrixXd P0;        ///< 6n x 6: from the ground to the bodies on it
  Eigen::MatrixXd adS;       ///< diag[-ad_{S_i v_i}]
  Eigen::MatrixXd adV_dual;  ///< diag[-ad*_{V_i}]; the paper's list of symbols forgets the dual
  Eigen::MatrixXd Cb;        ///< diag of Proposition 1, skew-symmetric
  Eigen::VectorXd V;         ///< G S v
  Eigen::VectorXd Vdot_0;    ///< (0, -g)
  Eigen::VectorXd armature;

  /// Twists of the bodies from joint velocities.
  Eigen::MatrixXd GS() const { return detail::product(G, S); }
  /// Park (51), Ploen (24), (36): S^T G^T J G S.
  Eigen::MatrixXd M() const {
    Eigen::MatrixXd mass = detail::congruent(GS(), J);
    mass.diagonal() += armature;
    return mass;
  }
  /// Ploen (27).
  Eigen::MatrixXd Gdot() const {
    return detail::product(G, detail::product(adS, detail::product(Gamma, G)));
  }
  /// d/dt (G S) with this Gdot.
  Eigen::MatrixXd GS_rate() const {
    const Eigen::MatrixXd own = detail::product(adS, detail::product(Gamma, GS()));
    return detail::product(G, own + Sdot);
  }
  /// Ploen (25): C v is right, Mdot - 2 C not skew.
  Eigen::MatrixXd C_plain() const { return coriolis(detail::product(adV_dual, J)); }
  /// Ploen (37), Proposition 2: Mdot - 2 C is skew-symmetric.
  Eigen::MatrixXd C_ploen() const { return coriolis(Cb); }
  /// The same with blocks of one's own: skew ones with blocks V = adV_dual J V will do.
  Eigen::MatrixXd C_of(const Eigen::MatrixXd& blocks) const { return coriolis(blocks); }
  /// Ploen (26), (38), S^T G^T J G P0 Vdot_0: gravity.
  Eigen::VectorXd phi() const {
    const Eigen::VectorXd Vdot = detail::image(G, detail::image(P0, Vdot_0));
    return detail::transposed_image(GS(), detail::image(J, Vdot));
  }
  /// Ploen (28): N + N^T.
  Eigen::MatrixXd Mdot() const {
    const Eigen::MatrixXd N = detail::transposed_product(GS_rate(), detail::product(J, GS()));
    return N + N.transpose();
  }

 private:
  /// S^T G^T (J d/dt(G S) + B G S).
  Eigen::MatrixXd coriolis(const Eigen::MatrixXd& B) const {
    const Eigen::MatrixXd X = GS();
    return detail::transposed_product(X, detail::product(J, GS_rate()) + detail::product(B, X));
  }
};

inline namespace JOUNCE_ISA {

inline GlobalMatrices global_matrices(const Robot& robot, const VectorArg& q, const VectorArg& v) {
  const detail::StackedState x(robot, q, v);
  const Model<double>& m = x.m;
  const Workspace<double>& w = x.w;
  const int n = x.rows();
  GlobalMatrices g;
  g.Gamma = Eigen::MatrixXd::Zero(n, n);
  g.P0 = Eigen::MatrixXd::Zero(n, 6);
  for (int i = 1; i < m.bodies; ++i) {
    const Eigen::Matrix<double, 6, 6> X = to_eigen(Ad_inv_matrix(w.T[i]));
    const int row = 6 * (i - 1), parent = 6 * (m.parent[i] - 1);
    if (parent < 0) g.P0.middleRows<6>(row) = X;
    else g.Gamma.block<6, 6>(row, parent) = X;
  }
  g.G = detail::sum_of_powers(m, g.Gamma);
  g.S = x.screws([&](int, int k) { return w.S[k]; });
  g.Sdot =
      x.screws([&](int i, int k) { return m.constant_screws(i) ? Twist<double>{} : w.Sdot[k]; });
  g.J = x.diagonal([&](int i) { return detail::block_of(m.G[i]); });
  g.adS = x.diagonal([&](int i) {
    return Eigen::Matrix<double, 6, 6>(-to_eigen(ad_matrix(joint_twist(m, w, i, x.v.data()))));
  });
  g.adV_dual = x.diagonal(
      [&](int i) { return Eigen::Matrix<double, 6, 6>(-to_eigen(dual_ad_matrix(w.V[i]))); });
  g.Cb = x.diagonal([&](int i) { return detail::ploen_matrix(m.G[i], w.V[i]); });
  g.V.resize(n);
  for (int i = 1; i < m.bodies; ++i) g.V.segment<6>(6 * (i - 1)) = to_eigen(w.V[i]);
  g.Vdot_0 = Eigen::VectorXd::Zero(6);
  g.Vdot_0.tail<3>() = -to_eigen(m.gravity);
  g.armature = x.fold.transpose().cwiseAbs2() * Eigen::Map<const Eigen::VectorXd>(m.armature, m.nv);
  return g;
}

}  // namespace JOUNCE_ISA

/// All twists, accelerations and wrenches, and the joint forces.
struct StackedMotion {
  Eigen::VectorXd V, Vdot, F, tau;
};

inline namespace JOUNCE_ISA {

/// Ploen (19)-(22) on a ground that moves with the twist V_0 and its rate Vdot_0, at the velocities
/// v that g was made for; gravity is added to Vdot_0.
inline StackedMotion stacked_motion(const GlobalMatrices& g, const Eigen::VectorXd& v,
                                    const Eigen::VectorXd& a, const Twist<double>& V_0 = {},
                                    const Twist<double>& Vdot_0 = {}) {
  StackedMotion x;
  using detail::image;
  const Eigen::VectorXd ground = image(g.P0, to_eigen(V_0));
  const Eigen::VectorXd start = image(g.P0, to_eigen(Vdot_0) + g.Vdot_0);
  x.V = image(g.G, image(g.S, v) + ground);  // (19)
  const Eigen::VectorXd carried = image(g.adS, image(g.Gamma, x.V) + ground);
  x.Vdot = image(g.G, image(g.S, a) + image(g.Sdot, v) + carried + start);  // (20)
  Eigen::VectorXd force = image(g.J, x.Vdot);
  const Eigen::VectorXd momentum = image(g.J, x.V);
  for (Eigen::Index i = 0; i < x.V.size(); i += 6) {
    const Twist<double> V{{x.V[i], x.V[i + 1], x.V[i + 2]}, {x.V[i + 3], x.V[i + 4], x.V[i + 5]}};
    force.segment<6>(i) -= to_eigen(dual_ad_matrix(V)) * momentum.segment<6>(i);
  }
  x.F = detail::transposed_image(g.G, force);                               // (21)
  x.tau = detail::transposed_image(g.S, x.F) + g.armature.cwiseProduct(a);  // (22)
  return x;
}

/// Ploen's blocks Cb, each written in a frame of one's choice: frame[i] is its pose on body i + 1.
/// His matrix depends on where the body frame lies, and so does C; C v does not.
inline Eigen::MatrixXd ploen_blocks(const Robot& robot, const GlobalMatrices& g,
                                    std::span<const SE3<double>> frame) {
  const Model<double>& m = robot.model();
  if (frame.size() != static_cast<size_t>(m.bodies - 1))
    throw InputError("ploen_blocks: " + std::to_string(frame.size()) + " frames, robot \"" +
                     robot.name() + "\" needs " + std::to_string(m.bodies - 1));
  Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(g.J.rows(), g.J.cols());
  for (int i = 1; i < m.bodies; ++i) {
    const int row = 6 * (i - 1);
    const SE3<double> there = inverse(frame[static_cast<size_t>(i - 1)]);
    const Eigen::Matrix<double, 6, 6> X = to_eigen(Ad_matrix(there));
    const Eigen::Matrix<double, 6, 1> V = X * g.V.segment<6>(row);
    const Eigen::Matrix<double, 6, 6> Cb =
        detail::ploen_matrix(push_forward(there, m.G[i]), {{V[0], V[1], V[2]}, {V[3], V[4], V[5]}});
    blocks.block<6, 6>(row, row) = X.transpose() * Cb * X;
  }
  return blocks;
}

}  // namespace JOUNCE_ISA

/// Ground frame: nothing is transformed between bodies. Ali's velocity nu has the spatial twist of
/// a free base; nu = base v.
struct SpatialMatrices {
  Eigen::MatrixXd PP;         ///< 6n x 6n: 1 where body j carries body i
  Eigen::MatrixXd SS, SSdot;  ///< 6n x nv; a free base has 1 and 0
  Eigen::MatrixXd MM;         ///< diag of inertias in the ground frame
  Eigen::MatrixXd adV;        ///< diag[ad_{V_i}]
  Eigen::MatrixXd MMdot;      ///< -(MM adV + adV^T MM)
  Eigen::VectorXd Gam;        ///< gravity (0, g) for every body
  Eigen::MatrixXd base;       ///< nv x nv: Ad of the base's pose, else 1
  Eigen::VectorXd nu;

  Eigen::MatrixXd PPSS() const { return detail::product(PP, SS); }
  /// Ali (11), without rotors.
  Eigen::MatrixXd M() const { return detail::congruent(PPSS(), MM); }
  /// Ali (21): Mdot - 2 C is skew-symmetric.
  Eigen::MatrixXd C() const {
    using namespace detail;
    const Eigen::MatrixXd X = PPSS(), Xdot = product(PP, SSdot), momentum = product(MM, X);
    return transposed_product(X, product(MM, Xdot) - transposed_product(adV, momentum));
  }
  /// Ali (13).
  Eigen::VectorXd gravity() const {
    return -detail::transposed_image(PPSS(), detail::image(MM, Gam));
  }
  Eigen::MatrixXd Mdot() const {
    const Eigen::MatrixXd X = PPSS(), Xdot = detail::product(PP, SSdot);
    const Eigen::MatrixXd N = detail::transposed_product(Xdot, detail::product(MM, X));
    return N + N.transpose() + detail::congruent(X, MMdot);
  }
};

inline namespace JOUNCE_ISA {

inline SpatialMatrices spatial_matrices(const Robot& robot, const VectorArg& q,
                                        const VectorArg& v) {
  const detail::StackedState x(robot, q, v);
  const Model<double>& m = x.m;
  const Workspace<double>& w = x.w;
  const auto twist = [&](int i) { return Ad(w.pose[i], w.V[i]); };
  const auto is_base = [&](int i) { return is_free_base(m, i); };
  SpatialMatrices s;
  s.PP = Eigen::MatrixXd::Identity(x.rows(), x.rows());
  for (int i = 1; i < m.bodies; ++i)
    if (m.parent[i] > 0)
      s.PP.middleRows<6>(6 * (i - 1)) += s.PP.middleRows<6>(6 * (m.parent[i] - 1));
  s.SS = x.screws([&](int i, int k) { return is_base(i) ? w.S[k] : Ad(w.pose[i], w.S[k]); });
  s.SSdot = x.screws([&](int i, int k) {
    if (is_base(i)) return Twist<double>{};
    const Twist<double> own = m.constant_screws(i) ? Twist<double>{} : w.Sdot[k];
    return Ad(w.pose[i], ad(w.V[i], w.S[k]) + own);
  });
  s.MM = x.diagonal([&](int i) { return detail::block_of(push_forward(w.pose[i], m.G[i])); });
  s.adV = x.diagonal([&](int i) { return to_eigen(ad_matrix(twist(i))); });
  s.MMdot = -detail::product(s.MM, s.adV) - detail::transposed_product(s.adV, s.MM);
  s.Gam = Eigen::VectorXd::Zero(x.rows());
  s.base = Eigen::MatrixXd::Identity(robot.nv(), robot.nv());
  for (int i = 1; i < m.bodies; ++i) {
    s.Gam.segment<3>(6 * (i - 1) + 3) = to_eigen(m.gravity);
    const int column = robot.system().coupling.v_source[m.v_at[i]];
    if (is_base(i)) s.base.block<6, 6>(column, column) = to_eigen(Ad_matrix(w.pose[i]));
  }
  const std::span<const double> own = v;
  s.nu = detail::image(s.base, Eigen::Map<const Eigen::VectorXd>(own.data(), robot.nv()));
  return s;
}

}  // namespace JOUNCE_ISA

/// The operator factors of M, in which the articulated inertias of forward dynamics appear.
struct Innovations {
  Eigen::MatrixXd P;  ///< 6n x 6n: diag of articulated inertias
  Eigen::MatrixXd D;  ///< nv x nv: S^T P S and rotors, diagonal by joints
  Eigen::MatrixXd D_inverse;
  Eigen::MatrixXd K;    ///< 6n x nv: Gamma^T P S D^-1, what a joint's force does to its parent
  Eigen::MatrixXd phi;  ///< G^T
  Eigen::MatrixXd psi;  ///< (1 - Gamma^T + K S^T)^-1: as phi, across joints that give way
  Eigen::MatrixXd S;

  /// (1 + H phi K) D (1 + H phi K)^T, H = S^T: beside Park's S^T G^T J G S.
  Eigen::MatrixXd M() const {
    Eigen::MatrixXd L = detail::transposed_product(S, detail::product(phi, K));
    L.diagonal().array() += 1;
    return detail::congruent(L.transpose(), D);
  }
  /// (1 - H psi K)^T D^-1 (1 - H psi K).
  Eigen::MatrixXd M_inverse() const {
    Eigen::MatrixXd L = -detail::transposed_product(S, detail::product(psi, K));
    L.diagonal().array() += 1;
    return detail::congruent(L, D_inverse);
  }
};

inline namespace JOUNCE_ISA {

/// InputError for robots with mimic joints: their D is not diagonal by joints.
inline Innovations innovations(const Robot& robot, const VectorArg& q) {
  if (robot.has_mimic())
    throw InputError("innovations: robot \"" + robot.name() + "\" has mimic joints");
  const std::vector<double> rest(static_cast<size_t>(robot.nv()));
  const GlobalMatrices g = global_matrices(robot, q, rest);
  const Model<double>& m = robot.model();
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(robot.nv(), robot.nv());
  Innovations f{g.J, zero, zero, {}, g.G.transpose(), {}, g.S};
  using namespace detail;
  for (int i = m.bodies - 1; i > 0; --i) {
    const int row = 6 * (i - 1), parent = 6 * (m.parent[i] - 1);
    const int first = m.v_at[i], n = m.v_at[i + 1] - first;
    const Dense P = f.P.block(row, row, 6, 6), S = g.S.block(row, first, 6, n);
    Dense D = congruent(S, P);
    D.diagonal() += g.armature.segment(first, n);
    const Dense inverse = inverse_of_joint(D);
    f.D.block(first, first, n, n) = D;
    f.D_inverse.block(first, first, n, n) = inverse;
    if (parent < 0) continue;
    const Dense behind = P - congruent(transposed_product(S, P), inverse);  // [Kim] (49)
    f.P.block(parent, parent, 6, 6) += congruent(g.Gamma.block(row, parent, 6, 6), behind);
  }
  f.K = transposed_product(g.Gamma, product(product(f.P, g.S), f.D_inverse));
  f.psi = sum_of_powers(m, g.Gamma - product(g.S, f.K.transpose())).transpose();
  return f;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
