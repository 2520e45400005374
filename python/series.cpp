// SPDX-License-Identifier: BSD-3-Clause
// Series, KinematicSeries and SeriesDerivatives in Python: column k of an array is the k-th
// derivative.
#include <algorithm>
#include <jounce/paper/spatial_rates.hpp>
#include <jounce/series_derivatives.hpp>
#include <jounce/world_series.hpp>

#include "calls.hpp"

namespace jounce::python {

template <>
inline constexpr bool keeps_state<KinematicSeries> = true;

namespace {

/// So many columns more than the matrix before the surroundings has.
template <int more>
constexpr auto columns_more = [](const auto& door, const auto&... given) {
  const auto& matrix = std::get<sizeof...(given) - 2>(std::tie(given...));
  return std::pair(door.robot().nv(), std::max<py::ssize_t>(matrix.cols() + more, 0));
};

template <class Door>
py::class_<Door> add_order(py::module_& m, const char* name, const std::string& doc) {
  auto c = add_door<Door, int>(m, name, doc, py::arg("order"));
  c.def_property_readonly("order", &Door::order, "The highest order there is room for.");
  return c;
}

/// WorldSeries made from words.
struct NamedWorldSeries : WorldSeries {
  NamedWorldSeries(Robot robot, int order, const std::string& frames, const std::string& base)
      : WorldSeries(std::move(robot), order,
                    one_of("frames", frames, "spatial", "hybrid") ? WorldFrames::hybrid
                                                                  : WorldFrames::spatial,
                    one_of("base", base, "body", "own") ? BaseFrame::own : BaseFrame::body) {}

