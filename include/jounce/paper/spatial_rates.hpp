// SPDX-License-Identifier: BSD-3-Clause
// The closed form of inverse dynamics of orders 0 and 1 in the ground frame, for reading.
//
// [Ali] Proposition 1 (10)-(19) with external terms, Table 2, appendix B (32)-(40). Stacked rows of
// Algorithm 1, with nu = (V_1, qdot) and Gam = (gamma, ..., gamma):
//   VV = PP SS nu,   VV' = PP (SS nu' + SS' nu),   VV'' = PP (SS nu'' + 2 SS' nu' + SS'' nu)
//   tau  = M nu' + C nu + G - tau_ext                                                        (10)
//   tau' = M nu'' + (M' + C) nu' + C' nu + G' - tau_ext'                                     (14)
// PP and CC = PP^T hold which body carries which, (31).
#pragma once

#include <jounce/algorithm/spatial_frame.hpp>
#include <jounce/global_matrices.hpp>

namespace jounce {

/// A wrench on a body, in the ground frame, and its derivative.
struct SpatialWrench {
  int body = 1;  ///< 1 ... n
  Wrench<double> W, Wdot;
};

struct SpatialRates {
  Eigen::MatrixXd PP;                      ///< 6n x 6n
  Eigen::MatrixXd SS, SSdot, SSddot;       ///< 6n x nv
  Eigen::MatrixXd MM, MMdot, adV, adVdot;  ///< 6n x 6n, diagonal by bodies
  Eigen::VectorXd Gam, WW, WWdot;          ///< 6n
  Eigen::VectorXd nu, nudot;
  Eigen::VectorXd armature;  ///< of rotors, which the paper does not have

  Eigen::MatrixXd CC() const { return PP.transpose(); }
  Eigen::VectorXd VV() const { return gathered(own(SS, nu)); }                         // (33)
  Eigen::VectorXd VVdot() const { return gathered(own(SS, nudot) + own(SSdot, nu)); }  // (34)
  Eigen::VectorXd VVddot(const Eigen::VectorXd& nuddot) const {                        // (39)
    return gathered(own(SS, nuddot) + 2 * own(SSdot, nudot) + own(SSddot, nu));
  }
  Eigen::MatrixXd M() const {  // (11)
    Eigen::MatrixXd mass = detail::congruent(carried(SS), MM);
    mass.diagonal() += armature;
    return mass;
  }
  Eigen::MatrixXd C() const { return across(SS, inner()); }              // (12), (21)
  Eigen::VectorXd G() const { return -joint_forces(SS, own(MM, Gam)); }  // (13)
  Eigen::VectorXd tau_ext() const { return joint_forces(SS, WW); }       // (13)
  Eigen::MatrixXd Mdot() const {                                         // (15)
    const Eigen::MatrixXd X = carried(SS), N = across(SSdot, detail::product(MM, X));
    return N + N.transpose() + detail::congruent(X, MMdot);
  }
  Eigen::MatrixXd Cdot() const {  // (16), (17)
    using namespace detail;
    const Dense X = carried(SS), Xdot = carried(SSdot), Xddot = carried(SSddot);
    const Dense momentum = product(MMdot, X) + product(MM, Xdot);
    return across(SSdot, inner()) + across(SS, product(MMdot, Xdot) + product(MM, Xddot) -
                                                   transposed_product(adVdot, product(MM, X)) -
                                                   transposed_product(adV, momentum));
  }
  Eigen::VectorXd Gdot() const {
    return -joint_forces(SSdot, own(MM, Gam)) - joint_forces(SS, own(MMdot, Gam));
  }
  Eigen::VectorXd tau_ext_rate() const { return joint_forces(SSdot, WW) + joint_forces(SS, WWdot); }
  Eigen::VectorXd tau() const {  // (10)
    return own(M(), nudot) + own(C(), nu) + G() - tau_ext();
  }
  Eigen::VectorXd tau_rate(const Eigen::VectorXd& nuddot) const {  // (14)
    return own(M(), nuddot) + own(Mdot() + C(), nudot) + own(Cdot(), nu) + Gdot() - tau_ext_rate();
  }

 private:
  using Dense = Eigen::MatrixXd;
  using Column = Eigen::VectorXd;

