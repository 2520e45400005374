// SPDX-License-Identifier: BSD-3-Clause
// Memory for the Coriolis and centroidal matrices, joint wrenches and passive dynamics.
#pragma once

#include <jounce/algorithm/coriolis.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

struct MatrixWork {
  explicit MatrixWork(const Robot& robot)
      : S(size_t(robot.model().nv)),
        Psi(size_t(robot.model().nv)),
        V(size_t(robot.bodies())),
        G(size_t(robot.bodies())),
        Gdot(size_t(robot.bodies())),
        K(size_t(robot.bodies())),
        room{S.data(), Psi.data(), V.data(), G.data(), Gdot.data(), K.data()},
        C(size_t(robot.model().nv) * size_t(robot.model().nv)),
        Mdot(C.size()),
        folded_C(robot.has_mimic() ? size_t(robot.nv()) * size_t(robot.nv()) : 0),
        folded_Mdot(folded_C.size()),
        A(6 * size_t(robot.model().nv)),
        Adot(A.size()),
        folded_A(A.size()),
        folded_Adot(A.size()),
        wrenches(robot.joints().size()),
        child(robot.joints().size()),
        V_r(size_t(robot.bodies())),
        v_r(size_t(robot.model().nv)) {
    for (size_t k = 0; k < child.size(); ++k) {
      const auto joint = size_t(robot.joints()[k].description);
      child[k] = robot.frame_info(robot.frame(robot.description().joints[joint].child)).offset;
    }
  }

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
