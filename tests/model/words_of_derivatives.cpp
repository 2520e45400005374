// SPDX-License-Identifier: BSD-3-Clause
// The words of derivatives, series, parameters and inverse kinematics.
#include "model/words_table.hpp"

namespace jounce::test {
namespace {

Views slices(std::initializer_list<const Tensor*> tensors) {
  Views all;
  for (const Tensor* t : tensors)
    for (int l = 0; l < t->n(); ++l) all.push_back(t->slice(l));
  return all;
}

}  // namespace

void Words::add_derivatives() {
  Derivatives& d = derivatives_;
  const auto add = [&](const char* name, std::vector<Argument> arguments, auto call, auto views) {
    all_.push_back(
        {"Derivatives", name, by_wrenches, std::move(arguments), object, {}, call, views});
  };
  add(
      "inverse_derivatives", {"q", "v", "a"},
      [&](auto& x, auto&) { d.inverse(x[0], x[1], x[2], around(), into(inverse_derivatives_)); },
      [&] {
        return Views{inverse_derivatives_.dq, inverse_derivatives_.dv, inverse_derivatives_.da};
      });
  add(
      "forward_derivatives", {"q", "v", "tau"},
      [&](auto& x, auto&) { d.forward(x[0], x[1], x[2], around(), into(forward_derivatives_)); },
      [&] {
        return Views{forward_derivatives_.dq, forward_derivatives_.dv, forward_derivatives_.dtau};
      });
  add(
      "hybrid_derivatives", {"q", "v", "a", "tau"},
      [&](auto& x, auto&) {
        d.hybrid(prescribed(), x[0], x[1], x[2], x[3], around(), into(hybrid_derivatives_));
      },
      [&] {
        return Views{hybrid_derivatives_.dq, hybrid_derivatives_.dv, hybrid_derivatives_.dgiven};
      });
}

void Words::add_products() {
  Derivatives& d = derivatives_;
  const Shape n{robot_.nv(), 1};
  const auto add = [&](const char* name, std::vector<Argument> arguments,
                       std::vector<Shape> results, auto call) {
    all_.push_back({"Derivatives", name, by_wrenches, std::move(arguments), numbers,
                    std::move(results), call});
  };
  add("inverse_vector_jacobian", {"y", "q", "v", "a"}, {n, n, n}, [&](auto& x, auto& to) {
    d.inverse_vector_jacobian(x[0], x[1], x[2], x[3], around(), to[0], to[1], to[2]);
  });
  add("forward_vector_jacobian", {"y", "q", "v", "tau"}, {n, n, n}, [&](auto& x, auto& to) {
    d.forward_vector_jacobian(x[0], x[1], x[2], x[3], around(), to[0], to[1], to[2]);
  });
  add("inverse_jacobian_vector", {"q", "v", "a", "dq", "dv", "da"}, {n}, [&](auto& x, auto& to) {
    d.inverse_jacobian_vector(x[0], x[1], x[2], x[3], x[4], x[5], around(), to[0]);
  });
  add("forward_jacobian_vector", {"q", "v", "tau", "dq", "dv", "dtau"}, {n},
      [&](auto& x, auto& to) {
        d.forward_jacobian_vector(x[0], x[1], x[2], x[3], x[4], x[5], around(), to[0]);
      });
}

void Words::add_derivatives_of_frames() {
  Derivatives& d = derivatives_;
  const auto add = [&](const char* name, std::vector<Argument> arguments, auto call, auto views) {
    all_.push_back({"Derivatives", name, by_ground, std::move(arguments), object, {}, call, views});
  };
  const auto accelerations = [&] {
    const AccelerationDerivatives& y = acceleration_derivatives_;
    return Views{y.dq, y.dv, y.da};
  };
  add(
      "twist_derivatives", {"q", "v"},
      [&](auto& x, auto&) { d.twist(last_, hybrid, x[0], x[1], ground, into(twist_derivatives_)); },
      [&] {
        return Views{twist_derivatives_.dq, twist_derivatives_.dv};
      });
  add(
      "spatial_acceleration_derivatives", {"q", "v", "a"},
      [&](auto& x, auto&) {
        d.spatial_acceleration(last_, space, x[0], x[1], x[2], ground,
                               into(acceleration_derivatives_));
      },
      accelerations);
  add(
      "classical_acceleration_derivatives", {"q", "v", "a"},
      [&](auto& x, auto&) {
        d.classical_acceleration(last_, hybrid, x[0], x[1], x[2], ground,
                                 into(acceleration_derivatives_));
      },
      accelerations);
}

void Words::add_derivatives_of_sums() {
  Derivatives& d = derivatives_;
  const Shape n{robot_.nv(), 1};
  const auto add = [&](const char* name, auto call, auto views) {
    all_.push_back({"Derivatives", name, by_ground, {"q", "v", "a"}, object, {}, call, views});
  };
  add(
      "com_derivatives",
      [&](auto& x, auto&) { d.com(x[0], x[1], x[2], ground, into(com_derivatives_)); },
      [&] {
        const ComDerivatives& y = com_derivatives_;
        return Views{y.position_dq,     y.velocity_dq,     y.velocity_dv,
                     y.acceleration_dq, y.acceleration_dv, y.acceleration_da};
      });
  add(
      "momentum_derivatives",
      [&](auto& x, auto&) { d.momentum(x[0], x[1], x[2], ground, into(momentum_derivatives_)); },
      [&] {
        const MomentumDerivatives& y = momentum_derivatives_;
        return Views{y.momentum_dq, y.momentum_dv, y.rate_dq, y.rate_dv, y.rate_da};
      });
  all_.push_back({"Derivatives",
                  "energy_derivatives",
                  by_ground,
                  {"q", "v"},
                  numbers,
                  {n, n, n},
                  [&](auto& x, auto& to) { d.energy(x[0], x[1], ground, to[0], to[1], to[2]); }});
}

void Words::add_second() {
  SecondDerivatives& s = second_;
  const auto add = [&](const char* name, Surrounded by, std::vector<Argument> arguments, auto call,
                       auto views) {
    all_.push_back({"SecondDerivatives", name, by, std::move(arguments), object, {}, call, views});
  };
  add(
      "inverse_second_derivatives", by_wrenches, {"q", "v", "a"},
      [&](auto& x, auto&) { s.inverse(x[0], x[1], x[2], around(), into(inverse_second_)); },
      [&] {
        const InverseSecondDerivatives& y = inverse_second_;
        return slices({&y.dqdq, &y.dqdv, &y.dvdv, &y.dadq});
      });
  add(
      "forward_second_derivatives", by_wrenches, {"q", "v", "tau"},
      [&](auto& x, auto&) { s.forward(x[0], x[1], x[2], around(), into(forward_second_)); },
      [&] {
        const ForwardSecondDerivatives& y = forward_second_;
        return slices({&y.dqdq, &y.dqdv, &y.dvdv, &y.dtaudq});
      });
  add(
      "mass_derivatives", by_nothing, {"q"},
      [&](auto& x, auto&) { s.mass(x[0], into(mass_derivatives_)); },
      [&] {
        Views all;
        for (int l = 0; l < robot_.nv(); ++l) all.push_back(mass_derivatives_.slice(l));
        return all;
      });
  all_.push_back({"SecondDerivatives",
                  "mass_second_derivative",
                  by_nothing,
                  {"q"},
                  numbers,
                  {{robot_.nv(), robot_.nv()}},
                  [&](auto& x, auto& to) { s.mass_second(x[0], 0, robot_.nv() - 1, to[0]); }});
}

void Words::add_second_products() {
  SecondDerivatives& s = second_;
  const auto add = [&](const char* name, std::vector<Argument> arguments, auto call) {
    all_.push_back(
        {"SecondDerivatives", name, by_wrenches, std::move(arguments), object, {}, call, [&] {
           return Views{products_.dqdq, products_.dqdv, products_.dvdv, products_.dadq};
         }});
  };
  add("inverse_second_products", {"y", "q", "v", "a"}, [&](auto& x, auto&) {
    s.inverse_products(x[0], x[1], x[2], x[3], around(), into(products_));
  });
  add("forward_second_products", {"y", "q", "v", "tau"}, [&](auto& x, auto&) {
    s.forward_products(x[0], x[1], x[2], x[3], around(), into(products_));
  });
}

void Words::add_series() {
  Series& s = series_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, std::vector<Argument> arguments,
                       std::vector<Shape> results, auto call) {
    all_.push_back(
        {"Series", name, by_wrenches, std::move(arguments), numbers, std::move(results), call});
  };
  add("inverse_series", {"q", motion}, {{n, order + 1}},
      [&, n](auto& x, auto& to) { s.inverse(x[0], MatrixArg(x[1], n), series_around(), to[0]); });
  add("forward_series", {"q", "v", taus}, {{n, order + 2}}, [&, n](auto& x, auto& to) {
    s.forward(x[0], x[1], MatrixArg(x[2], n), series_around(), to[0]);
  });
  add("hybrid_series", {"q", motion, taus}, {{n, order + 2}, {n, order + 1}},
      [&, n](auto& x, auto& to) {
        s.hybrid(prescribed(), x[0], MatrixArg(x[1], n), MatrixArg(x[2], n), series_around(), to[0],
                 to[1]);
      });
}

