// SPDX-License-Identifier: BSD-3-Clause
// Every call of the doors that are of any kind of number, and its results as plain numbers.
#pragma once

#include <jounce/any_number.hpp>
#include <jounce/scalar/parts.hpp>
#include <memory>

#include "support/random.hpp"

namespace jounce::test {

/// What the calls take, in one kind of number.
template <class Real>
struct Given {
  explicit Given(const Robot& robot)
      : q(size_t(robot.nq())),
        v(size_t(robot.nv())),
        a(v),
        tau(v),
        v_r(v),
        prescribed(std::make_unique<bool[]>(v.size())) {}
  std::span<const bool> flags() const { return {prescribed.get(), v.size()}; }

  BasicSurroundings<Real> around() const { return {.wrenches = external}; }

  std::vector<Real> q, v, a, tau, v_r;
  std::vector<OutsideWrench<Real>> external;
  std::unique_ptr<bool[]> prescribed;
  FrameId frame{};
};

/// The doors that are of any kind of number.
template <class Real>
struct Doors {
  explicit Doors(const Robot& robot)
      : kinematics(robot), dynamics(robot), factors(robot), derivatives(robot) {}

  BasicKinematics<Real> kinematics;
  BasicDynamics<Real> dynamics;
  BasicMassFactors<Real> factors;
  BasicDerivatives<Real> derivatives;
};

template <class Real, class Sink>
void everything_of_frames(BasicKinematics<Real>& k, const Given<Real>& x, Sink sink) {
  using enum Representation;
  k.at(x.q, x.v, x.a);
  sink("pose", k.pose(x.frame));
  sink("twist", k.twist_body(x.frame)), sink("twist", k.twist_space(x.frame));
  sink("twist", k.twist_hybrid(x.frame));
  sink("acceleration", k.spatial_acceleration_body(x.frame));
  sink("acceleration", k.spatial_acceleration_space(x.frame));
  sink("acceleration", k.classical_acceleration_body(x.frame));
  sink("acceleration", k.classical_acceleration_hybrid(x.frame));
  for (const Representation in : {body, space, hybrid}) {
    sink("jacobian", k.jacobian(x.frame, in));
    sink("jacobian of a path", k.jacobian(x.frame, in, x.q));
    sink("jacobian_rate", k.jacobian_rate(x.frame, in));
  }
  sink("com", k.com()), sink("com_velocity", k.com_velocity());
  sink("com_acceleration", k.com_acceleration()), sink("com_jacobian", k.com_jacobian());
}

/// Every word of them; sink(name, result).
template <class Real, class Sink>
void everything(Doors<Real>& doors, const Given<Real>& x, Sink sink) {
  everything_of_frames(doors.kinematics, x, sink);
  BasicDynamics<Real>& d = doors.dynamics;
  for (const Representation in :
       {Representation::body, Representation::space, Representation::hybrid})
    sink("joint_wrenches", d.joint_wrenches(x.q, x.v, x.a, in, x.around()));
  sink("inverse", d.inverse(x.q, x.v, x.a, x.around()));
  sink("forward", d.forward(x.q, x.v, x.tau, x.around()));
  sink("hybrid", d.hybrid(x.flags(), x.q, x.v, x.a, x.tau, x.around()));
  sink("mass", d.mass(x.q)), sink("mass_inverse", d.mass_inverse(x.q));
  sink("mass_solve", doors.factors.at(x.q).solve(x.tau));
  sink("bias", d.bias(x.q, x.v)), sink("gravity", d.gravity(x.q));
  const auto energy = d.energy(x.q, x.v);
  sink("kinetic", energy.kinetic), sink("potential", energy.potential);
  for (const Factorization f : {Factorization::plain, Factorization::ploen, Factorization::lie,
                                Factorization::christoffel}) {
    const auto found = d.coriolis(x.q, x.v, f);
    sink("coriolis", found.matrix), sink("mass_rate", found.mass_rate);
    if (f != Factorization::plain)
      sink("inverse_reference", d.inverse_reference(x.q, x.v, x.v_r, x.a, f));
  }
  sink("centroidal matrix", d.centroidal_matrix(x.q));
  const auto centroidal = d.centroidal(x.q, x.v);
  sink("centroidal", centroidal.matrix), sink("centroidal rate", centroidal.rate);
  const auto momentum = d.momentum(x.q, x.v);
  sink("momentum", momentum.about_com), sink("momentum", momentum.com);
  const auto slopes = doors.derivatives.inverse(x.q, x.v, x.a, x.around());
  sink("dtau_dq", slopes.dq), sink("dtau_dv", slopes.dv), sink("mass", slopes.da);
  const auto power = d.power_balance(x.q, x.v, x.a, x.around());
  sink("power", power.actuators), sink("power", power.passive), sink("power", power.outside);
  sink("power", power.ground);
  const auto rate = d.energy_rate(x.q, x.v, x.a);
  sink("kinetic rate", rate.kinetic), sink("potential rate", rate.potential);
}

/// Appends the numbers of a result, whatever it is.
template <class Real>
struct Numbers {
  std::vector<Real> all;

