// SPDX-License-Identifier: BSD-3-Clause
// When a mass matrix counts as singular: one rule, and one text that says why, for all calls that
// solve with it.
//
// A pivot d_k is twice the kinetic energy of a motion x: coordinate k moves by 1, those eliminated
// before it as they please. It is a sum of terms of the size (sum_j |x_j| sqrt(M_jj))^2, and of a
// singular matrix their rounding, of either sign: at most 4 epsilon of that size on thousands of
// random robots, where regular ones stay above 2e5 epsilon. (d_k / M_kk does not tell them apart:
// it was up to 8e-9 of singular robots and down to 4e-10 of regular ones, near configurations where
// six joints move a body in five directions.) A leaf's M_kk may itself be the rounding of mass that
// sits on the joint's axis.
#pragma once

#include <jounce/algorithm/ltdl.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

/// Of numbers made of double; of float below. A pivot above `doubtful` M_kk needs no further look;
/// one of at most `lost` times the size of its terms is rounding.
struct PivotLimits {
  double doubtful = 1e-7, lost = 1e-12;
};

inline namespace JOUNCE_ISA {

inline constexpr PivotLimits float_pivots{1e-3, 1e-5};

}  // namespace JOUNCE_ISA

/// Bounds of the diagonal of a robot's mass matrix. Articulated bodies know pivots, but not the
/// diagonal: a pivot that is large beside an upper bound of it needs no further look.
class MassBounds {
 public:
  explicit MassBounds(const Robot& robot);

  /// Whether pivot k is small beside the entry that it was eliminated from.
  bool doubtful(int k, double pivot, double diagonal, const PivotLimits& limits = {}) const {
    return !(pivot > limits.doubtful * diagonal && pivot > floor(k));
  }
  /// The rounding of a leaf's own inertia, else zero.
  double floor(int k) const { return floor_[static_cast<size_t>(k)]; }
  /// Whether the bounds depend on q: joints that slide carry others, or screws move.
  bool depend_on_q() const { return !moving_.empty(); }
  /// Where 1 / pivot k stands among the factors D of a workspace.
  int place(int k) const { return place_[static_cast<size_t>(k)]; }
  /// Whether pivot k, given as 1 / pivot, cannot be doubtful, unless the bounds depend on q.
  bool beyond_doubt(int k, double inverse, const PivotLimits& limits = {}) const {
    return beyond(inverse, inverse_bound_[static_cast<size_t>(k)], limits);
  }
  /// Whether no pivot of a workspace can be, with T of joints that slide and S of those that move.
  bool beyond_doubt(const Workspace<double>& w) const;

 private:
  static bool beyond(double inverse, double inverse_bound, const PivotLimits& limits) {
    return static_cast<int>(inverse > 0) &
           static_cast<int>(inverse * limits.doubtful < inverse_bound);
  }
  /// A coordinate whose bound is armature + |S_w|^2 (fixed + sliding slid^2) + linear |S_v|^2.
  struct Moving {
    int coordinate;
    double armature, fixed, sliding, linear;
  };

  std::vector<int> place_;             ///< [tree nv]
  std::vector<double> inverse_bound_;  ///< [tree nv] infinite where the bound depends on q
  std::vector<double> floor_;          ///< [tree nv]
  std::vector<Moving> moving_;
  std::vector<int> slides_;  ///< bodies whose place in a moving parent depends on q
};

/// A mass matrix, nv x nv, with its factors M = L^T D L in the pattern's rows; coordinates that are
/// prescribed (null: none) have rows and columns of 1 there.
struct FactoredMass {
  const double* M;
  const double* LD;
  MassPattern pattern;
  const bool* prescribed;
};

/// Refuses a singular matrix by the rule above: ComputationError that says which joints move no
/// mass, or none together; where M is not finite, that. x is room for nv numbers.
void require_regular(const Robot& robot, std::string_view caller, const FactoredMass& mass,
                     const MassBounds& bounds, std::span<double> x, const PivotLimits& limits = {});
/// The same of a matrix alone.
void require_regular(const Robot& robot, std::string_view caller, const double* M,
                     const bool* prescribed, const MassBounds& bounds,
                     const PivotLimits& limits = {});

/// Joints that can move, together, without moving any mass.
struct SingularCause {
  std::vector<size_t> joints;  ///< places in Robot::joints(), ascending
  std::string text;            ///< joint "lid" moves link "cover", which has no mass
};
/// Why a finite mass matrix is singular by the rule above; nothing where it is regular.
std::vector<SingularCause> singular_causes(const Robot& robot, const double* M,
                                           const bool* prescribed, const MassBounds& bounds,
                                           const PivotLimits& limits = {});
/// Those of single joints that carry nothing with inertia, wherever they are: without a matrix.
std::vector<SingularCause> massless_joints(const Robot& robot);

}  // namespace jounce
