// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of closed loops as [Kim] 2012, 3.2 and 3.3 have it: passes over the open tree, of which
// all but the first reuse the articulated bodies of the first. For reading; ConstrainedDynamics is
// what to use.
//
//   const jounce::ForwardByPasses f = jounce::ConstrainedPasses(robot).forward(q, v, tau);
//   f.a, f.lambda, f.passes.full, f.passes.simplified       // 1 and m + 1: O(n) + O(m^3)
// Coordinates u have their accelerations prescribed, v their forces given; forward dynamics is the
// case without u, and needs no text of its own: (76)-(80) become (67)-(69).
// Departures from the paper: it takes A for full rank. Of rows that depend on one another those
// sums count that are independent, B = U^T A with U orthonormal, and m is their number. Whether
// lambda is unique is told by the rank of A_v, not by m <= n_v. Its M_uv in (72)-(77) is M_vu.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/equations/equations.hpp>
#include <jounce/error.hpp>

namespace jounce {

/// How often the tree was gone through, down and up.
struct PassCount {
  int full = 0;        ///< with gravity, velocities, and the factoring of articulated bodies
  int simplified = 0;  ///< forces alone, with the factors of a full one
};

struct ForwardByPasses {
  Eigen::VectorXd a, lambda;
  PassCount passes;
};
struct HybridByPasses {
  Eigen::VectorXd a, tau, lambda;
  PassCount passes;
  int free_dimension = 0;  ///< of the forces tau_u that do nothing but strain the loops
};

inline namespace JOUNCE_ISA {

/// Table 4 without velocity, gravity and outside wrenches, on the factors U, D of a full pass
/// (hybrid): from a_u = 0 and tau_v to w.a, and to w.tau of the coordinates u.
template <class P, class Real>
constexpr void simplified_hybrid(const Model<P>& m, const bool* prescribed, const Real* tau,
                                 Workspace<Real>& w) {
  for (int i = 0; i < m.bodies; ++i) w.F[i] = {};
  w.Vdot[0] = {};
  for (int i = m.bodies - 1; i > 0; --i) {
    const int first = m.v_at[i], last = m.v_at[i + 1];
    Wrench<Real> beta = w.F[i];
    for (int k = first; k < last; ++k)
      w.a[k] = prescribed[k] ? Real(0) : tau[k] - dot(beta, w.S[k]);
    solve(w.D + 6 * first, last - first, w.a + first);
    for (int k = first; k < last; ++k) beta += w.U[k] * w.a[k];
    w.F[m.parent[i]] += dual_Ad_inv(w.T[i], beta);  // (52)
  }
  for (int i = 1; i < m.bodies; ++i) {
    const int first = m.v_at[i], n = m.v_at[i + 1] - first;
    w.Vdot[i] = Ad_inv(w.T[i], w.Vdot[m.parent[i]]);
    Real moved[6];
    for (int k = 0; k < n; ++k) moved[k] = dot(w.U[first + k], w.Vdot[i]);
    solve(w.D + 6 * first, n, moved);
    for (int k = 0; k < n; ++k) w.a[first + k] = w.a[first + k] - moved[k];  // (45)
    w.Vdot[i] += joint_twist(m, w, i, w.a);                                  // (41)
    w.F[i] += w.IA[i] * w.Vdot[i];                                           // (43)
    for (int k = first; k < first + n; ++k) w.tau[k] = prescribed[k] ? dot(w.F[i], w.S[k]) : tau[k];
  }
}

}  // namespace JOUNCE_ISA

class ConstrainedPasses {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// Without mimic joints: the articulated bodies of a tree know nothing of them.
  explicit ConstrainedPasses(const Robot& robot) : loops_(robot), tree_(robot), room_(system()) {
    if (robot.has_mimic())
      throw InputError("ConstrainedPasses: robot \"" + robot.name() +
                       "\" has mimic joints, needs a tree without them");
  }

  ForwardByPasses forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                          const Surroundings& around = {}, std::span<const Contact> contacts = {}) {
    const Flags nothing = Flags::Constant(loops_.robot().nv(), false);
    const Vector none = Vector::Zero(nothing.size());
    const HybridByPasses found = hybrid(flags(nothing), q, v, none, tau, around, contacts);
    return {found.a, found.lambda, found.passes};
  }

