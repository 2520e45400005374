// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of inverse dynamics and of frames by Pinocchio.
#include <pinocchio/algorithm/kinematics-derivatives.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>

#include "benchmarks/peers/pinocchio.hpp"

namespace jounce::bench::JOUNCE_PINOCCHIO {

void add_derivatives(const SharedWork& w, std::vector<PeerCall>& calls) {
  calls.push_back(call(
      w, "inverse-derivatives",
      [](auto& m, auto& d, auto& s) { pin::computeRNEADerivatives(m, d, s.q, s.v, s.a); },
      [](const Work& x) {
        const Matrix M = x.data.M.selfadjointView<Eigen::Upper>();
        return list(
            {x.ours_square(x.data.dtau_dq), x.ours_square(x.data.dtau_dv), x.ours_square(M)});
      }));
  struct Room {
    explicit Room(int n) : V_dq(Matrix6x::Zero(6, n)), A_dq(V_dq), A_dv(V_dq), A_da(V_dq) {}
    Matrix6x V_dq, A_dq, A_dv, A_da;  // A_da is dV/dv too
  };
  const auto room = std::make_shared<Room>(w->model.nv);
  const pin::JointIndex joint = w->tip_joint;
  calls.push_back(call(
      w, "frame-derivatives",
      [=](auto& m, auto& d, auto& s) {
        pin::computeForwardKinematicsDerivatives(m, d, s.q, s.v, s.a);
        pin::getJointAccelerationDerivatives(m, d, joint, pin::LOCAL, room->V_dq, room->A_dq,
                                             room->A_dv, room->A_da);
      },
      [=](const Work& x) {  // of the joint; the frame is fixed to it
        const Matrix Ad = x.tip_placement.toActionMatrixInverse();
        return list({x.ours_twists(Ad * room->V_dq), x.ours_twists(Ad * room->A_da),
                     x.ours_twists(Ad * room->A_dq), x.ours_twists(Ad * room->A_dv),
                     x.ours_twists(Ad * room->A_da)});
      }));
}

void add_second_derivatives(const SharedWork& w, std::vector<PeerCall>& calls) {
  calls.push_back(call(
      w, "inverse-second-derivatives",
      [](auto& m, auto& d, auto& s) {
        pin::ComputeRNEASecondOrderDerivatives(m, d, s.q, s.v, s.a);
      },
      [](const Work& x) {
        std::vector<double> found;
        const auto add = [&](const auto& T) {
          for (const int l : x.order)
            for (const int k : x.order)
              for (const int i : x.order) found.push_back(T(i, k, l));
        };
        add(x.data.d2tau_dqdq), add(x.data.d2tau_dqdv), add(x.data.d2tau_dvdv);
        add(x.data.d2tau_dadq);
        return found;
      }));
}

}  // namespace jounce::bench::JOUNCE_PINOCCHIO
