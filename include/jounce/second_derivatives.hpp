// SPDX-License-Identifier: BSD-3-Clause
// Second partial derivatives of inverse and forward dynamics and of the mass matrix.
//
//   jounce::SecondDerivatives second(arm);
//   jounce::InverseSecondDerivatives d(arm);       // four tensors of nv^3 numbers
//   second.inverse(q, v, a, into(d));              // d.dqdq(i, k, l)
//   auto products = second.inverse_products(y, q, v, a);   // sum_i y_i d2 tau_i, without tensors
// Columns along q are along integrate(q, dv). Checks and surroundings as of Dynamics.
#pragma once

#include <jounce/algorithm/second_room.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/tensor.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

/// Four tensors or matrices as a call writes them: only where they can differ from zero.
struct SecondBlocks {
  SecondPartials<double> blocks;
  bool& rounded;  ///< an earlier call, on dual numbers, left rounding where there is always zero
};

/// d2 tau_i/(dx_k dy_l) at (i, k, l): first along x_k, then y_l, so that slice(l) is how the matrix
/// dtau/dx changes along y_l. Along q_k and q_l of one planar, spherical or free joint the order
/// matters: the tensor less its transpose is the bracket of the two screws times dtau/dq.
class InverseSecondDerivatives : public RobotResult {
 public:
  explicit InverseSecondDerivatives(const Robot& robot)
      : InverseSecondDerivatives(robot, robot.nv()) {
    if (robot.has_mimic()) tree_.push_back(InverseSecondDerivatives(robot, robot.model().nv));
  }

  Tensor dqdq, dqdv, dvdv;
  Tensor dadq;  ///< slice(l) is dM/dq_l

 private:
  friend class SecondDerivatives;
  InverseSecondDerivatives(const Robot& robot, int n)
      : RobotResult(robot), dqdq(n, 0), dqdv(n, 136), dvdv(n, 272), dadq(n, 408) {}
  SecondBlocks blocks() {
    return {{dqdq.numbers(), dqdv.numbers(), dvdv.numbers(), dadq.numbers()}, rounded_};
  }
  /// In the coordinates of the tree: others where there are mimic joints.
  SecondBlocks tree() { return tree_.empty() ? blocks() : tree_.front().blocks(); }

  std::vector<InverseSecondDerivatives> tree_;  ///< one, or none
  bool rounded_ = false;
};

/// Second derivatives of the accelerations of forward dynamics, as above; those by v and tau, and
/// twice by tau, are zero.
class ForwardSecondDerivatives : public RobotResult {
 public:
  explicit ForwardSecondDerivatives(const Robot& robot)
      : RobotResult(robot),
        dqdq(robot.nv(), 0),
        dqdv(robot.nv(), 136),
        dvdv(robot.nv(), 272),
        dtaudq(robot.nv(), 408),
        inverse_(robot) {}

  Tensor dqdq, dqdv, dvdv;
  Tensor dtaudq;  ///< slice(l) is d(M^-1)/dq_l

 private:
  friend class SecondDerivatives;
  SecondPartials<double> blocks() {
    return {dqdq.numbers(), dqdv.numbers(), dvdv.numbers(), dtaudq.numbers()};
  }

  InverseSecondDerivatives inverse_;
};

/// sum_i y_i d2 tau_i/(dx_k dy_l) at (k, l); of forward dynamics with tau in the place of a.
class SecondProducts : public RobotResult {
 public:
  explicit SecondProducts(const Robot& robot)
      : RobotResult(robot), dqdq(robot.nv(), robot.nv()), dqdv(dqdq), dvdv(dqdq), dadq(dqdq) {}

  OwnedMatrix dqdq, dqdv, dvdv, dadq;

 private:
  friend class SecondDerivatives;
  SecondBlocks blocks() {
    return {{detail::OwnedAccess::numbers(dqdq), detail::OwnedAccess::numbers(dqdv),
             detail::OwnedAccess::numbers(dvdv), detail::OwnedAccess::numbers(dadq)},
            rounded_};
  }

  bool rounded_ = false;
};

/// dM/dq.
class MassDerivatives : public RobotResult {
 public:
  explicit MassDerivatives(const Robot& robot) : RobotResult(robot), all_(robot) {}
  /// dM_ij/dq_l.
  double operator()(int i, int j, int l) const { return all_.dadq(i, j, l); }
  /// dM/dq_l.
  OwnedMatrix::View slice(int l) const { return all_.dadq.slice(l); }

 private:
  friend class SecondDerivatives;
  InverseSecondDerivatives all_;  ///< the other three take no memory: nothing writes them
};

