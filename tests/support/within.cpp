// SPDX-License-Identifier: BSD-3-Clause
#include "support/within.hpp"

namespace jounce::test {
namespace {

/// `, joint "elbow"` where a matrix has a row, or column, for every velocity coordinate.
std::string joint_of(const Robot& robot, Eigen::Index size, Eigen::Index at) {
  if (size != robot.nv() || robot.nv() == 0) return "";
  for (const JointInfo& joint : robot.joints())
    if (!joint.mimic && at >= joint.v && at < joint.v + joint.nv)
      return ", joint \"" + joint.name + "\"";
  return "";
}

testing::AssertionResult compare(double tolerance, const Eigen::MatrixXd& found,
                                 const Eigen::MatrixXd& expected, const Robot* robot,
                                 std::uint64_t seed) {
  testing::AssertionResult failure = testing::AssertionFailure();
  if (robot != nullptr) failure << "robot \"" << robot->name() << "\", ";
  failure << "seed " << seed << ": ";
  if (found.rows() != expected.rows() || found.cols() != expected.cols())
    return failure << "found " << found.rows() << " x " << found.cols() << ", expected "
                   << expected.rows() << " x " << expected.cols();
  const Eigen::MatrixXd apart = (found - expected).cwiseAbs();
  if (apart.size() == 0 || largest(apart) <= tolerance) return testing::AssertionSuccess();
  Eigen::Index row = 0, column = 0;
  apart.maxCoeff<Eigen::PropagateNaN>(&row, &column);
  failure << "entry (" << row << ", " << column << ")";
  if (robot != nullptr) {
    failure << joint_of(*robot, found.rows(), row);
    if (found.cols() > 1) failure << joint_of(*robot, found.cols(), column);
  }
  return failure << ": found " << found(row, column) << ", expected " << expected(row, column)
                 << ", apart " << apart(row, column) << ", tolerance " << tolerance;
}

}  // namespace

testing::AssertionResult within(double tolerance, const Eigen::MatrixXd& found,
                                const Eigen::MatrixXd& expected, std::uint64_t seed) {
  return compare(tolerance, found, expected, nullptr, seed);
}
testing::AssertionResult within(double tolerance, const Eigen::MatrixXd& found,
                                const Eigen::MatrixXd& expected, const Robot& robot,
                                std::uint64_t seed) {
  return compare(tolerance, found, expected, &robot, seed);
}

}  // namespace jounce::test
