// SPDX-License-Identifier: BSD-3-Clause
// The laws of numbers on packs and on what is made of them, on every instruction set.
#include <jounce/scalar/pack.hpp>

#include "scalar/number_laws.hpp"

namespace jounce::test {
namespace {

TEST(PackNumber, OneDouble) { expect_laws_of_numbers<Pack<double, 1>>(); }
TEST(PackNumber, TwoDoubles) { expect_laws_of_numbers<Pack<double, 2>>(); }
TEST(PackNumber, FourDoubles) { expect_laws_of_numbers<Pack<double, 4>>(); }
TEST(PackNumber, EightDoubles) { expect_laws_of_numbers<Pack<double, 8>>(); }
TEST(PackNumber, SixteenDoubles) { expect_laws_of_numbers<Pack<double, 16>>(); }
TEST(PackNumber, FourFloats) { expect_laws_of_numbers<Pack<float, 4>>(); }
TEST(PackNumber, EightFloats) { expect_laws_of_numbers<Pack<float, 8>>(); }
TEST(PackNumber, SixteenFloats) { expect_laws_of_numbers<Pack<float, 16>>(); }
TEST(PackNumber, SeriesOfPacks) { expect_laws_of_numbers<Taylor<Pack<double, 4>, 3>>(); }
TEST(PackNumber, DualNumberOfPacks) { expect_laws_of_numbers<Dual<Pack<double, 4>, 2>>(); }

}  // namespace
}  // namespace jounce::test
