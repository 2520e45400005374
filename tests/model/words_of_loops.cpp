// SPDX-License-Identifier: BSD-3-Clause
// The words of closed loops and contacts. Robots of the table have none or few loops; forward
// dynamics, impulses and their like also hold the last frame by a contact.
#include "model/words_table.hpp"

namespace jounce::test {

void Words::add_constrained() {
  ConstrainedDynamics& d = constrained_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, Surrounded by, std::vector<Argument> arguments,
                       std::vector<Shape> results, auto call) {
    all_.push_back(
        {"ConstrainedDynamics", name, by, std::move(arguments), numbers, std::move(results), call});
  };
  add("constrained_forward", by_wrenches, {"q", "v", "tau"}, {{n, 1}, {touching_, 1}},
      [&](auto& x, auto& to) { d.forward(x[0], x[1], x[2], around(), contacts_, to[0], to[1]); });
  add("constrained_hybrid", by_wrenches, {"q", "v", "a", "tau"}, {{n, 1}, {n, 1}, {rows_, 1}},
      [&](auto& x, auto& to) {
        d.hybrid(prescribed(), x[0], x[1], x[2], x[3], around(), {}, Optimum::force, to[0], to[1],
                 to[2]);
      });
  add("impulse", by_nothing, {"q", "v"}, {{n, 1}, {touching_, 1}},
      [&](auto& x, auto& to) { d.impulse(x[0], x[1], contacts_, 0.5, to[0], to[1]); });
  add("project", by_nothing, {"q", "v"}, {{n, 1}},
      [&](auto& x, auto& to) { d.project(x[0], x[1], contacts_, to[0]); });
  add("bias", by_nothing, {"q", "v"}, {{touching_, 1}},
      [&](auto& x, auto& to) { d.bias(x[0], x[1], contacts_, to[0]); });
  add("jacobian", by_nothing, {"q"}, {{touching_, n}},
      [&](auto& x, auto& to) { d.jacobian(x[0], contacts_, to[0]); });
}

void Words::add_closing() {
  ConstrainedDynamics& d = constrained_;
  all_.push_back({"ConstrainedDynamics",
                  "closure",
                  by_nothing,
                  {"q"},
                  numbers,
                  {{rows_, 1}},
                  [&](auto& x, auto& to) { d.closure(x[0], to[0]); }});
}

/// Where any motion has its forces.
void Words::add_constrained_inverse() {
  if (!free_motors_) return;
  ConstrainedDynamics& d = constrained_;
  const int n = robot_.nv();
  all_.push_back({"ConstrainedDynamics",
                  "constrained_inverse",
                  by_wrenches,
                  {"q", "v", "a", "passive"},
                  numbers,
                  {{n, 1}, {rows_, 1}},
                  [&](auto& x, auto& to) {
                    d.inverse(x[0], x[1], x[2], x[3], around(), {}, Optimum::torque, to[0], to[1]);
                  }});
}

void Words::add_constrained_derivatives() {
  ConstrainedDerivatives& d = constrained_derivatives_;
  const auto add = [&](const char* name, std::vector<Argument> arguments, auto call, auto views) {
    all_.push_back({"ConstrainedDerivatives",
                    name,
                    by_wrenches,
                    std::move(arguments),
                    object,
                    {},
                    call,
                    views});
  };
  add(
      "constrained_forward_derivatives", {"q", "v", "tau"},
      [&](auto& x, auto&) { d.forward(x[0], x[1], x[2], around(), contacts_, into(of_forward_)); },
      [&] {
        auto& f = of_forward_;
        return Views{f.da_dq, f.da_dv, f.da_dtau, f.dlambda_dq, f.dlambda_dv, f.dlambda_dtau};
      });
  add(
      "constrained_hybrid_derivatives", {"q", "v", "a", "tau"},
      [&](auto& x, auto&) {
        d.hybrid(prescribed(), x[0], x[1], x[2], x[3], around(), {}, Optimum::torque,
                 into(of_hybrid_));
      },
      [&] {
        auto& h = of_hybrid_;
        return Views{h.dq, h.dv, h.dgiven, h.dlambda_dq, h.dlambda_dv, h.dlambda_dgiven};
      });
  all_.push_back(
      {"ConstrainedDerivatives",
       "constraint_derivatives",
       by_nothing,
       {"q", "v", "a"},
       object,
       {},
       [&](auto& x, auto&) { d.constraints(x[0], x[1], x[2], lambda_, {}, into(of_constraints_)); },
       [&] {
         auto& c = of_constraints_;
         return Views{c.dq, c.dv, c.dforce_dq};
       }});
  if (!free_motors_) return;
  add(
      "constrained_inverse_derivatives", {"q", "v", "a"},
      [&](auto& x, auto&) {
        d.inverse(x[0], x[1], x[2], around(), {}, Optimum::force, into(of_inverse_));
      },
      [&] {
        auto& i = of_inverse_;
        return Views{i.dtau_dq, i.dtau_dv, i.dtau_da, i.dlambda_dq, i.dlambda_dv, i.dlambda_da};
      });
}

