// SPDX-License-Identifier: BSD-3-Clause
// The words of Dynamics, Kinematics and MassFactors.
#include "model/words_table.hpp"

namespace jounce::test {
Words::Words(const Robot& robot)
    : robot_(robot),
      last_(FrameId(int(robot.frames().size()) - 1)),
      flags_(std::make_unique<bool[]>(size_t(robot.nv()))),
      dynamics_(robot),
      kinematics_(robot),
      factors_(robot),
      derivatives_(robot),
      second_(robot),
      series_(robot, order),
      kinematic_series_(robot, order + 1),
      series_derivatives_(robot, order),
      regressor_(robot, {true, true, true}),
      sensitivity_(robot, {{ParameterKind::gravity, "", 2}, {ParameterKind::gravity, "", 0}}),
      ik_(robot),
      constrained_(robot),
      constrained_derivatives_(robot),
      constrained_sensitivity_(robot, {{ParameterKind::gravity, "", 2},
                                       {ParameterKind::placement, robot.joints()[0].name, 1}}),
      constrained_series_(robot, order),
      constrained_wrenches_(robot),
      closed_(robot),
      contacts_(robot.frame_info(last_).body > 0 ? 1 : 0, {last_, LoopKind::point}),
      rows_(constrained_.rows()),
      touching_(rows_ + ConstrainedDynamics::rows(contacts_)),
      free_motors_(rows_ == 0 && std::ranges::all_of(robot.actuated(), std::identity())),
      M_(robot),
      inverse_(robot),
      coriolis_(robot),
      centroidal_(robot),
      inverse_derivatives_(robot),
      forward_derivatives_(robot),
      hybrid_derivatives_(robot),
      twist_derivatives_(robot),
      acceleration_derivatives_(robot),
      com_derivatives_(robot),
      momentum_derivatives_(robot),
      inverse_second_(robot),
      forward_second_(robot),
      products_(robot),
      mass_derivatives_(robot),
      partials_(robot, order),
      Y_(regressor_),
      of_forward_(robot, touching_),
      of_inverse_(robot, rows_),
      of_hybrid_(robot, rows_),
      of_constraints_(robot, rows_),
      by_parameters_(robot, rows_, 2),
      touching_by_parameters_(robot, touching_, 2),
      lambda_(size_t(rows_), 0.3),
      joint_wrenches_(robot.joints().size()),
      wrench_series_(2),
      outside_series_(1),
      ground_series_(2),
      pose_goals_{{last_, {{}, {0.1, 0.2, 0.3}}}},
      twist_goals_{{last_, {{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}}}} {
  for (int k = 0; k < robot.nv(); k += 2) flags_[size_t(k)] = true;
  add_dynamics(), add_matrices(), add_quantities();
  add_kinematics(), add_frames(), add_factors();
  add_derivatives(), add_products();
  add_derivatives_of_frames(), add_derivatives_of_sums();
  add_second(), add_second_products();
  add_series(), add_kinematic_series(), add_series_derivatives();
  add_parameters(), add_inverse_kinematics();
  add_constrained(), add_closing(), add_constrained_inverse();
  add_constrained_derivatives(), add_constrained_sensitivities();
  add_constrained_series(), add_closed_kinematics(), add_constrained_wrenches();
}

void Words::move(const VectorArg& q, const VectorArg& v, const VectorArg& a) {
  kinematics_.at(q, v, a, ground);
  factors_.at(q);
  Eigen::MatrixXd both(robot_.nv(), 2);
  const std::span<const double> now = v, next = a;
  std::copy(now.begin(), now.end(), both.col(0).begin());
  std::copy(next.begin(), next.end(), both.col(1).begin());
  kinematic_series_.at(q, both);
}

/// The first wrench with one derivative, and the ground.
SeriesSurroundings Words::series_around() {
  if (!wrenches.empty()) {
    wrench_series_[0] = wrench_series_[1] = wrenches[0].wrench;
    outside_series_[0] = {wrenches[0].frame, wrench_series_, wrenches[0].in};
  }
  if (ground) ground_series_[0] = ground->V, ground_series_[1] = ground->Vdot;
  const std::span<const OutsideWrenchSeries> pushes(outside_series_);
  const std::span<const Twist<double>> moves(ground_series_);
  return {.wrenches = pushes.first(wrenches.empty() ? 0 : 1),
          .ground = moves.first(ground ? 2 : 0)};
}

void Words::add_dynamics() {
  Dynamics& d = dynamics_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, Surrounded by, std::vector<Argument> arguments,
                       std::vector<Shape> results, auto call) {
    all_.push_back({"Dynamics", name, by, std::move(arguments), numbers, std::move(results), call});
  };
  add("inverse", by_wrenches, {"q", "v", "a"}, {{n, 1}},
      [&](auto& x, auto& to) { d.inverse(x[0], x[1], x[2], around(), to[0]); });
  add("forward", by_wrenches, {"q", "v", "tau"}, {{n, 1}},
      [&](auto& x, auto& to) { d.forward(x[0], x[1], x[2], around(), to[0]); });
  add("hybrid", by_wrenches, {"q", "v", "a", "tau"}, {{n, 1}, {n, 1}}, [&](auto& x, auto& to) {
    d.hybrid(prescribed(), x[0], x[1], x[2], x[3], around(), to[0], to[1]);
  });
  add("inverse", by_nothing, {"q", "v", "a"}, {{n, 1}},
      [&](auto& x, auto& to) { d.inverse(x[0], x[1], x[2], to[0]); });
  add("forward", by_nothing, {"q", "v", "tau"}, {{n, 1}},
      [&](auto& x, auto& to) { d.forward(x[0], x[1], x[2], to[0]); });
  add("hybrid", by_nothing, {"q", "v", "a", "tau"}, {{n, 1}, {n, 1}},
      [&](auto& x, auto& to) { d.hybrid(prescribed(), x[0], x[1], x[2], x[3], to[0], to[1]); });
  add("bias", by_ground, {"q", "v"}, {{n, 1}},
      [&](auto& x, auto& to) { d.bias(x[0], x[1], ground, to[0]); });
  add("bias", by_nothing, {"q", "v"}, {{n, 1}},
      [&](auto& x, auto& to) { d.bias(x[0], x[1], to[0]); });
  add("gravity", by_nothing, {"q"}, {{n, 1}}, [&](auto& x, auto& to) { d.gravity(x[0], to[0]); });
  add("centroidal_matrix", by_nothing, {"q"}, {{6, n}},
      [&](auto& x, auto& to) { d.centroidal_matrix(x[0], to[0]); });
  for (const Factorization f :
       {Factorization::ploen, Factorization::lie, Factorization::christoffel})
    add("inverse_reference", by_nothing, {"q", "v", "v_r", "a_r"}, {{n, 1}},
        [&d, f](auto& x, auto& to) { d.inverse_reference(x[0], x[1], x[2], x[3], f, to[0]); });
}