void Words::add_kinematic_series() {
  KinematicSeries& s = kinematic_series_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, std::vector<Argument> arguments, Gives how,
                       std::vector<Shape> results, auto call) {
    all_.push_back(
        {"KinematicSeries", name, by_nothing, std::move(arguments), how, std::move(results), call});
  };
  add("at", {"q", {"motion", 2}}, value, {},
      [&, n](auto& x, auto&) { s.at(x[0], MatrixArg(x[1], n)); });
  add("pose", {}, value, {{16, 1}}, [&](auto&, auto& to) {
    const Mat4<double> T = s.pose(last_, 2);
    Write write(to[0]);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) write << T(i, j);
  });
  for (const Representation in : {body, space, hybrid}) {
    add("twist", {}, value, {{6, 1}},
        [&, in](auto&, auto& to) { Write(to[0]) << s.twist(last_, in, 1); });
    add("jacobian", {}, numbers, {{6, n}},
        [&, in](auto&, auto& to) { s.jacobian(last_, in, 2, to[0]); });
  }
}

void Words::add_series_derivatives() {
  SeriesDerivatives& s = series_derivatives_;
  const int n = robot_.nv();
  const auto add = [&](const char* name, std::vector<Argument> arguments, auto call) {
    all_.push_back(
        {"SeriesDerivatives", name, by_wrenches, std::move(arguments), object, {}, call, [&] {
           Views all{partials_.series()};
           for (int r = 0; r <= order; ++r)
             for (int k = 0; k <= r + 2; ++k) all.push_back(partials_(r, k));
           return all;
         }});
  };
  add("inverse_series", {"q", motion}, [&, n](auto& x, auto&) {
    s.inverse(x[0], MatrixArg(x[1], n), series_around(), into(partials_));
  });
  add("forward_series", {"q", "v", taus}, [&, n](auto& x, auto&) {
    s.forward(x[0], x[1], MatrixArg(x[2], n), series_around(), into(partials_));
  });
}