void Words::add_constrained_sensitivities() {
  ConstrainedSensitivity& s = constrained_sensitivity_;
  const auto add = [&](const char* name, std::vector<Argument> arguments,
                       ConstrainedSensitivities& found, auto call) {
    all_.push_back({"ConstrainedSensitivity",
                    name,
                    by_wrenches,
                    std::move(arguments),
                    object,
                    {},
                    call,
                    [&found] {
                      return Views{found.dx_dp, found.dlambda_dp};
                    }});
  };
  add("constrained_forward_sensitivity", {"q", "v", "tau"}, touching_by_parameters_,
      [&](auto& x, auto&) {
        s.forward(x[0], x[1], x[2], around(), contacts_, into(touching_by_parameters_));
      });
  add("constrained_hybrid_sensitivity", {"q", "v", "a", "tau"}, by_parameters_,
      [&](auto& x, auto&) {
        s.hybrid(prescribed(), x[0], x[1], x[2], x[3], around(), {}, Optimum::force,
                 into(by_parameters_));
      });
  if (!free_motors_) return;
  add("constrained_inverse_sensitivity", {"q", "v", "a"}, by_parameters_, [&](auto& x, auto&) {
    s.inverse(x[0], x[1], x[2], around(), {}, Optimum::torque, into(by_parameters_));
  });
}

void Words::add_constrained_series() {
  ConstrainedSeries& s = constrained_series_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, std::vector<Argument> arguments, int rows, auto call) {
    all_.push_back({"ConstrainedSeries",
                    name,
                    by_wrenches,
                    std::move(arguments),
                    numbers,
                    {{n, order + 2}, {n, order + 1}, {rows, order + 1}},
                    call});
  };
  add("constrained_forward_series", {"q", "v", taus}, touching_, [&, n](auto& x, auto& to) {
    s.forward(x[0], x[1], MatrixArg(x[2], n), series_around(), contacts_, to[0], to[1], to[2]);
  });
  if (!free_motors_) return;
  add("constrained_inverse_series", {"q", motion}, rows_, [&, n](auto& x, auto& to) {
    s.inverse(x[0], MatrixArg(x[1], n), series_around(), {}, Optimum::torque, to[0], to[1], to[2]);
  });
  add("constrained_hybrid_series", {"q", motion, taus}, rows_, [&, n](auto& x, auto& to) {
    s.hybrid(prescribed(), x[0], MatrixArg(x[1], n), MatrixArg(x[2], n), series_around(), {},
             Optimum::force, to[0], to[1], to[2]);
  });
}

void Words::add_closed_kinematics() {
  if (!free_motors_) return;
  ClosedKinematics& k = closed_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, Gives how, std::vector<Shape> results, auto call) {
    all_.push_back({"ClosedKinematics", name, by_nothing, {"q"}, how, std::move(results), call});
  };
  add("motion", numbers, {{n, n}}, [&](auto& x, auto& to) { k.motion(x[0], {}, to[0]); });
  add("closed_jacobian", numbers, {{6, n}},
      [&](auto& x, auto& to) { k.jacobian(x[0], last_, body, {}, to[0]); });
  add("singularity", value, {{4, 1}}, [&](auto& x, auto& to) {
    const Singularity s = k.singularity(x[0], last_);
    Write(to[0]) << s.rows << s.passive << s.frame << s.position;
  });
  all_.push_back({"ClosedKinematics",
                  "ik",
                  by_nothing,
                  {"q_guess"},
                  numbers,
                  {{robot_.nq(), 1}},
                  [&](auto& x, auto& to) { k.solve(pose_goals_, x[0], ik_options_, to[0]); }});
}

void Words::add_constrained_wrenches() {
  all_.push_back({"ConstrainedWrenches",
                  "joint_wrenches",
                  by_wrenches,
                  {"q", "v", "a"},
                  value,
                  {{6, 1}},
                  [&](auto& x, auto& to) {
                    Write(to[0]) << constrained_wrenches_.joint_wrenches(
                        x[0], x[1], x[2], lambda_, body, around(), {}, into(joint_wrenches_));
                  }});
}

}  // namespace jounce::test