  void add(const Real& x) { all.push_back(x); }
  void add(const Vec3<Real>& x) { add(x.x), add(x.y), add(x.z); }
  void add(const Twist<Real>& V) { add(V.w), add(V.v); }
  void add(const Wrench<Real>& F) { add(F.m), add(F.f); }
  void add(const SE3<Real>& T) {
    for (const Vec3<Real>& row : T.R.m.row) add(row);
    add(T.p);
  }
  void add(const std::vector<Real>& x) { all.insert(all.end(), x.begin(), x.end()); }
  void add(const BasicOwnedMatrix<Real>& x) {
    for (int j = 0; j < x.cols(); ++j)
      for (int i = 0; i < x.rows(); ++i) add(x(i, j));
  }
  template <class Derived>
  void add(const Eigen::MatrixBase<Derived>& x) {
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      for (Eigen::Index i = 0; i < x.rows(); ++i) add(x(i, j));
  }
  void add(const BasicHybridResult<Real>& x) { add(x.a), add(x.tau); }
  void add(const BasicJointWrenches<Real>& x) {
    for (const Wrench<Real>& F : x.joints) add(F);
    add(x.ground);
  }
};

inline void set_lane(float& x, int, double value) { x = float(value); }
template <class T, int W>
void set_lane(Pack<T, W>& x, int lane, double value) {
  x.set(lane, value);
}

template <class To, class From>
To at_lane(const From& x, int lane) {
  return To(NumberParts<From>::at(x, lane));
}

/// Random states, one per lane, and what they are as doubles.
template <class Real>
struct States {
  static constexpr int lanes = NumberParts<Real>::values;

  States(const Robot& robot, std::uint64_t seed) : given(robot), rng(seed) {
    given.frame = FrameId(int(rng.uniform(0, double(robot.frames().size()))));
    for (size_t k = 0; k < given.v.size(); ++k) given.prescribed[k] = rng.uniform() < 0.5;
    given.external.resize(3);
    for (int lane = 0; lane < lanes; ++lane) {
      const std::vector<double> start = robot.random(seed + std::uint64_t(lane));
      for (size_t k = 0; k < start.size(); ++k) set_lane(given.q[k], lane, start[k]);
      for (std::vector<Real>* x : {&given.v, &given.a, &given.tau, &given.v_r})
        for (Real& one : *x) set_lane(one, lane, rng.uniform(-1, 1));
      for (auto& one : given.external)
        for (Vec3<Real>* part : {&one.wrench.m, &one.wrench.f})
          for (Real* x : {&part->x, &part->y, &part->z}) set_lane(*x, lane, rng.uniform(-1, 1));
    }
    for (int k = 0; k < 3; ++k) {
      given.external[size_t(k)].frame = given.frame;
      given.external[size_t(k)].in = Representation(k);
    }
  }
  Given<double> lane(const Robot& robot, int n) const {
    Given<double> x(robot);
    const auto copy = [n](const std::vector<Real>& from, std::vector<double>& to) {
      for (size_t k = 0; k < from.size(); ++k) to[k] = at_lane<double>(from[k], n);
    };
    copy(given.q, x.q), copy(given.v, x.v), copy(given.a, x.a), copy(given.tau, x.tau);
    copy(given.v_r, x.v_r);
    const auto vector = [n](const Vec3<Real>& a) {
      return Vec3<double>{at_lane<double>(a.x, n), at_lane<double>(a.y, n),
                          at_lane<double>(a.z, n)};
    };
    for (const auto& one : given.external)
      x.external.push_back({one.frame, {vector(one.wrench.m), vector(one.wrench.f)}, one.in});
    std::copy_n(given.prescribed.get(), x.v.size(), x.prescribed.get());
    x.frame = given.frame;
    return x;
  }

  Given<Real> given;
  Random rng;
};

using Named = std::vector<std::pair<std::string, Eigen::VectorXd>>;

/// All results of the doors as plain numbers, lane by lane.
template <class Real>
std::vector<Named> all_results(Doors<Real>& doors, const Given<Real>& x) {
  std::vector<Named> lanes(static_cast<size_t>(NumberParts<Real>::values));
  everything(doors, x, [&](const char* name, const auto& result) {
    Numbers<Real> numbers;
    numbers.add(result);
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      Eigen::VectorXd plain(Eigen::Index(numbers.all.size()));
      for (Eigen::Index k = 0; k < plain.size(); ++k)
        plain[k] = at_lane<double>(numbers.all[size_t(k)], int(lane));
      lanes[lane].emplace_back(name, plain);
    }
  });
  return lanes;
}

}  // namespace jounce::test
