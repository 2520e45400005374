// SPDX-License-Identifier: BSD-3-Clause
// The laws of numbers on the kinds without packs.
#include "scalar/number_laws.hpp"

namespace jounce::test {
namespace {

TEST(Number, Double) { expect_laws_of_numbers<double>(); }
TEST(Number, Float) { expect_laws_of_numbers<float>(); }
TEST(Number, Series) { expect_laws_of_numbers<Taylor<double, 6>>(); }
TEST(Number, DualNumber) { expect_laws_of_numbers<Dual<double, 3>>(); }
TEST(Number, DualOfDual) { expect_laws_of_numbers<Dual<Dual<double, 2>, 2>>(); }
TEST(Number, Counting) { expect_laws_of_numbers<Counting>(); }

TEST(NumberTypes, PlainNumberAndProduct) {
  static_assert(std::is_same_v<Plain<Taylor<Pack<float, 8>, 3>>, float>);
  static_assert(std::is_same_v<Plain<Dual<Dual<double, 2>, 2>>, double>);
  static_assert(std::is_same_v<Plain<Counting>, double>);
  static_assert(std::is_same_v<Product<double, Taylor<double, 2>>, Taylor<double, 2>>);
  static_assert(std::is_same_v<Product<Dual<double, 2>, double>, Dual<double, 2>>);
}

}  // namespace
}  // namespace jounce::test