  static Column own(const Dense& A, const Column& x) { return detail::image(A, x); }
  Column gathered(const Column& x) const { return detail::image(PP, x); }
  Dense carried(const Dense& S) const { return detail::product(PP, S); }
  /// S^T CC X.
  Dense across(const Dense& S, const Dense& X) const {
    return detail::transposed_product(carried(S), X);
  }
  Column joint_forces(const Dense& S, const Column& x) const {
    return detail::transposed_image(carried(S), x);
  }
  Dense inner() const {
    const Dense momentum = detail::product(MM, carried(SS));
    return detail::product(MM, carried(SSdot)) - detail::transposed_product(adV, momentum);
  }
};

namespace detail::inline JOUNCE_ISA {

inline SpatialRates zero_rates(int rows, int nv) {
  SpatialRates s;
  s.PP = Eigen::MatrixXd::Identity(rows, rows);
  for (Eigen::MatrixXd* x : {&s.MM, &s.MMdot, &s.adV, &s.adVdot})
    *x = Eigen::MatrixXd::Zero(rows, rows);
  for (Eigen::MatrixXd* x : {&s.SS, &s.SSdot, &s.SSddot}) *x = Eigen::MatrixXd::Zero(rows, nv);
  for (Eigen::VectorXd* x : {&s.Gam, &s.WW, &s.WWdot}) *x = Eigen::VectorXd::Zero(rows);
  return s;
}

/// Algorithm 1 to order 2 with the base's own twist, from the tree's q and nu, nu'.
inline void run_algorithm_1(const Model<double>& m, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& nu, const Eigen::VectorXd& nudot,
                            WorldWorkspace<double, SpatialFrame>& w) {
  w.own_base = true;
  for (int j = 0; j < m.nv; ++j) w.v[0][j] = nu[j], w.v[1][j] = nudot[j], w.v[2][j] = 0;
  start_world_series(m, q.data(), w);
  forward_twist_series(m, q.data(), 1, w);
  for (int i = 1; i < m.bodies; ++i) SpatialFrame::extend(m, q.data(), i, 2, w);
}

/// The rows of all bodies, from what Algorithm 1 left.
inline void stack_bodies(const Model<double>& m, const WorldWorkspace<double, SpatialFrame>& w,
                         SpatialRates& s) {
  for (int i = 1; i < m.bodies; ++i) {
    const int row = 6 * (i - 1);
    if (m.parent[i] > 0) s.PP.middleRows<6>(row) += s.PP.middleRows<6>(6 * (m.parent[i] - 1));
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) {
      s.SS.block<6, 1>(row, j) = to_eigen(w.S[j][0]);
      s.SSdot.block<6, 1>(row, j) = to_eigen(w.S[j][1]);
      s.SSddot.block<6, 1>(row, j) = 2 * to_eigen(w.S[j][2]);
    }
    const Inertia<double> rate{0, w.h[i][1], w.I[i][1]};
    s.MM.block<6, 6>(row, row) = block_of(w.G[i]);
    s.MMdot.block<6, 6>(row, row) = block_of(rate);
    s.adV.block<6, 6>(row, row) = to_eigen(ad_matrix(w.V[i][0]));
    s.adVdot.block<6, 6>(row, row) = to_eigen(ad_matrix(w.V[i][1]));
  }
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// Of a robot without mimic and custom joints (InputError); a is the derivative of v.
inline SpatialRates spatial_rates(const Robot& robot, const VectorArg& q, const VectorArg& v,
                                  const VectorArg& a, std::span<const SpatialWrench> applied = {}) {
  const Model<double>& m = robot.model();
  if (robot.has_mimic() || has_custom_joint(m))
    throw InputError("spatial_rates: robot \"" + robot.name() + "\" has mimic or custom joints");
  const SpatialMatrices order_0 = spatial_matrices(robot, q, v);
  robot.check_v("spatial_rates", "a", a);
  const std::span<const double> at = q, change = a;
  SpatialRates s = detail::zero_rates(6 * (m.bodies - 1), m.nv);
  s.nu = order_0.nu;  // ad_V V = 0: the base's nu' is Ad of its a
  s.nudot = detail::image(order_0.base, Eigen::Map<const Eigen::VectorXd>(change.data(), m.nv));
  s.armature = Eigen::Map<const Eigen::VectorXd>(m.armature, m.nv);
  s.Gam = order_0.Gam;
  WorldStorage<double, SpatialFrame> storage(m, 1);
  WorldWorkspace<double, SpatialFrame>& w = storage.view();
  detail::run_algorithm_1(m, Eigen::Map<const Eigen::VectorXd>(at.data(), m.nq), s.nu, s.nudot, w);
  detail::stack_bodies(m, w, s);
  for (const SpatialWrench& one : applied) {
    if (one.body < 1 || one.body >= m.bodies)
      throw InputError("spatial_rates: a wrench on body " + std::to_string(one.body) +
                       ", robot \"" + robot.name() + "\" has bodies 1 to " +
                       std::to_string(m.bodies - 1));
    s.WW.segment<6>(6 * (one.body - 1)) += to_eigen(one.W);
    s.WWdot.segment<6>(6 * (one.body - 1)) += to_eigen(one.Wdot);
  }
  return s;
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