  HybridByPasses hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                        const VectorArg& a, const VectorArg& tau, const Surroundings& around = {},
                        std::span<const Contact> contacts = {}, Optimum optimum = Optimum::force) {
    check(prescribed, q, v, a, tau);
    const auto is_u = Eigen::Map<const Flags>(prescribed.data(), Eigen::Index(prescribed.size()));
    HybridByPasses found;
    const Matrix A = loops_.jacobian(q, contacts, around.time);
    full_pass(prescribed, {start(q), start(v), start(a)}, start(tau), around, found);
    if (A.rows() == 0) return found;
    const Vector opening =
        A * found.a + loops_.bias(q, v, contacts, around.time);  // A a_r + Adot v
    const int rank = loops_.robot().nv() - loops_.mobility();
    const Rows rows = rows_that_count(A, is_u, rank + ConstrainedDynamics::rows(contacts));
    require_reachable(rows, opening);

    const Matrix B = rows.U.transpose() * A;
    Matrix X(A.cols(), B.rows());  // M_vv^-1 B_v^T, zero in u
    for (Eigen::Index i = 0; i < B.rows(); ++i)
      X.col(i) = simplified_pass(prescribed, B.row(i), found.passes).a;
    const Matrix S = B * X;                                           // B_v M_vv^-1 B_v^T  (73)
    const Vector nu = -S.ldlt().solve(rows.U.transpose() * opening);  // (67), (76)
    found.lambda = rows.U * nu;

    const Motion c = simplified_pass(prescribed, A.transpose() * found.lambda, found.passes);
    found.a += c.a;  // (69), (80)
    found.tau += is_u.select(c.tau - A.transpose() * found.lambda, Vector::Zero(A.cols()));  // (79)
    strain(A, is_u, rows, optimum, found);
    return found;
  }

 private:
  using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;
  struct Motion {
    Vector a, tau;
  };
  /// Sums of the rows of A, orthonormal: those that are independent in the coordinates v, and those
  /// that vanish there.
  struct Rows {
    Matrix U, N;
  };

  const System<double>& system() const { return tree_.system(); }
  static const double* start(std::span<const double> x) { return x.data(); }
  static std::span<const bool> flags(const Flags& f) { return {f.data(), size_t(f.size())}; }

  void check(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
             const VectorArg& a, const VectorArg& tau) const {
    const Robot& robot = loops_.robot();
    const char* name = "ConstrainedPasses";
    robot.check_q(name, "q", q);
    robot.check_v(name, "v", v);
    robot.check_v(name, "a", a);
    robot.check_v(name, "tau", tau);
    if (prescribed.size() != size_t(robot.nv()))
      throw InputError(std::string(name) + ": prescribed has " + std::to_string(prescribed.size()) +
                       " elements, robot \"" + robot.name() + "\" needs " +
                       std::to_string(robot.nv()));
  }

  /// What the open tree does, a_r and tau_ur: Tables 3 and 4.
  void full_pass(std::span<const bool> prescribed, const OwnState<double>& x, const double* forces,
                 const Surroundings& around, HybridByPasses& found) {
    Equations<double, double, TemplateTree<double, double>> equations{tree_, room_};
    const Vector tau = Vector::Map(forces, system().nv);
    Vector given = tau;
    equations.add_passive(x, around, -1, given.data());
    State<double> state = equations.set_up_bodies(x, around);
    state.tau = given.data();
    Workspace<double>& w = room_.tree.view();
    jounce::hybrid(system().tree, state, prescribed.data(), w);
    const Motion motion = copied(w);
    found.a = motion.a;
    found.tau = motion.tau + (tau - given);
    ++found.passes.full;
  }
  Motion simplified_pass(std::span<const bool> prescribed, const Vector& tau, PassCount& count) {
    Workspace<double>& w = room_.tree.view();
    simplified_hybrid(system().tree, prescribed.data(), tau.data(), w);
    ++count.simplified;
    return copied(w);
  }
  Motion copied(const Workspace<double>& w) const {
    return {Vector::Map(w.a, system().nv), Vector::Map(w.tau, system().nv)};
  }

  static Rows rows_that_count(const Matrix& A, const Flags& is_u, Eigen::Index most) {
    Matrix A_v = A;
    for (Eigen::Index k = 0; k < A.cols(); ++k)
      if (is_u[k]) A_v.col(k).setZero();
    const Eigen::ColPivHouseholderQR<Matrix> qr(A_v);
    const Matrix Q = qr.householderQ();
    const auto pivots = qr.matrixQR().diagonal().cwiseAbs();
    const double none = 1e-9 * A.rowwise().norm().maxCoeff();
    Eigen::Index rank = 0;
    while (rank < std::min(most, pivots.size()) && pivots[rank] > none) ++rank;
    return {Q.leftCols(rank), Q.rightCols(A.rows() - rank)};
  }

  /// Refuses a_u for which no a_v satisfies (71).
  void require_reachable(const Rows& rows, const Vector& opening) const {
    const double off = (rows.N.transpose() * opening).norm();
    if (off > 1e-6 * std::max(1.0, opening.norm()))
      throw ComputationError(
          "ConstrainedPasses: the prescribed accelerations contradict the loops: what is left of "
          "A a + Adot v is " +
          std::to_string(off) + ", needs 0");
  }

  /// lambda + N s does the same in the coordinates v; those u bear -A_u^T N s, which is made to
  /// leave the smallest tau_u  ((61)-(64) with u, v for a, p).
  static void strain(const Matrix& A, const Flags& is_u, const Rows& rows, Optimum optimum,
                     HybridByPasses& found) {
    Matrix on_u = A.transpose() * rows.N;
    Vector tau_u = found.tau;
    for (Eigen::Index k = 0; k < A.cols(); ++k)
      if (!is_u[k]) on_u.row(k).setZero(), tau_u[k] = 0;
    const double none = 1e-9 * A.cwiseAbs().maxCoeff();
    if (on_u.cols() == 0 || on_u.cwiseAbs().maxCoeff() <= none) return;
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(1e-9);
    solver.compute(on_u);
    found.free_dimension = int(solver.rank());
    if (optimum == Optimum::force) return;
    const Vector s = solver.solve(tau_u);  // (64)
    found.lambda += rows.N * s;
    found.tau -= on_u * s;
  }

  ConstrainedDynamics loops_;
  TemplateTree<double, double> tree_;
  EquationsStorage<double> room_;
};

}  // namespace jounce
