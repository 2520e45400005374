// SPDX-License-Identifier: BSD-3-Clause
// How the kinetic-energy metric and its Christoffel symbols depend on named parameters of a robot.
//
//   jounce::GeometrySensitivity to(arm, {{jounce::ParameterKind::inertia, "link_3", 0}});
//   const auto dM = to.mass(q);             // column p: dM/dp, nv x nv numbers
//   const auto dGamma = to.christoffel(q);  // column p: dGamma_ijk/dp at (i nv + j) nv + k
#pragma once

#include <jounce/door/clone.hpp>
#include <jounce/geometry.hpp>
#include <jounce/sensitivity.hpp>

namespace jounce {

class GeometrySensitivity {
 public:
  /// InputError as of Geometry and Sensitivity; by armature of a joint that Geometry would refuse
  /// with it, too.
  GeometrySensitivity(Robot robot, std::vector<Parameter> parameters);

  const Robot& robot() const { return force_.robot(); }
  std::span<const Parameter> parameters() const { return force_.parameters(); }
  /// Another one by the same parameters: what clone(door) gives.
  GeometrySensitivity another() const {
    return {robot(), {parameters().begin(), parameters().end()}};
  }

  dense::Matrix mass(const VectorArg& q);
  dense::Matrix christoffel(const VectorArg& q);

 private:
  Geometry geometry_;
  Sensitivity force_;
};

template <>
inline constexpr bool is_clonable<GeometrySensitivity> = true;

}  // namespace jounce
