// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/peers/ours.hpp"

#include <jounce/jounce.hpp>
#include <jounce/regressor.hpp>
#include <jounce/simulation.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

using Numbers = std::vector<double>;

/// The doors of a robot, the states, and memory for what calls find.
struct Doors {
  Doors(const Robot& robot_, const PeerTree& tree)
      : robot(robot_), states(tree.states), tip(tip_of(robot_)) {
    if (robot.nv() > 64) return;  // nv^3 numbers
    second = std::make_unique<SecondDerivatives>(robot);
    tensors = std::make_unique<InverseSecondDerivatives>(robot);
  }

  Robot robot;
  std::vector<PeerState> states;
  size_t now = 0;  ///< the state of the last call
  FrameId tip;
  Kinematics kinematics{robot};
  Dynamics dynamics{robot};
  MassFactors factors{robot};
  Derivatives first{robot};
  Regressor regressor{robot};
  std::unique_ptr<SecondDerivatives> second;

  Numbers x = Numbers(size_t(robot.nv()));
  Eigen::MatrixXd J = Eigen::MatrixXd(6, robot.nv()), J_com = Eigen::MatrixXd(3, robot.nv());
  Eigen::MatrixXd LD = Eigen::MatrixXd(robot.nv(), robot.nv());
  Eigen::Matrix<double, 6, 6> inertia;
  Vec3<double> com{}, com_velocity{}, com_acceleration{};
  Momentum<double> momentum{};
  Energy energy{};
  MassMatrix M{robot};
  MassInverse M_inverse{robot};
  CoriolisMatrices C{robot};
  CentroidalMatrices A{robot};
  Eigen::MatrixXd columns{6, robot.nv()};
  RegressorMatrix Y{regressor};
  InverseDerivatives of_inverse{robot};
  ForwardDerivatives of_forward{robot};
  TwistDerivatives of_twist{robot};
  AccelerationDerivatives of_acceleration{robot};
  std::unique_ptr<InverseSecondDerivatives> tensors;
};

/// Numbers of any results, one after the other.
class List {
 public:
  List& operator<<(double x) { return found.push_back(x), *this; }
  List& operator<<(const Vec3<double>& x) { return *this << x.x << x.y << x.z; }
  List& operator<<(const Twist<double>& V) { return *this << V.w << V.v; }
  List& operator<<(const Numbers& x) {
    return found.insert(found.end(), x.begin(), x.end()), *this;
  }
  List& operator<<(const SE3<double>& T) {  // column by column
    const auto& [x, y, z] = T.R.m.row;
    *this << x.x << y.x << z.x << 0 << x.y << y.y << z.y << 0 << x.z << y.z << z.z << 0;
    return *this << T.p << 1;
  }
  List& operator<<(const Eigen::MatrixXd& x) {
    return found.insert(found.end(), x.data(), x.data() + x.size()), *this;
  }
  List& operator<<(const Tensor& T) {
    for (int l = 0; l < T.n(); ++l) *this << Eigen::MatrixXd(T.slice(l));
    return *this;
  }

  Numbers found;
};

using Shared = std::shared_ptr<Doors>;
using Calls = std::vector<PeerCall>;

template <class Run, class Write>
PeerCall call(const Shared& d, const char* name, Run run, Write write, int columns = 1) {
  return {name,
          [d, run](size_t k) {
            d->now = k;
            run(*d, d->states[k]);
          },
          [d, write] {
            List list;
            write(*d, list);
            return list.found;
          },
          columns};
}

using S = const PeerState&;
using D = Doors&;

