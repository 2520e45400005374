// SPDX-License-Identifier: BSD-3-Clause
// Where a call writes what it finds: memory of the caller, so that nothing is allocated.
//
//   dyn.inverse(q, v, a, into(tau));          // an Eigen vector, std::vector or std::span
//   kinematics.jacobian(frame, in, into(J));  // an Eigen matrix, column by column
//   derivatives.inverse(q, v, a, into(d));    // a result object
// Results are written last, after every argument has been read: one may be the other.
#pragma once

#include <Eigen/Core>
#include <jounce/model/robot.hpp>
#include <jounce/scalar/isa.hpp>

namespace jounce {

/// Memory for rows x columns numbers, column by column; its size is checked by the call.
template <class Real>
class Into {
 public:
  Into(Real* data, long rows, long columns) : data_(data), rows_(rows), columns_(columns) {}

  Real* data() const { return data_; }
  long rows() const { return rows_; }
  long columns() const { return columns_; }

 private:
  Real* data_;
  long rows_, columns_;
};

/// A result object of a robot, to be written in place.
template <class Result>
class IntoResult {
 public:
  explicit IntoResult(Result& result) : result_(result) {}
  Result& result() const { return result_; }

 private:
  Result& result_;
};

/// What keeps the zeros of one robot's matrices, and is refused by calls of another's.
class RobotResult {
 public:
  const Robot& robot() const { return robot_; }

 protected:
  explicit RobotResult(Robot robot) : robot_(std::move(robot)) {}

 private:
  Robot robot_;
};

inline namespace JOUNCE_ISA {

template <class Real>
Into<Real> into(std::vector<Real>& x) {
  return {x.data(), static_cast<long>(x.size()), 1};
}
template <class Real>
Into<Real> into(std::span<Real> x) {
  return {x.data(), static_cast<long>(x.size()), 1};
}
/// A vector, matrix, map or block whose numbers lie together, columns one after the other.
template <class Derived>
auto into(Eigen::DenseBase<Derived>&& x) {
  static_assert(bool(Derived::Flags & Eigen::DirectAccessBit) &&
                    bool(Derived::Flags & Eigen::LvalueBit) &&
                    (Derived::IsVectorAtCompileTime || !Derived::IsRowMajor),
                "into needs memory that can be written, columns one after the other");
  Derived& to = x.derived();
  const bool together = to.innerStride() == 1 &&
                        (Derived::IsVectorAtCompileTime || to.outerStride() == to.innerSize());
  using Real = typename Derived::Scalar;
  if (!together) throw InputError("into: the numbers of a block that do not lie together");
  if (Derived::IsVectorAtCompileTime) return Into<Real>(to.data(), to.size(), 1);
  return Into<Real>(to.data(), to.rows(), to.cols());
}
template <class Derived>
auto into(Eigen::DenseBase<Derived>& x) {
  return into(std::move(x));
}
template <std::derived_from<RobotResult> Result>
IntoResult<Result> into(Result& x) {
  return IntoResult<Result>(x);
}

}  // namespace JOUNCE_ISA

namespace detail {

/// InputError: `inverse: into(tau) has 6 numbers, robot "arm7" needs 7`, `..., 6 x 6, ... 6 x 7`.
[[noreturn]] void refuse_into(const Robot& robot, std::string_view caller, std::string_view name,
                              long rows, long columns, long needed_rows, long needed_columns);
/// InputError: a result object made for another robot.
[[noreturn]] void refuse_result_of(const Robot& robot, const Robot& other, std::string_view caller);

inline namespace JOUNCE_ISA {

/// The memory, refused where its size is another.
template <class Real>
Real* checked_into(const Robot& robot, std::string_view caller, std::string_view name,
                   const Into<Real>& to, long rows, long columns = 1) {
  if (to.rows() != rows || to.columns() != columns)
    refuse_into(robot, caller, name, to.rows(), to.columns(), rows, columns);
  return to.data();
}
/// The result object, refused where it is another robot's.
template <class Result>
Result& checked_into(const Robot& robot, std::string_view caller, const IntoResult<Result>& to) {
  if (&to.result().robot().system() != &robot.system())
    refuse_result_of(robot, to.result().robot(), caller);
  return to.result();
}
/// A result object of a robot, made and written.
template <class Result, class Write>
Result written(const Robot& robot, Write write) {
  Result x(robot);
  write(into(x));
  return x;
}

}  // namespace JOUNCE_ISA
}  // namespace detail
}  // namespace jounce