void Words::add_matrices() {
  Dynamics& d = dynamics_;
  const auto add = [&](const char* name, std::vector<Argument> arguments, auto call, auto views) {
    all_.push_back({"Dynamics", name, by_nothing, std::move(arguments), object, {}, call, views});
  };
  add(
      "mass", {"q"}, [&](auto& x, auto&) { d.mass(x[0], into(M_)); }, [&] { return Views{M_}; });
  add(
      "mass_inverse", {"q"}, [&](auto& x, auto&) { d.mass_inverse(x[0], into(inverse_)); },
      [&] { return Views{inverse_}; });
  add(
      "coriolis", {"q", "v"},
      [&](auto& x, auto&) { d.coriolis(x[0], x[1], Factorization::christoffel, into(coriolis_)); },
      [&] {
        return Views{coriolis_.matrix, coriolis_.mass_rate};
      });
  add(
      "centroidal", {"q", "v"},
      [&](auto& x, auto&) { d.centroidal(x[0], x[1], into(centroidal_)); },
      [&] {
        return Views{centroidal_.matrix, centroidal_.rate};
      });
}

void Words::add_quantities() {
  Dynamics& d = dynamics_;
  const auto add = [&](const char* name, Surrounded by, std::vector<Argument> arguments, int count,
                       auto call) {
    all_.push_back({"Dynamics", name, by, std::move(arguments), value, {{count, 1}}, call});
  };
  add("energy", by_ground, {"q", "v"}, 2, [&](auto& x, auto& to) {
    const Energy e = d.energy(x[0], x[1], ground);
    Write(to[0]) << e.kinetic << e.potential;
  });
  add("elastic_energy", by_nothing, {"q"}, 1,
      [&](auto& x, auto& to) { Write(to[0]) << d.elastic_energy(x[0]); });
  add("energy_rate", by_ground, {"q", "v", "a"}, 2, [&](auto& x, auto& to) {
    const EnergyRate<double> rate = d.energy_rate(x[0], x[1], x[2], ground);
    Write(to[0]) << rate.kinetic << rate.potential;
  });
  add("power_balance", by_wrenches, {"q", "v", "a"}, 6, [&](auto& x, auto& to) {
    const PowerBalance p = d.power_balance(x[0], x[1], x[2], around());
    Write(to[0]) << p.kinetic_rate << p.potential_rate << p.actuators << p.passive << p.outside
                 << p.ground;
  });
  add("momentum", by_ground, {"q", "v"}, 9, [&](auto& x, auto& to) {
    const Momentum<double> h = d.momentum(x[0], x[1], ground);
    Write(to[0]) << h.about_com << h.com;
  });
  for (const Representation in : {body, space, hybrid})
    add("joint_wrenches", by_wrenches, {"q", "v", "a"}, 6 * int(joint_wrenches_.size()) + 6,
        [&, in](auto& x, auto& to) {
          const Wrench<double> ground_wrench =
              d.joint_wrenches(x[0], x[1], x[2], in, around(), into(joint_wrenches_));
          Write write(to[0]);
          for (const Wrench<double>& F : joint_wrenches_) write << F;
          write << ground_wrench;
        });
  if (is_free_base(robot_.model(), 1)) return;  // the ground need not push at all
  add("zero_moment_point", by_wrenches, {"q", "v", "a"}, 3, [&](auto& x, auto& to) {
    Write(to[0]) << d.zero_moment_point(x[0], x[1], x[2], {}, around());
  });
}