void add_kinematics(const Shared& d, Calls& calls) {
  const auto pose = [](D x, List& to) { to << x.kinematics.pose(x.tip); };
  const auto jacobian = [](D x, List& to) { to << x.J; };
  calls.push_back(call(
      d, "fk", [](D x, S s) { x.kinematics.at(s.q); }, pose));
  calls.push_back(call(
      d, "fk-velocity-acceleration", [](D x, S s) { x.kinematics.at(s.q, s.v, s.a); },
      [](D x, List& to) {
        to << x.kinematics.pose(x.tip) << x.kinematics.twist_body(x.tip)
           << x.kinematics.spatial_acceleration_body(x.tip);
      }));
  calls.push_back(call(
      d, "jacobian",
      [](D x, S s) { x.kinematics.at(s.q).jacobian(x.tip, Representation::hybrid, into(x.J)); },
      jacobian));
  calls.push_back(call(
      d, "jacobian-path",
      [](D x, S s) { x.kinematics.jacobian(x.tip, Representation::body, s.q, into(x.J)); },
      jacobian));
  calls.push_back(call(
      d, "jacobian-rate",
      [](D x, S s) {
        x.kinematics.at(s.q, s.v).jacobian_rate(x.tip, Representation::body, into(x.J));
      },
      jacobian));
  calls.push_back(call(
      d, "com", [](D x, S s) { x.com = x.kinematics.at(s.q).com(); },
      [](D x, List& to) { to << x.com; }));
  calls.push_back(call(
      d, "com-acceleration",
      [](D x, S s) {
        x.kinematics.at(s.q, s.v, s.a);
        x.com = x.kinematics.com();
        x.com_velocity = x.kinematics.com_velocity();
        x.com_acceleration = x.kinematics.com_acceleration();
      },
      [](D x, List& to) { to << x.com << x.com_velocity << x.com_acceleration; }));
  calls.push_back(call(
      d, "com-jacobian", [](D x, S s) { x.kinematics.at(s.q).com_jacobian(into(x.J_com)); },
      [](D x, List& to) { to << x.J_com; }));
}

void add_dynamics(const Shared& d, Calls& calls) {
  const auto vector = [](D x, List& to) { to << x.x; };
  calls.push_back(call(
      d, "inverse", [](D x, S s) { x.dynamics.inverse(s.q, s.v, s.a, into(x.x)); }, vector));
  calls.push_back(call(
      d, "bias", [](D x, S s) { x.dynamics.bias(s.q, s.v, into(x.x)); }, vector));
  calls.push_back(call(
      d, "gravity", [](D x, S s) { x.dynamics.gravity(s.q, into(x.x)); }, vector));
  calls.push_back(call(
      d, "forward", [](D x, S s) { x.dynamics.forward(s.q, s.v, s.tau, into(x.x)); }, vector));
  calls.push_back(call(
      d, "momentum", [](D x, S s) { x.momentum = x.dynamics.momentum(s.q, s.v); },
      [](D x, List& to) { to << x.momentum.about_com.m << x.momentum.about_com.f; }));
  calls.push_back(call(
      d, "energy", [](D x, S s) { x.energy = x.dynamics.energy(s.q, s.v); },
      [](D x, List& to) { to << x.energy.kinetic << x.energy.potential; }));
}

void add_matrices(const Shared& d, Calls& calls) {
  calls.push_back(call(
      d, "mass", [](D x, S s) { x.dynamics.mass(s.q, into(x.M)); },
      [](D x, List& to) { to << Eigen::MatrixXd(x.M); }));
  calls.push_back(call(
      d, "mass-inverse", [](D x, S s) { x.dynamics.mass_inverse(s.q, into(x.M_inverse)); },
      [](D x, List& to) { to << Eigen::MatrixXd(x.M_inverse); }));
  calls.push_back(call(
      d, "coriolis",
      [](D x, S s) { x.dynamics.coriolis(s.q, s.v, Factorization::christoffel, into(x.C)); },
      [](D x, List& to) {
        to << Eigen::MatrixXd(
            x.C.matrix * Eigen::Map<const Eigen::VectorXd>(x.states[x.now].v.data(), x.robot.nv()));
      }));
  calls.push_back(call(
      d, "centroidal", [](D x, S s) { x.dynamics.centroidal_matrix(s.q, into(x.columns)); },
      [](D x, List& to) { to << x.columns; }));
  calls.push_back(call(
      d, "centroidal-rate", [](D x, S s) { x.dynamics.centroidal(s.q, s.v, into(x.A)); },
      [](D x, List& to) { to << Eigen::MatrixXd(x.A.matrix) << Eigen::MatrixXd(x.A.rate); }));
  for (const int per : {1, d->regressor.columns()})
    calls.push_back(call(
        d, per == 1 ? "regressor" : "regressor-column",
        [](D x, S s) { x.regressor.force(s.q, s.v, s.a, {}, into(x.Y)); },
        [](D x, List& to) { to << Eigen::MatrixXd(x.Y * x.regressor.parameters()); }, per));
}

