// SPDX-License-Identifier: BSD-3-Clause
// What the calls of DynamicsOf take and give: views into its memory, valid until its next call; and
// the refusal of results that are not finite.
#pragma once

#include <jounce/door/check_surroundings.hpp>
#include <jounce/dynamics_results.hpp>

namespace jounce {

/// A matrix of any kind of number, column by column.
template <class Real>
struct MatrixViewOf {
  const Real* data = nullptr;
  int rows = 0, columns = 0;

  const Real& operator()(int i, int j) const { return data[rows * j + i]; }
};

template <class Real>
struct HybridResultOf {
  std::span<const Real> a, tau;
};
template <class Real>
struct EnergyOf {
  Real kinetic, potential;
};
template <class Real>
struct CoriolisResultOf {
  MatrixViewOf<Real> matrix, mass_rate;
};
template <class Real>
struct CentroidalResultOf {
  MatrixViewOf<Real> matrix, rate;
};
template <class Real>
struct JointWrenchesOf {
  std::span<const Wrench<Real>> joints;
  Wrench<Real> base;
};

template <class Real>
struct InverseDerivativesOf {
  MatrixViewOf<Real> dtau_dq, dtau_dv, dtau_da;
};
/// See PowerBalance.
template <class Real>
struct PowerBalanceOf {
  Real kinetic_rate, potential_rate, actuators, passive, external, base;

  Real residual() const {
    return kinetic_rate + potential_rate - (actuators + passive + external + base);
  }
};

namespace detail::inline JOUNCE_ISA {

[[noreturn]] inline void throw_not_finite(const char* caller, const std::string& what) {
  throw ComputationError(std::string(caller) + ": " + what + " is not finite");
}

/// Vectors that together are what what() says.
template <class Real, class What>
void require_finite(const char* caller, What what, std::initializer_list<Vec3<Real>> vectors) {
  for (const Vec3<Real>& x : vectors)
    if (!finite(x)) throw_not_finite(caller, what());
}
template <class Real, class What>
void require_finite(const char* caller, What what, const SE3<Real>& T) {
  const auto& [x, y, z] = T.R.m.row;
  require_finite(caller, what, {T.p, x, y, z});
}
template <class Real>
void require_finite(const char* caller,
                    std::initializer_list<std::pair<const char*, Real>> numbers) {
  for (const auto& [name, x] : numbers)
    if (!all_finite<Real>({&x, 1})) throw_not_finite(caller, name);
}

/// ` (joint "elbow")`.
inline std::string of_joint(const Robot& robot, int coordinate) {
  for (const JointInfo& joint : robot.joints())
    if (coordinate >= joint.v && coordinate < joint.v + joint.nv)
      return " (joint \"" + joint.name + "\")";
  return "";
}

/// ComputationError where a result is not finite: name(k, part) is what its number k is called.
template <class Real, class Name>
void require_finite(std::span<const Real> x, const char* caller, Name name) {
  if (all_finite(x)) return;
  using Parts = NumberParts<Real>;
  for (size_t k = 0; k < x.size(); ++k)
    for (int part = 0; part < Parts::count; ++part)
      if (!std::isfinite(Parts::at(x[k], part)))
        throw_not_finite(caller, Parts::name(part) + name(static_cast<int>(k)));
}
/// `forward: lane 2 of a[0] (joint "hip") is not finite`.
template <class Real>
void require_finite(const Robot& robot, const char* caller, const char* result,
                    std::span<const Real> x) {
  require_finite(x, caller, [&](int k) {
    return result + ("[" + std::to_string(k)) + "]" + of_joint(robot, k);
  });
}
/// `mass: lane 2 of M(0, 1) (joint "hip") is not finite`: the joint of the column.
template <class Real>
void require_finite(const Robot& robot, const char* caller, const char* result,
                    const MatrixViewOf<Real>& x) {
  const std::span<const Real> numbers(x.data, static_cast<size_t>(x.rows * x.columns));
  require_finite(numbers, caller, [&](int k) {
    return result + ("(" + std::to_string(k % x.rows)) + ", " + std::to_string(k / x.rows) + ")" +
           (x.columns == robot.nv() ? of_joint(robot, k / x.rows) : "");
  });
}

}  // namespace detail::inline JOUNCE_ISA
}  // namespace jounce