void Words::add_kinematics() {
  Kinematics& k = kinematics_;
  const auto add = [&](Surrounded by, std::vector<Argument> arguments, auto call) {
    all_.push_back({"Kinematics", "at", by, std::move(arguments), value, {}, call});
  };
  add(by_nothing, {"q"}, [&](auto& x, auto&) { k.at(x[0]); });
  add(by_nothing, {"q", "v"}, [&](auto& x, auto&) { k.at(x[0], x[1]); });
  add(by_ground, {"q", "v", "a"}, [&](auto& x, auto&) { k.at(x[0], x[1], x[2], ground); });
  for (const Representation in : {body, space, hybrid})
    all_.push_back({"Kinematics",
                    "jacobian",
                    by_nothing,
                    {"q"},
                    numbers,
                    {{6, robot_.nv()}},
                    [&, in](auto& x, auto& to) { k.jacobian(last_, in, x[0], to[0]); }});
}

/// What is asked of a frame at the state of `move`.
void Words::add_frames() {
  Kinematics& k = kinematics_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, Gives how, Shape result, auto call) {
    all_.push_back({"Kinematics", name, by_nothing, {}, how, {result}, [call](auto&, auto& to) {
                      call(to[0]);
                    }});
  };
  const auto twist = [&](const char* name, Twist<double> (Kinematics::*ask)(FrameId) const) {
    add(name, value, {6, 1}, [&, ask](auto& to) { Write(to) << (k.*ask)(last_); });
  };
  add("pose", value, {12, 1}, [&](auto& to) { Write(to) << k.pose(last_); });
  twist("twist_body", &Kinematics::twist_body);
  twist("twist_space", &Kinematics::twist_space);
  twist("twist_hybrid", &Kinematics::twist_hybrid);
  twist("spatial_acceleration_body", &Kinematics::spatial_acceleration_body);
  twist("spatial_acceleration_space", &Kinematics::spatial_acceleration_space);
  twist("classical_acceleration_body", &Kinematics::classical_acceleration_body);
  twist("classical_acceleration_hybrid", &Kinematics::classical_acceleration_hybrid);
  for (const Representation in : {body, space, hybrid}) {
    add("jacobian", numbers, {6, n}, [&, in](auto& to) { k.jacobian(last_, in, to); });
    add("jacobian_rate", numbers, {6, n}, [&, in](auto& to) { k.jacobian_rate(last_, in, to); });
  }
  add("com", value, {3, 1}, [&](auto& to) { Write(to) << k.com(); });
  add("com_velocity", value, {3, 1}, [&](auto& to) { Write(to) << k.com_velocity(); });
  add("com_acceleration", value, {3, 1}, [&](auto& to) { Write(to) << k.com_acceleration(); });
  add("com_jacobian", numbers, {3, n}, [&](auto& to) { k.com_jacobian(to); });
  add("manipulability", value, {1, 1}, [&](auto& to) { Write(to) << k.manipulability(last_); });
  add("manipulability_gradient", numbers, {n, 1},
      [&](auto& to) { k.manipulability_gradient(last_, to); });
  add("null_space_projector", numbers, {n, n},
      [&](auto& to) { k.null_space_projector(last_, 1e-9, to); });
}

void Words::add_factors() {
  MassFactors& f = factors_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, std::vector<Argument> arguments, Gives how,
                       std::vector<Shape> results, auto call) {
    all_.push_back(
        {"MassFactors", name, by_nothing, std::move(arguments), how, std::move(results), call});
  };
  add("at", {"q"}, value, {}, [&](auto& x, auto&) { f.at(x[0]); });
  add("solve", {"x"}, numbers, {{n, 1}}, [&](auto& x, auto& to) { f.solve(x[0], to[0]); });
  add("LD", {}, numbers, {{n, n}}, [&](auto&, auto& to) { f.LD(to[0]); });
  add("operational_inertia", {}, numbers, {{6, 6}},
      [&](auto&, auto& to) { f.operational_inertia(last_, space, 1e-12, to[0]); });
  add("consistent_inverse", {}, numbers, {{n, 6}},
      [&](auto&, auto& to) { f.consistent_inverse(last_, body, 1e-12, to[0]); });
  add("null_space_projector", {}, numbers, {{n, n}},
      [&](auto&, auto& to) { f.null_space_projector(last_, 1e-12, to[0]); });
}

}  // namespace jounce::test
