// SPDX-License-Identifier: BSD-3-Clause
// Memory for the Coriolis and centroidal matrices, joint wrenches and passive dynamics.
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
        folded_Mdot(folded_C.size()),
        A(6 * size(robot.model().nv)),
        Adot(A.size()),
        folded_A(A.size()),
        folded_Adot(A.size()),
        wrenches(robot.joints().size()),
        child(robot.joints().size()),
        V_r(size(robot.bodies())),
        v_r(size(robot.model().nv)) {
    for (size_t k = 0; k < child.size(); ++k) {
      const auto joint = size(robot.joints()[k].description);
      child[k] = robot.frame_info(robot.frame(robot.description().joints[joint].child)).offset;
    }
  }

  static size_t size(int n) { return static_cast<size_t>(n); }

  std::vector<Twist<double>> S, Psi, V;
  std::vector<Inertia<double>> G, Gdot;
  std::vector<SkewBlock<double>> K;
  SubtreeRoom<double> room;
  std::vector<double> C, Mdot;  ///< [tree nv squared] zero where no coordinate carries the other
  std::vector<double> folded_C, folded_Mdot;  ///< [nv squared] where there are mimic joints
  std::vector<double> A, Adot, folded_A, folded_Adot;  ///< [6 tree nv]
  std::vector<Wrench<double>> wrenches;                ///< [joints]
  std::vector<SE3<double>> child;  ///< [joints] the child link's frame in the body's
  std::vector<Twist<double>> V_r;  ///< [bodies] twists of a reference motion
  std::vector<double> v_r;         ///< [tree nv]
};

}  // namespace jounce
