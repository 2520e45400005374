// SPDX-License-Identifier: BSD-3-Clause
// Moves of robots, what they take, and their pictures in Python.
#include <pybind11/stl.h>

#include <filesystem>
#include <jounce/move.hpp>
#include <jounce/trajectory.hpp>

#include "files.hpp"
#include "pictures/first_move.hpp"
#include "pictures/motion_page.hpp"
#include "pictures/motion_plots.hpp"
#include "pictures/picture_file.hpp"
#include "pictures/robot_drawing.hpp"
#include "results.hpp"

namespace jounce::python {
namespace {

/// Rows of points, one for each time, as the library has them: column by column.
ByColumns rows_given(const py::object& x, const Argument& argument) {
  return columns_of(x, argument);
}
std::optional<ByColumns> optional_rows(const py::object& x, const Argument& argument) {
  if (x.is_none()) return std::nullopt;
  return columns_of(x, argument);
}

/// (T, count, n): q and its derivatives at times; without T at one time.
Array move_values(const Move& move, const py::object& t, int order) {
  if (order < 0) throw InputError("Move: order is " + std::to_string(order) + ", needs 0 or more");
  const Array times = checked_numbers(t, {"Move", "t"});
  const py::ssize_t n = move.size(), count = order + 1;
  Array found({times.size(), count, n});
  for (py::ssize_t i = 0; i < times.size(); ++i)
    move.derivatives(times.data()[i], {found.mutable_data() + i * n * count, n, count});
  if (times.ndim() == 0) return found.attr("reshape")(count, n);
  return found;
}

/// (T, rows) of a matrix whose columns are times.
Array by_time(const dense::Matrix& x) {
  return Array({py::ssize_t(x.columns), py::ssize_t(x.rows)}, x.data());
}

/// name(start, end, duration) of two numbers, or of two configurations.
template <class OfNumbers, class OfVectors>
void add_between(py::module_& m, const char* name, OfNumbers of_numbers, OfVectors of_vectors,
                 const std::string& doc) {
  m.def(
      name,
      [=](const py::object& start, const py::object& end, double duration) -> py::object {
        const Array a = checked_numbers(start, {name, "start"});
        const Array b = checked_numbers(end, {name, "end"});
        if (a.ndim() == 0 && b.ndim() == 0)
          return py::cast(of_numbers(*a.data(), *b.data(), duration));
        return py::cast(of_vectors(view(a), view(b), duration));
      },
      py::arg("start"), py::arg("end"), py::arg("duration"),
      (name + ("(start, end, duration)\n--\n\n" + doc)).c_str());
}

void bind_moves(py::module_& m) {
  py::class_<Move> c(m, "Move",
                     "All coordinates of a robot as functions of time: septic, quintic, spline, "
                     "interpolate and load_motion make one.\n\n"
                     "move(t, order=3) is q and its derivatives, component by component: shape "
                     "(order + 1, nq), of times of shape (T,) shape (T, order + 1, nq).");
  c.def_property_readonly("size", &Move::size, "How many coordinates q has.");
  c.def_property_readonly("start", &Move::start, "When it begins, s.");
  c.def_property_readonly("end", &Move::end, "When it ends, s.");
  c.def("__call__", &move_values, py::arg("t"), py::arg("order") = 0,
        "__call__($self, t, order=0)\n--\n\nq, q', ..., q^(order) at a time, shape (order + 1, "
        "nq), or at times, shape (T, order + 1, nq).");
  c.def("__repr__", [](const Move& x) {
    return "Move(" + std::to_string(x.size()) + " coordinates, " + text(x.start()) + " s to " +
           text(x.end()) + " s)";
  });
  add_between(
      m, "quintic", [](double a, double b, double t) { return quintic(a, b, t); },
      [](const VectorArg& a, const VectorArg& b, double t) { return quintic(a, b, t); },
      "A Move from one configuration to another, shape (nq,), within duration s, from rest to "
      "rest: velocity and acceleration vanish at both ends. Of two numbers the "
      "PiecewisePolynomial between them.");
  add_between(
      m, "septic", [](double a, double b, double t) { return septic(a, b, t); },
      [](const VectorArg& a, const VectorArg& b, double t) { return septic(a, b, t); },
      "As quintic, where jerk vanishes too.");
}

void bind_splines(py::module_& m) {
  m.def(
      "spline",
      [](const py::object& times, const py::object& points, int s) {
        return spline(view(checked_numbers(times, {"spline", "times"})),
                      view(rows_given(points, {"spline", "points"})), s);
      },
      py::arg("times"), py::arg("points"), py::arg("s") = 4,
      "spline(times, points, s=4)\n--\n\nA Move through points, shape (T, nq), at times, shape "
      "(T,), from rest to rest with the least integral of the square of derivative s: 2 is the "
      "cubic spline, 3 minimum jerk, 4 minimum snap.");
  m.def(
      "interpolate",
      [](const py::object& times, const py::object& q, const py::object& v, const py::object& a,
         const py::object& jerk) {
        const auto given_a = optional_rows(a, {"interpolate", "a"});
        const auto given_jerk = optional_rows(jerk, {"interpolate", "jerk"});
        const Eigen::MatrixXd none;
        return interpolate(view(checked_numbers(times, {"interpolate", "times"})),
                           view(rows_given(q, {"interpolate", "q"})),
                           view(rows_given(v, {"interpolate", "v"})),
                           given_a ? MatrixArg(view(*given_a)) : MatrixArg(none),
                           given_jerk ? MatrixArg(view(*given_jerk)) : MatrixArg(none));
      },
      py::arg("times"), py::arg("q"), py::arg("v"), py::arg("a") = py::none(),
      py::arg("jerk") = py::none(),
      "interpolate(times, q, v, a=None, jerk=None)\n--\n\nA Move through q, shape (T, nq), with "
      "these velocities, and accelerations and jerks where they are given, at times, shape (T,).");
  m.def(
      "load_motion",
      [](const Robot& robot, const py::object& path) {
        return load_motion(robot, py::str(py::module_::import("os").attr("fsdecode")(path)));
      },
      py::arg("robot"), py::arg("path"),
      "load_motion(robot, path)\n--\n\nA Move from a table: CSV with a column t (s) and columns "
      "elbow or q.elbow, v.elbow, a.elbow, jerk.elbow by joint, or NPZ with arrays t, q, v, a, "
      "jerk. Of positions alone a spline; where derivatives are there, it meets them.");
}

std::vector<FrameId> frames_given(const Robot& robot, const py::object& frames) {
  std::vector<FrameId> found;
  for (const py::handle one : entries_of(frames, "along: frames needs a list of names or numbers"))
    found.push_back(checked_frame(robot, one, "along"));
  return found;
}

py::dict poses_of(const Along& run) {
  py::dict poses;
  const size_t count = run.frames.size();
  for (size_t f = 0; f < count; ++f) {
    Array all({py::ssize_t(run.t.size()), py::ssize_t(4), py::ssize_t(4)});
    for (size_t i = 0; i < run.t.size(); ++i) {
      const Mat4<double> T = to_matrix(run.poses[i * count + f]);
      std::copy_n(&T.m[0][0], 16, all.mutable_data() + 16 * i);
    }
    poses[py::str(run.robot.frame_info(run.frames[f]).name)] = frozen(std::move(all));
  }
  return poses;
}

void add_run_numbers(py::class_<Along>& c) {
  c.def_property_readonly(
      "robot", [](const Along& x) { return x.robot; }, "Its Robot.");
  c.def_property_readonly(
      "t", [](const Along& x) { return frozen(to_array(std::span<const double>(x.t))); },
      "Times in s, shape (T,), read-only as all arrays here.");
  const auto matrix = [&](const char* name, dense::Matrix Along::*member, const char* doc) {
    c.def_property_readonly(
        name, [member](const Along& x) { return frozen(by_time(x.*member)); }, doc);
  };
  matrix("q", &Along::q, "Coordinates, shape (T, nq).");
  matrix("v", &Along::v, "Velocities, shape (T, nv).");
  matrix("a", &Along::a, "Accelerations, shape (T, nv).");
  matrix("jerk", &Along::jerk, "Their rates, shape (T, nv).");
  matrix("tau", &Along::tau, "Forces of the joints, N m or N, shape (T, nv).");
  matrix("tau_rate", &Along::tau_rate, "Their rates, N m/s or N/s, shape (T, nv).");
  const auto vector = [&](const char* name, std::vector<double> Along::*member, const char* doc) {
    c.def_property_readonly(
        name,
        [member](const Along& x) { return frozen(to_array(std::span<const double>(x.*member))); },
        doc);
  };
  vector("kinetic", &Along::kinetic, "Kinetic energy, J, shape (T,).");
  vector("potential", &Along::potential, "Potential energy, J, shape (T,).");
  c.def_property_readonly(
      "leading",
      [](const Along& x) {
        const std::vector<std::string> names = velocity_names(x.robot);
        std::vector<std::string> found;
        for (const int k : x.leading) found.push_back(names[size_t(k)]);
        return found;
      },
      "The names of the coordinates that do what the move says: all, or with loops as many as "
      "there are degrees of freedom.");
  c.def_property_readonly("poses", &poses_of,
                          "The poses of the frames that were asked for in the ground frame, a dict "
                          "of arrays of shape (T, 4, 4) by name.");
}

std::string path_of(const py::object& path) {
  return py::str(py::module_::import("os").attr("fsdecode")(path));
}

void add_run_pictures(py::module_& m, py::class_<Along>& c) {
  const py::object exceeded = named_tuple(
      m, "Exceeded", "A limit that a move exceeds, the worst of a coordinate: Along.exceeded().",
      {{"joint", "The name of the coordinate."},
       {"kind", "'position', 'velocity' or 'effort'."},
       {"t", "When, s."},
       {"value", "How much."},
       {"limit", "How much there may be."}});
  c.def(
      "exceeded",
      [exceeded](const Along& x) {
        py::list all;
        const std::vector<std::string> names = velocity_names(x.robot);
        for (const Exceeded& one : x.exceeded())
          all.append(exceeded(names[size_t(one.v)], name(one.kind), one.t, one.value, one.limit));
        return all;
      },
      "exceeded($self)\n--\n\nLimits of positions, speeds and efforts that are exceeded: a list of "
      "Exceeded, the worst of each coordinate.");
  c.def(
      "plot",
      [type = m.attr("Picture")](const Along& x, const py::object& path) {
        if (!path.is_none()) {
          const std::string file = path_of(path);
          save(file, pictures::motion_picture(file, x, x.robot.name()));
        }
        return type(pictures::motion_svg(x));
      },
      py::arg("path") = py::none(),
      "plot($self, path=None)\n--\n\nPositions, forces with their limits, force rates and energy "
      "in time as a Picture; written to path where one is given, .svg, or .html for a page that "
      "has the largest values too. OSError where it does not arrive.");
  const auto writer = [&](const char* name, std::string (*write)(const Along&), const char* doc) {
    c.def(
        name, [write](const Along& x, const py::object& path) { save(path_of(path), write(x)); },
        py::arg("path"), doc);
  };
  writer("to_csv", &write_csv,
         "to_csv($self, path)\n--\n\nWrites columns t, q.joint, v., a., jerk., tau., tau_rate., "
         "kinetic, potential. OSError where it does not arrive.");
  writer("to_npz", &write_npz,
         "to_npz($self, path)\n--\n\nWrites what numpy.load reads: arrays t, q, v, a, jerk, tau, "
         "tau_rate, kinetic, potential, q_names, v_names. OSError where it does not arrive.");
  c.def("__len__", [](const Along& x) { return x.t.size(); });
  c.def("__repr__", [](const Along& x) {
    return "Along(\"" + x.robot.name() + "\", " + std::to_string(x.t.size()) + " times, " +
           text(x.t.front()) + " s to " + text(x.t.back()) + " s)";
  });
  c.def("_repr_svg_", &pictures::motion_svg);
}

/// What a notebook shows.
void bind_picture(py::module_& m) {
  struct Picture {
    std::string svg;
  };
  py::class_<Picture> c(m, "Picture",
                        "Picture(svg)\n\nA picture as SVG: a notebook shows it, str(picture) is "
                        "its text.");
  c.def(py::init<std::string>(), py::arg("svg"));
  c.def_readonly("svg", &Picture::svg, "Its text.");
  c.def(
      "save",
      [](const Picture& x, const py::object& path) {
        const std::string file = path_of(path);
        const std::string title = std::filesystem::path(file).stem().string();
        save(file, pictures::picture_text(file, x.svg, title));
      },
      py::arg("path"),
      "save($self, path)\n--\n\nWrites it to a file, .svg, or .html for a page; OSError where it "
      "does not arrive.");
  c.def("__str__", [](const Picture& x) { return x.svg; });
  c.def("__repr__", [](const Picture& x) {
    return "Picture(" + std::to_string(x.svg.size()) + " characters of SVG)";
  });
  c.def("_repr_svg_", [](const Picture& x) { return x.svg; });
}

/// A warning where meshes are missing from the picture.
void tell_not_drawn(const Robot& robot, const pictures::Drawing& drawing) {
  const std::string told = pictures::not_drawn_text(drawing);
  if (told.empty()) return;
  const std::string text = "robot \"" + robot.name() + "\": " + told;
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
}

/// For `python3 -m jounce plot`.
void add_first_run(py::module_& m) {
  m.def(
      "_first_run",
      [](const Robot& robot, const std::optional<std::vector<double>>& to,
         std::optional<double> duration) {
        return pictures::first_run(robot, {.to = to, .duration = duration});
      },
      py::arg("robot"), py::arg("to"), py::arg("duration"),
      "_first_run(robot, to, duration)\n--\n\nAlong of a move of which None is given or some.");
}

void add_drawing(py::module_& m) {
  py::class_<Robot> c(m.attr("Robot"));
  c.def(
      "draw",
      [type = m.attr("Picture")](const Robot& robot, const py::object& q, const py::object& path,
                                 const py::object& view_from) {
        const std::vector<double> closed = robot.closed();
        const Array given = q.is_none() ? to_array(std::span<const double>(closed))
                                        : vector_of(q, {"draw", "q"}, robot.nq());
        std::optional<pictures::View> view;
        if (!view_from.is_none()) {
          const Array angles = checked_array(view_from, {"draw", "view"}, {2});
          view = pictures::View{angles.at(0), angles.at(1)};
        }
        const std::string file = path.is_none() ? "-" : path_of(path);
        pictures::ending(file);
        const pictures::Drawing drawing = pictures::draw(robot, python::view(given), view);
        if (!path.is_none())
          save(file, pictures::picture_text(file, drawing.svg, robot.name(),
                                            pictures::not_drawn_text(drawing)));
        tell_not_drawn(robot, drawing);
        return type(drawing.svg);
      },
      py::arg("q") = py::none(), py::arg("path") = py::none(), py::kw_only(),
      py::arg("view") = py::none(),
      "draw($self, q=None, path=None, *, view=None)\n--\n\nThe robot at q (None: closed()) as a "
      "Picture, its shapes as in its file, its loops closed near q; written to path where one is "
      "given, .svg, or .html for a page; a warning says which meshes are not drawn. view is "
      "(azimuth, elevation) in degrees.");
  c.def("_repr_svg_", [](const Robot& robot) {
    const pictures::Drawing drawing = pictures::draw(robot, robot.closed());
    tell_not_drawn(robot, drawing);
    return drawing.svg;
  });
}

}  // namespace

void bind_move(py::module_& m) {
  bind_picture(m);
  bind_moves(m);
  bind_splines(m);
  py::class_<Along> c(m, "Along",
                      "What a move takes, a row for each time: along(robot, move) makes one.");
  add_run_numbers(c);
  add_run_pictures(m, c);
  add_drawing(m);
  add_first_run(m);
  m.def(
      "along",
      [](const Robot& robot, const Move& move, int points, const py::object& frames, bool passive,
         bool gravity) {
        const AlongOptions options{points, frames_given(robot, frames), passive, gravity};
        const py::gil_scoped_release unlocked;
        return along(robot, move, options);
      },
      py::arg("robot"), py::arg("move"), py::kw_only(), py::arg("points") = 201,
      py::arg("frames") = py::tuple(), py::arg("passive") = true, py::arg("gravity") = true,
      "along(robot, move, *, points=201, frames=(), passive=True, gravity=True)\n--\n\n"
      "Along: positions, velocities, accelerations, jerks, forces and force rates, energies and "
      "poses of frames at points times of a Move, equally far apart. Loops are closed: as many "
      "coordinates as there are degrees of freedom, motors where these suffice, do what the move "
      "says (Along.leading), the others follow from the loops, and forces are those of motors. "
      "ComputationError with the time where the loops cannot be closed or are singular.");
}

}  // namespace jounce::python
