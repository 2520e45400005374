// SPDX-License-Identifier: BSD-3-Clause
// What Geometry owns: the equations, lists of what carries what, and room for pairs.
#pragma once

#include <jounce/door/robot_equations.hpp>
#include <jounce/geometry.hpp>

#include "doors/geometry_lists.hpp"
#include "kernels/geometry_kernels.hpp"
#include "kernels/kernel_tree.hpp"
#include "state_check.hpp"

namespace jounce {

/// Whether the velocities of a part do not commute.
inline bool has_brackets(const Part<double>& part) {
  return is_planar(part) || is_spherical(part) || is_free(part);
}
/// InputError: armature of such a part.
[[noreturn]] void refuse_armature(const char* caller, const std::string& joint, JointKind kind);

struct Geometry::Impl : RobotEquations<double> {
  explicit Impl(Robot robot_);

  /// Gamma_ijk of the robot in `own`, which is zero where they are for every q.
  void run_christoffel(const double* q, double* own);
  /// X_l Gamma_ijk of the tree, by formulas or, with custom joints, dual numbers.
  void run_derivatives(const double* q, double* found);
  /// K of the robot's pairs, after run_christoffel.
  void run_forms(double* forms);
  /// M at q, refused where it is singular, and C(q, v).
  struct Connection {
    dense::Matrix M, C;
  };
  Connection connection(const char* caller, std::span<const double> q, std::span<const double> v);
  /// x := M^-1 x with the factors of the mass matrix.
  void solve(double* x) { ltdl_solve(dense().pattern.view(), dense().LD.data(), x); }

  const GeometryKernels& geometry = geometry_kernels();
  PathStorage paths{model()};
  PairStorage tree_pairs{paths};
  PairFold fold{system().coupling, tree_pairs};
  PairRoomStorage<double> pair_storage{model()};
  PairRoom<double>& pair_room = pair_storage.room;
  bool custom = PairRoomStorage<double>::has_custom(model());
  detail::ZeroNumbers<double> own_gamma;               ///< [nv^3]
  detail::ZeroNumbers<double> tree_gamma, tree_forms;  ///< where there are mimic joints
  std::vector<double> axes = std::vector<double>(3 * tree_pairs.first.size());
  std::vector<double> inverse;  ///< [nv stride]
  std::vector<double> row;      ///< [nv]
};

}  // namespace jounce
