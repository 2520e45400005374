// SPDX-License-Identifier: BSD-3-Clause
// Regressors of a robot: what is linear in the parameters of its links and joints, and which
// combinations of parameters motion can tell apart.
//
//   jounce::Regressor regressor(arm);
//   regressor.force(q, v, a) * regressor.parameters();   // inverse(q, v, a)
// Columns: ten per link in the order of the file (m, m c, I about the link frame's origin), then on
// request armature, viscous damping, Coulomb friction and quadratic drag of every velocity
// coordinate. Links that are fixed to the ground have zero columns.
#pragma once

#include <jounce/door/clone.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/model/physical_inertia.hpp>

namespace jounce {

/// Which columns follow those of the links.
struct RegressorColumns {
  bool armature = false, damping = false, friction = false, drag = false;
};

class Regressor;
namespace detail {
struct RegressorAccess;
inline constexpr bool RegressorColumns::*resistance_columns[] = {
    &RegressorColumns::damping, &RegressorColumns::friction, &RegressorColumns::drag};
static_assert(std::size(resistance_columns) == std::size(resistances));
}  // namespace detail

/// A regressor of forces, nv x columns, with its zeros in place.
struct RegressorMatrix : RobotResult, OwnedMatrix {
  explicit RegressorMatrix(const Regressor& regressor);
};

class Regressor {
 public:
  explicit Regressor(Robot robot, RegressorColumns columns = {});
  Regressor(Regressor&&) noexcept;
  Regressor& operator=(Regressor&&) noexcept;
  ~Regressor();

  const Robot& robot() const;
  /// Another one with the same columns: what clone(door) gives.
  Regressor another() const;
  int links() const;  ///< the first ones of Robot::frames()
  int columns() const;

  /// The robot's own parameters, in the order of the columns. A joint and the mimics that follow it
  /// count as one.
  Eigen::VectorXd parameters() const {
    Eigen::VectorXd pi(columns());
    write_parameters({pi.data(), static_cast<size_t>(pi.size())});
    return pi;
  }
  void write_parameters(std::span<double> pi) const;

  /// nv x columns: inverse(q, v, a, {.ground = ground}) without springs is force * pi.
  RegressorMatrix force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                        const OptionalGround<double>& ground = {}) {
    RegressorMatrix Y(*this);
    force(q, v, a, ground, into(Y));
    return Y;
  }
  void force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
             const OptionalGround<double>& ground, const IntoResult<RegressorMatrix>& Y) {
    run_force(q, v, a, ground, room("regressor", Y));
  }
  /// nv x columns: inverse_reference(q, v, v_r, a_r, factorization), and friction at v.
  RegressorMatrix reference(const VectorArg& q, const VectorArg& v, const VectorArg& v_r,
                            const VectorArg& a_r,
                            Factorization factorization = Factorization::ploen) {
    RegressorMatrix Y(*this);
    reference(q, v, v_r, a_r, factorization, into(Y));
    return Y;
  }
  void reference(const VectorArg& q, const VectorArg& v, const VectorArg& v_r, const VectorArg& a_r,
                 Factorization factorization, const IntoResult<RegressorMatrix>& Y) {
    run_reference(q, v, v_r, a_r, factorization, room("reference regressor", Y));
  }
  /// 2 x columns: kinetic and potential energy.
  OwnedMatrix energy(const VectorArg& q, const VectorArg& v,
                     const OptionalGround<double>& ground = {}) {
    return made(2, [&](const Into<double>& to) { energy(q, v, ground, to); });
  }
  void energy(const VectorArg& q, const VectorArg& v, const OptionalGround<double>& ground,
              const Into<double>& Y);
  /// 6 x columns: momentum in the ground frame about its origin, angular first.
  OwnedMatrix momentum(const VectorArg& q, const VectorArg& v,
                       const OptionalGround<double>& ground = {}) {
    return made(6, [&](const Into<double>& to) { momentum(q, v, ground, to); });
  }
  void momentum(const VectorArg& q, const VectorArg& v, const OptionalGround<double>& ground,
                const Into<double>& Y);

 private:
  friend struct detail::RegressorAccess;
  double* room(const char* caller, const IntoResult<RegressorMatrix>& Y) const {
    RegressorMatrix& to = detail::checked_into(robot(), caller, Y);
    if (to.cols() != columns())
      detail::refuse_into(robot(), caller, "Y", to.rows(), to.cols(), robot().nv(), columns());
    return detail::OwnedAccess::numbers(to);
  }
  template <class Write>
  OwnedMatrix made(int rows, Write write) {
    OwnedMatrix Y(rows, columns());
    write(Into<double>(detail::OwnedAccess::numbers(Y), rows, columns()));
    return Y;
  }
  void run_force(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                 const OptionalGround<double>& ground, double* Y);
  void run_reference(const VectorArg& q, const VectorArg& v, const VectorArg& v_r,
                     const VectorArg& a_r, Factorization factorization, double* Y);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

inline RegressorMatrix::RegressorMatrix(const Regressor& regressor)
    : RobotResult(regressor.robot()), OwnedMatrix(regressor.robot().nv(), regressor.columns()) {}

/// Parameters that a motion can identify: Y pi = Y(:, independent) (regrouping pi), for all states.
struct BaseParameters {
  std::vector<int> independent;                   ///< columns of the regressor, as many as its rank
  std::vector<int> dependent;                     ///< the others
  std::vector<double> numbers;                    ///< regrouping, column by column
  double smallest_kept = 0, largest_dropped = 0;  ///< pivots of QR, of the largest

  Eigen::Map<const Eigen::MatrixXd> regrouping() const {
    return {numbers.data(), static_cast<Eigen::Index>(independent.size()),
            static_cast<Eigen::Index>(independent.size() + dependent.size())};
  }
};

/// By QR with column pivoting of the force regressor over random states, in units of the robot's
/// own length and time: its size does not matter. Pivots below `cutoff` times the largest count as
/// zero.
BaseParameters base_parameters(const Robot& robot, RegressorColumns columns = {},
                               std::uint64_t seed = 1, double cutoff = 1e-9);

template <>
inline constexpr bool is_clonable<Regressor> = true;

}  // namespace jounce
