// SPDX-License-Identifier: BSD-3-Clause
// Memory for the Coriolis and centroidal matrices.
#pragma once

#include <jounce/algorithm/coriolis.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

struct MatrixWork {
  explicit MatrixWork(const Robot& robot)
      : S(size(robot.model().nv)),
        Psi(size(robot.model().nv)),
        V(size(robot.bodies())),
        G(size(robot.bodies())),
        Gdot(size(robot.bodies())),
        K(size(robot.bodies())),
        room{S.data(), Psi.data(), V.data(), G.data(), Gdot.data(), K.data(), {}},
        C(size(robot.model().nv) * size(robot.model().nv)),
        Mdot(C.size()),
        folded_C(robot.has_mimic() ? size(robot.nv()) * size(robot.nv()) : 0),
        folded_Mdot(folded_C.size()) {}

  static size_t size(int n) { return static_cast<size_t>(n); }

  std::vector<Twist<double>> S, Psi, V;
  std::vector<Inertia<double>> G, Gdot;
  std::vector<SkewBlock<double>> K;
  SubtreeRoom<double> room;
  std::vector<double> C, Mdot;  ///< [tree nv squared] zero where no coordinate carries the other
  std::vector<double> folded_C, folded_Mdot;  ///< [nv squared] where there are mimic joints
};

}  // namespace jounce
