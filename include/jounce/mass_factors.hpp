// SPDX-License-Identifier: BSD-3-Clause
// The mass matrix of one configuration, factored: solutions with it, and the robot as a frame feels
// it.
//
//   jounce::MassFactors factors(arm);
//   Eigen::VectorXd a = factors.at(q).solve(tau - bias);
// The configuration given to `at` is what everything else answers about. ComputationError where the
// mass matrix is singular.
#pragma once

#include <jounce/algorithm/jacobian.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

namespace detail {
template <class Real, class P>
struct MassFactorsImpl;
}  // namespace detail

/// Of any kind of number: double and float are compiled in the library, others need
/// jounce/any_number.hpp.
template <class Real, class P = Plain<Real>>
class BasicMassFactors {
 public:
  using Arg = BasicVectorArg<Real>;
  using Vector = VectorOf<Real>;
  using Matrix = BasicOwnedMatrix<Real>;

  explicit BasicMassFactors(Robot robot);
  BasicMassFactors(BasicMassFactors&&) noexcept;
  BasicMassFactors& operator=(BasicMassFactors&&) noexcept;
  ~BasicMassFactors();

  const Robot& robot() const;

  /// Factors the mass matrix at q, on long chains as articulated bodies.
  BasicMassFactors& at(const Arg& q);

  /// M^-1 x in at most O(n).
  template <class Owned = Vector>
  Owned solve(const Arg& x) {
    Owned found = detail::vector_of<Real>(robot().nv());
    solve(x, into(found));
    return found;
  }
  void solve(const Arg& x, const Into<Real>& found);
  /// Each column of X becomes M^-1 times it.
  template <class Columns>
  void solve_columns(Eigen::MatrixBase<Columns>& X) {
    if constexpr (std::same_as<Real, double> && (Columns::Flags & Eigen::DirectAccessBit) != 0 &&
                  !Columns::IsRowMajor && Columns::InnerStrideAtCompileTime == 1)
      return run_solve_columns(X.derived().data(), X.rows(), X.cols(), X.derived().outerStride());
    for (Eigen::Index k = 0; k < X.cols(); ++k) {
      auto column = X.col(k);
      if constexpr (decltype(column)::InnerStrideAtCompileTime == 1) solve(column, into(column));
      else column = solve(column);
    }
  }

  /// M = L^T diag(D) L: the lower triangle holds L (its diagonal, which is 1, gives way to D). L is
  /// zero unless coordinate j carries coordinate k; the upper triangle is zero.
  template <class Owned = Matrix>
  Owned LD() requires std::same_as<Real, double> {
    return made(robot().nv(), robot().nv(), [&](auto to) { LD(to); });
  }
  void LD(const Into<Real>& found);

  /// The inertia that a wrench on the frame feels: Lambda = (J M^-1 J^T)^-1, 6 x 6 (Khatib 1987).
  /// Directions in which the frame cannot move, with singular values of J M^-1 J^T of at most
  /// `cutoff` times the largest, are left out: Lambda is a pseudo-inverse then.
  template <class Owned = Matrix>
  Owned operational_inertia(FrameId frame, Representation in,
                            double cutoff = 1e-12) requires std::same_as<Real, double> {
    return made(6, 6, [&](auto to) { operational_inertia(frame, in, cutoff, to); });
  }
  void operational_inertia(FrameId frame, Representation in, double cutoff,
                           const Into<Real>& inertia);
  /// M^-1 J^T Lambda, nv x 6: the inverse of J that moves the robot with the least kinetic energy.
  template <class Owned = Matrix>
  Owned consistent_inverse(FrameId frame, Representation in,
                           double cutoff = 1e-12) requires std::same_as<Real, double> {
    return made(robot().nv(), 6, [&](auto to) { consistent_inverse(frame, in, cutoff, to); });
  }
  void consistent_inverse(FrameId frame, Representation in, double cutoff,
                          const Into<Real>& inverse);
  /// 1 - Jbar J with that inverse Jbar: its transpose takes joint forces to forces that do not
  /// accelerate the frame.
  template <class Owned = Matrix>
  Owned null_space_projector(FrameId frame,
                             double cutoff = 1e-12) requires std::same_as<Real, double> {
    const int n = robot().nv();
    return made(n, n, [&](auto to) { null_space_projector(frame, cutoff, to); });
  }
  void null_space_projector(FrameId frame, double cutoff, const Into<Real>& N);

 private:
  template <class Write>
  Matrix made(int rows, int columns, Write write) {
    Matrix x(rows, columns);
    write(Into<Real>(detail::OwnedAccess::numbers(x), rows, columns));
    return x;
  }

  void run_solve_columns(double* X, Eigen::Index rows, Eigen::Index columns,
                         Eigen::Index stride);  // of double alone

  using Impl = detail::MassFactorsImpl<Real, P>;
  std::unique_ptr<Impl> impl_;
};

using MassFactors = BasicMassFactors<double>;

template <>
inline constexpr bool is_clonable<MassFactors> = true;

}  // namespace jounce
