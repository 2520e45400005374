// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of what bushings take by named parameters, on dual numbers: by their own, and by
// those that move joints on their ways.
#pragma once

#include <jounce/equations/bushings.hpp>

#include "parameter_target.hpp"

namespace jounce {

class BushingColumns {
 public:
  explicit BushingColumns(const System<double>& s);

  /// Adds the derivative by a parameter of a bushing.
  void add_own(const ParameterTarget& target, const State<double>& x, double* column);
  /// The same where the joint of a body moves by h, and its first screw by S.
  void add_moved(int body, const JointChange& by, const State<double>& x, double* column);

 private:
  using Number = Dual<double, 1>;
  /// The joints on the ways of bushings at a state of the tree.
  State<Number> move(const State<double>& x);

  const System<double>& system_;
  BushingRoom<Number> room_;
  std::vector<Number> q_, v_, taken_;  ///< of the tree, of the tree, [nv]
};

}  // namespace jounce
