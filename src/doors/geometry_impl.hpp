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
  std::vector<Twist<double>> S = std::vector<Twist<double>>(size_t(model().nv));
  std::vector<Mat3<double>> D = std::vector<Mat3<double>>(S.size());
  std::vector<Vec3<double>> f = std::vector<Vec3<double>>(S.size());
  std::vector<Inertia<double>> G = std::vector<Inertia<double>>(size_t(model().bodies));
  std::vector<double> along = std::vector<double>(8 * (S.size() + 8));
  PairRoom<double> pair_room{S.data(), D.data(), f.data(), G.data(), along.data(), model().nv + 8};
  detail::ZeroNumbers<double> own_gamma;               ///< [nv^3]
  detail::ZeroNumbers<double> tree_gamma, tree_forms;  ///< where there are mimic joints
  std::vector<double> axes = std::vector<double>(3 * tree_pairs.first.size());
  std::vector<double> inverse;  ///< [nv stride]
  std::vector<double> row;      ///< [nv]
};

}  // namespace jounce