void Words::add_parameters() {
  const auto matrix = [&] { return Views{Y_}; };
  const auto add = [&](const char* door, const char* name, Surrounded by,
                       std::vector<Argument> arguments, std::vector<Shape> results, auto call) {
    all_.push_back({door, name, by, std::move(arguments), numbers, std::move(results), call});
  };
  all_.push_back({"Regressor",
                  "regressor",
                  by_ground,
                  {"q", "v", "a"},
                  object,
                  {},
                  [&](auto& x, auto&) { regressor_.force(x[0], x[1], x[2], ground, into(Y_)); },
                  matrix});
  all_.push_back({"Regressor",
                  "reference regressor",
                  by_nothing,
                  {"q", "v", "v_r", "a_r"},
                  object,
                  {},
                  [&](auto& x, auto&) {
                    regressor_.reference(x[0], x[1], x[2], x[3], Factorization::lie, into(Y_));
                  },
                  matrix});
  const int columns = regressor_.columns(), n = robot_.nv();
  add("Regressor", "energy regressor", by_ground, {"q", "v"}, {{2, columns}},
      [&](auto& x, auto& to) { regressor_.energy(x[0], x[1], ground, to[0]); });
  add("Regressor", "momentum regressor", by_ground, {"q", "v"}, {{6, columns}},
      [&](auto& x, auto& to) { regressor_.momentum(x[0], x[1], ground, to[0]); });
  add("Sensitivity", "force sensitivity", by_wrenches, {"q", "v", "a"}, {{n, 2}},
      [&](auto& x, auto& to) { sensitivity_.force(x[0], x[1], x[2], around(), to[0]); });
  add("Sensitivity", "acceleration sensitivity", by_wrenches, {"q", "v", "tau"}, {{n, 2}},
      [&](auto& x, auto& to) { sensitivity_.acceleration(x[0], x[1], x[2], around(), to[0]); });
}

void Words::add_inverse_kinematics() {
  all_.push_back({"InverseKinematics",
                  "ik",
                  by_nothing,
                  {"q_guess"},
                  numbers,
                  {{robot_.nq(), 1}},
                  [&](auto& x, auto& to) { ik_.solve(pose_goals_, x[0], ik_options_, to[0]); }});
  all_.push_back({"InverseKinematics",
                  "ik velocity",
                  by_nothing,
                  {"q"},
                  numbers,
                  {{robot_.nv(), 1}},
                  [&](auto& x, auto& to) { ik_.velocity(x[0], twist_goals_, {}, {}, to[0]); }});
}

}  // namespace jounce::test