  /// Whether it is the second.
  static bool one_of(const char* name, const std::string& given, const char* first,
                     const char* second) {
    if (given != first && given != second)
      throw InputError("WorldSeries: " + std::string(name) + " is \"" + given + "\", needs \"" +
                       first + "\" or \"" + second + "\"");
    return given == second;
  }
};

/// inverse, forward and hybrid.
template <class Door, class Record>
void add_three_dynamics(py::class_<Door>& c, const Record& both) {
  add(c, {"inverse", "inverse_series"},
      filled(columns_more<-1>, [](auto& s, const auto&... x) { s.inverse(x...); }),
      "tau, tau', ..., shape (nv, r + 1), from the motion v, a, jerk, ..., shape (nv, r + 2).", "q",
      word::columns("motion"), word::series_around);
  add(c, {"forward", "forward_series"},
      filled(columns_more<1>, [](auto& s, const auto&... x) { s.forward(x...); }),
      "The motion v, a, jerk, ..., shape (nv, r + 2), that tau, tau', ..., shape (nv, r + 1), "
      "give.",
      "q", "v", word::columns("taus"), word::series_around);
  add(c, {"hybrid", "hybrid_series"},
      as(both, [](Door& s, const auto&... x) { return s.hybrid(x...); }),
      "Motion and forces of all coordinates, HybridSeriesResult (motion, taus), from the motion of "
      "the prescribed ones (one bool per velocity coordinate) and the forces of the others. Column "
      "0 of motion is v of all.",
      word::prescribed, "q", word::columns("motion"), word::columns("taus"), word::series_around);
}

/// Six rows, a column per derivative.
ByColumns six_rows(int order, const auto& wrench) {
  ByColumns to({py::ssize_t(6), py::ssize_t(order + 1)});
  double* at = to.mutable_data();
  for (int k = 0; k <= order; ++k) {
    const Wrench<double>& F = wrench(k);
    for (const double x : {F.m.x, F.m.y, F.m.z, F.f.x, F.f.y, F.f.z}) *at++ = x;
  }
  return to;
}

struct WrenchColumns {
  py::dict joints;
  ByColumns ground;
};

void add_joint_wrenches(py::module_& m, py::class_<Series>& c) {
  const auto named = record(
      m, "JointWrenchSeries", "What Series.joint_wrenches finds.",
      Field{"joints", &WrenchColumns::joints,
            "What every joint exerts on its child link, a dict of arrays (6, r + 1) by name."},
      Field{"ground", &WrenchColumns::ground,
            "What the ground exerts on the robot, (6, r + 1), in the ground frame."});
  add(c, "joint_wrenches",
      as(
          named, [](Series& s, const auto&... x) { return s.joint_wrenches(x...); },
          [](Series& s, const JointWrenchSeries& found) {
            const int r = found.order();
            WrenchColumns by_name{{}, six_rows(r, [&](int k) { return found.ground(k); })};
            int joint = 0;
            for (const JointInfo& one : s.robot().joints()) {
              by_name.joints[py::str(one.name)] =
                  six_rows(r, [&](int k) { return found(joint, k); });
              ++joint;
            }
            return by_name;
          }),
      "The constraint wrenches of orders 0 to r, JointWrenchSeries (joints, ground), along the "
      "motion v, a, ..., shape (nv, r + 2): in the child link's frame ('body'), in ground axes at "
      "its origin ('hybrid') or in the ground frame ('space').",
      "q", word::columns("motion"), word::kind_or_body, word::series_around);
}

void bind_dynamic_series(py::module_& m) {
  auto c = add_order<Series>(
      m, "Series",
      "Dynamics of one robot with its time derivatives, up to a given order: "
      "Series(robot, 3).inverse(q, motion).\n\n"
      "Column k of an array is the k-th derivative: motion is v, a, jerk, ..., taus is tau, tau', "
      "... The order of an answer follows from the columns that are given. Arrays that come back "
      "belong to the caller, in Fortran order.");
  const auto both =
      record(m, "HybridSeriesResult", "What Series.hybrid finds.",
             Field{"motion", &HybridSeriesResult::motion, "v, a, jerk, ... of all coordinates."},
             Field{"taus", &HybridSeriesResult::taus, "tau, tau', ... of all coordinates."});
  add_three_dynamics(c, both);
  add_joint_wrenches(m, c);
  auto world = add_door<NamedWorldSeries, int, std::string, std::string>(
      m, "WorldSeries",
      "The same as Series in the ground's axes: frames 'spatial', at the ground's origin, the form "
      "of Ali, Gabellieri, Franchi, or 'hybrid', at every body's own.\n\n"
      "With base='own' the velocity of a free base is its twist in that frame (right-invariant "
      "V_1, V_1', ...) and its force the wrench there; with 'body' both are in the base's frame.",
      py::arg("order"), py::arg("frames") = "spatial", py::arg("base") = "body");
  world.def_property_readonly("order", &WorldSeries::order, "The highest order there is room for.");
  add_three_dynamics(world, both);
}

void bind_kinematic_series(py::module_& m) {
  auto c = add_order<KinematicSeries>(
      m, "KinematicSeries",
      "Poses, twists and Jacobians of frames with their time derivatives along a motion: "
      "KinematicSeries(robot, 2).at(q, motion).jacobian(frame, kind, 2).\n\n"
      "The motion given to at is what everything else answers about: v, a, ..., v^(r), r up to "
      "the order. Matrices that come back are in Fortran order.");
  add(
      c, "at", [](KinematicSeries& s, const auto&... x) -> KinematicSeries& { return s.at(x...); },
      "The motion v, a, ..., shape (nv, r + 1), that the other methods tell about. Gives this "
      "object back.",
      "q", word::columns("motion"), word::ground_derivatives);
  add(c, "pose", &KinematicSeries::pose,
      "The k-th derivative of the pose matrix of a frame, shape (4, 4); k up to r + 1.",
      word::frame, word::index("k"));
  add(c, "twist", &KinematicSeries::twist,
      "The k-th derivative, component by component, of twist_body, twist_space or twist_hybrid, a "
      "Twist.",
      word::frame, word::kind, word::index("k"));
  add(c, "jacobian", filled(rows_of(6), [](auto& s, const auto&... x) { s.jacobian(x...); }),
      "The k-th derivative of the Jacobian of a frame, shape (6, nv); k up to r + 1.", word::frame,
      word::kind, word::index("k"));
}

void bind_series_partials(py::module_& m) {
  py::class_<SeriesPartials> c(
      m, "SeriesPartials",
      "A series and its first derivatives, what SeriesDerivatives finds: partials(r, s) is how the "
      "r-th derivative of the forces, or of the accelerations, changes with number s. 0 is q, 1 is "
      "v, then a, jerk, ... for forces, and tau, tau', ... for accelerations.");
  c.def_property_readonly("order", &SeriesPartials::order, "The order of the series.");
  c.def(
      "series", [](const SeriesPartials& x) { return to_array(x.series()); },
      "series($self)\n--\n\n"
      "tau, tau', ... of inverse, shape (nv, order + 1); v, a, ... of forward, shape (nv, order + "
      "2).");
  c.def(
      "__call__", [](const SeriesPartials& x, int r, int s) { return to_array(x(r, s)); },
      py::arg("r"), py::arg("s"),
      "__call__($self, r, s)\n--\n\n"
      "The r-th derivative by number s, shape (nv, nv); s up to r + 2.");
}

/// The matrices of spatial_rates by name.
py::dict closed_form(const Robot& robot, const std::vector<double>& q, const std::vector<double>& v,
                     const std::vector<double>& a) {
  const SpatialRates s = spatial_rates(robot, q, v, a);
  py::dict all;
  const auto put = [&](const char* name, const Eigen::MatrixXd& x) {
    ByColumns to({x.rows(), x.cols()});
    std::copy(x.data(), x.data() + x.size(), to.mutable_data());
    all[name] = x.cols() == 1 ? py::object(to.attr("ravel")()) : py::object(to);
  };
  put("M", s.M()), put("C", s.C()), put("G", s.G());
  put("Mdot", s.Mdot()), put("Cdot", s.Cdot()), put("Gdot", s.Gdot());
  put("nu", s.nu), put("nudot", s.nudot), put("tau", s.tau());
  return all;
}

}  // namespace

void bind_series(py::module_& m) {
  m.def("spatial_rates", &closed_form, py::arg("robot"), py::arg("q"), py::arg("v"), py::arg("a"),
        "spatial_rates(robot, q, v, a)\n--\n\n"
        "The closed form of inverse dynamics of orders 0 and 1 in the ground frame (Ali, "
        "Gabellieri, Franchi 2026, Proposition 1), a dict of M, C, G, Mdot, Cdot, Gdot, nu, nudot "
        "and tau: tau = M nudot + C nu + G, tau' = M nuddot + (Mdot + C) nudot + Cdot nu + Gdot."
        "\n\nq: shape (nq,), rad and m.\nv, a: shape (nv,), per s and s^2.");
  bind_dynamic_series(m);
  bind_kinematic_series(m);
  bind_series_partials(m);
  auto c = add_order<SeriesDerivatives>(
      m, "SeriesDerivatives",
      "First partial derivatives of Series.inverse, forward and hybrid at an order: "
      "SeriesDerivatives(robot, 2).inverse(q, motion)(2, 3) is d tau''/d jerk.\n\n"
      "Answers are SeriesPartials, whose arrays belong to the caller, in Fortran order.");
  add(
      c, {"inverse", "inverse_series"}, [](auto& d, const auto&... x) { return d.inverse(x...); },
      "SeriesPartials of the forces for a motion v, a, ..., shape (nv, order + 2).", "q",
      word::columns("motion"), word::series_around);
  add(
      c, {"forward", "forward_series"}, [](auto& d, const auto&... x) { return d.forward(x...); },
      "SeriesPartials of the motion that forces tau, ..., shape (nv, order + 1), give.", "q", "v",
      word::columns("taus"), word::series_around);
  add(
      c, {"hybrid", "hybrid_series"}, [](auto& d, const auto&... x) { return d.hybrid(x...); },
      "SeriesPartials of what Series.hybrid finds, forces of prescribed coordinates and "
      "accelerations of the others, by q, v and what is given in their places.",
      word::prescribed, "q", word::columns("motion"), word::columns("taus"), word::series_around);
}

}  // namespace jounce::python
