// SPDX-License-Identifier: BSD-3-Clause
// What people read of poses, twists and wrenches.
#include <gtest/gtest.h>

#include <jounce/group/print.hpp>
#include <sstream>

namespace jounce {
namespace {

template <class T>
std::string printed(const T& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

TEST(Print, EveryKind) {
  const Vec3<double> a{1, -2, 0.5};
  const SO3<double> quarter = to_rotation(Quaternion<double>{0, 0, std::sqrt(0.5), std::sqrt(0.5)});
  EXPECT_EQ(printed(a), "[1 -2 0.5]");
  EXPECT_EQ(printed(SO3<double>{}), "[1 0 0; 0 1 0; 0 0 1]");
  EXPECT_EQ(printed(SE3<double>{SO3<double>{}, a}), "R [1 0 0; 0 1 0; 0 0 1] p [1 -2 0.5]");
  EXPECT_EQ(printed(Quaternion<double>{0, 0, 0, 1}), "[x 0 y 0 z 0 w 1]");
  EXPECT_EQ(printed(Twist<double>{a, -a}), "w [1 -2 0.5] v [-1 2 -0.5]");
  EXPECT_EQ(printed(Wrench<double>{a, -a}), "m [1 -2 0.5] f [-1 2 -0.5]");
  std::ostringstream rows;  // row by row: a quarter turn about z brings x to y
  rows.precision(3);
  rows << quarter.m.row[1];
  EXPECT_EQ(rows.str().substr(0, 3), "[1 ");
}

}  // namespace
}  // namespace jounce
