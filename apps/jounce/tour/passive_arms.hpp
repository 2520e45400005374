// SPDX-License-Identifier: BSD-3-Clause
// The use that [Ali] section 6 names: the base of the aerial manipulator tracks its reference, the
// joints of its arms are passive; hybrid dynamics gives how they swing and the wrench that the
// propellers must have, with derivatives.
//
// In time the arms move by Taylor steps of the derivatives that Series::hybrid finds.
#pragma once

#include "apps/jounce/tour/aerial_experiment.hpp"

namespace jounce::app {

class PassiveArms {
 public:
  struct Step {
    double time = 0;
    Eigen::VectorXd q;             ///< of the robot
    Eigen::MatrixXd motion, taus;  ///< derivatives; rows 0 to 5 of taus are the propellers' wrench
  };

  /// The first step has the arms hanging at rest; `damping` in N m s at every joint.
  explicit PassiveArms(double damping = 0.02) : damping_(damping) {
    for (int j = 0; j < 6; ++j) prescribed_[j] = true;
  }
  Step start() { return at(0, Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6)); }
  /// h later: q + h v + h^2/2 a + ... of the joints.
  Step next(const Step& x, double h) {
    Eigen::VectorXd q = x.q.tail(6), v = Eigen::VectorXd::Zero(6);
    double scale = 1;  // h^k / k!
    for (Eigen::Index k = 0; k < x.motion.cols(); ++k) {
      v += scale * x.motion.col(k).tail(6);
      scale *= h / double(k + 1);
      q += scale * x.motion.col(k).tail(6);
    }
    return at(x.time + h, q, v);
  }

 private:
  static constexpr int order = AerialExperiment::order, nv = AerialExperiment::nv;

  Step at(double time, const Eigen::VectorXd& joints, const Eigen::VectorXd& rates) {
    const AerialExperiment::Reference base = AerialExperiment::reference(time);
    Step x{time, base.q, base.motion, Eigen::MatrixXd::Zero(nv, order + 1)};
    x.q.tail(6) = joints;
    x.motion.bottomRows(6).setZero();
    x.motion.col(0).tail(6) = rates;
    for (int k = 0; k <= order; ++k) {  // -d v and its derivatives, as far as they are known
      x.taus.col(k).tail(6) = -damping_ * x.motion.col(k).tail(6);
      const HybridSeriesResult found =
          series_.hybrid(prescribed_, x.q, x.motion.leftCols(k + 2), x.taus.leftCols(k + 1));
      x.motion.col(k + 1).tail(6) = found.motion.col(k + 1).tail(6);
      if (k == order) x.taus.topRows(6) = found.taus.topRows(6);
    }
    return x;
  }

  double damping_;
  bool prescribed_[nv] = {};
  Series series_{load("builtin:aerial_manipulator"), order};
};

}  // namespace jounce::app