void add_factors(const Shared& d, Calls& calls) {
  calls.push_back(call(
      d, "mass-factors", [](D x, S s) { x.factors.at(s.q).LD(into(x.LD)); },
      [](D x, List& to) {
        const Eigen::MatrixXd L = x.LD.triangularView<Eigen::UnitLower>();
        to << Eigen::MatrixXd(L.transpose() * x.LD.diagonal().asDiagonal() * L);
      }));
  calls.push_back(call(
      d, "factor-and-solve", [](D x, S s) { x.factors.at(s.q).solve(s.tau, into(x.x)); },
      [](D x, List& to) { to << x.x; }));
  calls.push_back(call(
      d, "operational-inertia",
      [](D x, S s) {
        x.factors.at(s.q).operational_inertia(x.tip, Representation::body, 1e-12, into(x.inertia));
      },
      [](D x, List& to) { to << Eigen::MatrixXd(x.inertia); }));
}

void add_derivatives(const Shared& d, Calls& calls) {
  calls.push_back(call(
      d, "inverse-derivatives",
      [](D x, S s) { x.first.inverse(s.q, s.v, s.a, into(x.of_inverse)); },
      [](D x, List& to) {
        const InverseDerivatives& y = x.of_inverse;
        to << Eigen::MatrixXd(y.dq) << Eigen::MatrixXd(y.dv) << Eigen::MatrixXd(y.da);
      }));
  calls.push_back(call(
      d, "forward-derivatives",
      [](D x, S s) { x.first.forward(s.q, s.v, s.tau, into(x.of_forward)); },
      [](D x, List& to) {
        const ForwardDerivatives& y = x.of_forward;
        to << Eigen::MatrixXd(y.dq) << Eigen::MatrixXd(y.dv) << Eigen::MatrixXd(y.dtau);
      }));
  calls.push_back(call(
      d, "frame-derivatives",
      [](D x, S s) {
        x.first.twist(x.tip, Representation::body, s.q, s.v, {}, into(x.of_twist));
        x.first.spatial_acceleration(x.tip, Representation::body, s.q, s.v, s.a, {},
                                     into(x.of_acceleration));
      },
      [](D x, List& to) {
        const AccelerationDerivatives& y = x.of_acceleration;
        to << Eigen::MatrixXd(x.of_twist.dq) << Eigen::MatrixXd(x.of_twist.dv)
           << Eigen::MatrixXd(y.dq) << Eigen::MatrixXd(y.dv) << Eigen::MatrixXd(y.da);
      }));
  if (!d->second) return;
  calls.push_back(call(
      d, "inverse-second-derivatives",
      [](D x, S s) { x.second->inverse(s.q, s.v, s.a, into(*x.tensors)); },
      [](D x, List& to) {
        to << x.tensors->dqdq << x.tensors->dqdv << x.tensors->dvdv << x.tensors->dadq;
      }));
}

/// A step of 1 ms, along a motion of half a second.
void add_step(const Shared& d, PeerCalls& calls) {
  struct Moving {
    explicit Moving(const Robot& robot)
        : sim(robot, {.integrator = Integrator::rk4, .step = 1e-3, .passive = false}),
          start(sim.start(robot.neutral(), Numbers(size_t(robot.nv()), 0.1))),
          x(start) {}
    Simulation sim;
    SimulationState start, x;
  };
  const auto motion = std::make_shared<Moving>(d->robot);
  calls.add("rk4-step", [motion] {
    if (motion->x.t > 0.5) motion->x = motion->start;
    motion->sim.step(motion->x, 1e-3);
  });
}

}  // namespace

PeerCalls our_calls(const Robot& robot, const PeerTree& tree) {
  const auto d = std::make_shared<Doors>(robot, tree);
  PeerCalls all;
  add_kinematics(d, all.calls);
  add_dynamics(d, all.calls);
  add_matrices(d, all.calls);
  add_factors(d, all.calls);
  add_derivatives(d, all.calls);
  add_step(d, all);
  all.mass_trace = d->dynamics.mass(robot.neutral()).trace();
  return all;
}

}  // namespace jounce::bench
