// SPDX-License-Identifier: BSD-3-Clause
// Random robots and states for the tests of matrices, and exact derivatives along a motion.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <jounce/algorithm/crba.hpp>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/workspace.hpp>
#include <string>

#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"
#include "support/sound_robot.hpp"
#include "support/within.hpp"

namespace jounce::test {

using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;

using Matrices = std::vector<DenseMatrix>;

constexpr Factorization all_factorizations[] = {Factorization::plain, Factorization::ploen,
                                                Factorization::lie, Factorization::christoffel};

/// Bit for bit; what they are is printed.
void expect_all_same(const Matrices& found, const Matrices& expected, const char* what,
                     std::uint64_t seed);

RobotDescription random_description(std::uint64_t seed, int largest = 60);

struct Case {
  explicit Case(std::uint64_t seed, int largest = 60)
      : Case(Robot(random_description(seed, largest)), seed) {}
  Case(Robot robot_, std::uint64_t seed);
  Vector random();

  Robot robot;
  Random rng;
  Dynamics dynamics;
  Vector q, v, a;
};

/// The coordinates of all joints, mimics included, from the robot's.
Vector tree_q(const Robot& robot, const Vector& q);
/// A with v of all joints = A v of the robot.
DenseMatrix coupling_matrix(const Robot& robot);
/// dq/dt of an elementary part that moves with v.
void part_rate(const Part<double>& part, int nv, const double* q, const double* v, double* out);
/// dq/dt of all joints of the tree.
Vector tree_rates(const Robot& robot, const Vector& q, const Vector& v);
/// dM/dt of the tree along the velocity v, by dual numbers through crba.
DenseMatrix mass_rate_by_dual(const Robot& robot, const Vector& q, const Vector& v);
/// The same of the robot, mimic joints folded.
DenseMatrix mass_rate_by_dual(const Case& c);

}  // namespace jounce::test