class SecondDerivatives {
 public:
  explicit SecondDerivatives(Robot robot);
  SecondDerivatives(SecondDerivatives&&) noexcept;
  SecondDerivatives& operator=(SecondDerivatives&&) noexcept;
  ~SecondDerivatives();

  const Robot& robot() const;

  /// Second derivatives of inverse(q, v, a, around).
  InverseSecondDerivatives inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                                   const Surroundings& around = {}) {
    return detail::written<InverseSecondDerivatives>(
        robot(), [&](auto to) { inverse(q, v, a, around, to); });
  }
  void inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
               const IntoResult<InverseSecondDerivatives>& found) {
    inverse(q, v, a, {}, found);
  }
  void inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
               const Surroundings& around, const IntoResult<InverseSecondDerivatives>& found) {
    InverseSecondDerivatives& to =
        detail::checked_into(robot(), "inverse_second_derivatives", found);
    run_inverse(q, v, a, around, to.tree(), to.blocks());
  }

  /// Second derivatives of forward(q, v, tau, around).
  ForwardSecondDerivatives forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                                   const Surroundings& around = {}) {
    return detail::written<ForwardSecondDerivatives>(
        robot(), [&](auto to) { forward(q, v, tau, around, to); });
  }
  void forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
               const IntoResult<ForwardSecondDerivatives>& found) {
    forward(q, v, tau, {}, found);
  }
  void forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
               const Surroundings& around, const IntoResult<ForwardSecondDerivatives>& found) {
    ForwardSecondDerivatives& to =
        detail::checked_into(robot(), "forward_second_derivatives", found);
    run_forward(q, v, tau, around, to.inverse_.tree(), to.inverse_.blocks(), to.blocks());
  }

  /// sum_i y_i d2 tau_i, without tensors.
  SecondProducts inverse_products(const VectorArg& y, const VectorArg& q, const VectorArg& v,
                                  const VectorArg& a, const Surroundings& around = {}) {
    return detail::written<SecondProducts>(
        robot(), [&](auto to) { inverse_products(y, q, v, a, around, to); });
  }
  void inverse_products(const VectorArg& y, const VectorArg& q, const VectorArg& v,
                        const VectorArg& a, const Surroundings& around,
                        const IntoResult<SecondProducts>& found) {
    SecondProducts& to = detail::checked_into(robot(), "inverse_second_products", found);
    run_inverse_products(y, q, v, a, around, to.blocks());
  }
  /// sum_i y_i d2 a_i, without tensors; dadq is by tau and q.
  SecondProducts forward_products(const VectorArg& y, const VectorArg& q, const VectorArg& v,
                                  const VectorArg& tau, const Surroundings& around = {}) {
    return detail::written<SecondProducts>(
        robot(), [&](auto to) { forward_products(y, q, v, tau, around, to); });
  }
  void forward_products(const VectorArg& y, const VectorArg& q, const VectorArg& v,
                        const VectorArg& tau, const Surroundings& around,
                        const IntoResult<SecondProducts>& found) {
    SecondProducts& to = detail::checked_into(robot(), "forward_second_products", found);
    run_forward_products(y, q, v, tau, around, to.blocks());
  }

  /// dM/dq: slice(l) is dM/dq_l.
  MassDerivatives mass(const VectorArg& q) {
    return detail::written<MassDerivatives>(robot(), [&](auto to) { mass(q, to); });
  }
  void mass(const VectorArg& q, const IntoResult<MassDerivatives>& found) {
    MassDerivatives& to = detail::checked_into(robot(), "mass_derivatives", found);
    run_mass(q, to.all_.tree(), to.all_.blocks());
  }
  /// d2 M/(dq_k dq_l), first along k, then along l.
  OwnedMatrix mass_second(const VectorArg& q, int k, int l) {
    const int n = robot().nv();
    OwnedMatrix found(n, n);
    mass_second(q, k, l, {detail::OwnedAccess::numbers(found), n, n});
    return found;
  }
  void mass_second(const VectorArg& q, int k, int l, const Into<double>& d2M);

 private:
  void run_inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                   const Surroundings& around, const SecondBlocks& tree, const SecondBlocks& own);
  void run_forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                   const Surroundings& around, const SecondBlocks& tree,
                   const SecondBlocks& inverse, const SecondPartials<double>& out);
  void run_inverse_products(const VectorArg& y, const VectorArg& q, const VectorArg& v,
                            const VectorArg& a, const Surroundings& around,
                            const SecondBlocks& own);
  void run_forward_products(const VectorArg& y, const VectorArg& q, const VectorArg& v,
                            const VectorArg& tau, const Surroundings& around,
                            const SecondBlocks& own);
  void run_mass(const VectorArg& q, const SecondBlocks& tree, const SecondBlocks& own);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<SecondDerivatives> = true;

}  // namespace jounce
