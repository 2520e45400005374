// SPDX-License-Identifier: BSD-3-Clause
// Gough-Stewart platforms in Python: lengths, forces, poses from lengths, dynamics.
#include <pybind11/stl.h>

#include <jounce/stewart/leg_dynamics.hpp>
#include <jounce/stewart/pose_solver.hpp>
#include <optional>

#include "bindings.hpp"
#include "results.hpp"
#include "stewart_arrays.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;
using Velocity = Twist<double>;
using Force = Wrench<double>;

SixPoints points_of(const py::object& object, const char* name) {
  const Array a = checked_array(object, {"Stewart", name}, {6, 3});
  SixPoints points;
  for (py::ssize_t i = 0; i < 6; ++i)
    points[static_cast<size_t>(i)] = {a.at(i, 0), a.at(i, 1), a.at(i, 2)};
  return points;
}
Array points_array(const SixPoints& points) {
  Matrix<double, 6, 3> m;
  for (int i = 0; i < 6; ++i) {
    const Vec3<double>& x = points[static_cast<size_t>(i)];
    m(i, 0) = x.x, m(i, 1) = x.y, m(i, 2) = x.z;
  }
  return python::to_array(m);
}

void add_geometry(py::class_<Stewart>& c) {
  c.def(py::init([](const py::object& base, const py::object& platform) {
          return Stewart(points_of(base, "base"), points_of(platform, "platform"));
        }),
        py::arg("base"), py::arg("platform"));
  c.def_property_readonly(
      "base", [](const Stewart& s) { return frozen(points_array(s.base())); },
      "The lower joints in the base, shape (6, 3), read-only.");
  c.def_property_readonly(
      "platform", [](const Stewart& s) { return frozen(points_array(s.platform())); },
      "The upper joints in the platform, shape (6, 3), read-only.");
  c.def_property_readonly("size", &Stewart::size,
                          "Root mean square distance of the platform's points from their centre.");
}

void add_kinematics(py::class_<Stewart>& c) {
  c.def(
      "lengths", [](const Stewart& s, const Pose& T) { return to_array(s.lengths(T)); },
      py::arg("T"),
      "lengths($self, T)\n--\n\nThe lengths of the legs in the pose T, shape (6,): inverse "
      "kinematics.");
  c.def(
      "rates",
      [](const Stewart& s, const Pose& T, const Velocity& V) { return to_array(s.rates(T, V)); },
      py::arg("T"), py::arg("V"),
      "rates($self, T, V)\n--\n\nTheir rates for the body twist V, shape (6,).");
  c.def(
      "accelerations",
      [](const Stewart& s, const Pose& T, const Velocity& V, const Velocity& Vdot) {
        return to_array(s.accelerations(T, V, Vdot));
      },
      py::arg("T"), py::arg("V"), py::arg("Vdot"),
      "accelerations($self, T, V, Vdot)\n--\n\nTheir second derivatives, shape (6,).");
  c.def(
      "jacobian_body",
      [](const Stewart& s, const Pose& T) { return python::to_array(s.jacobian_body(T)); },
      py::arg("T"), "jacobian_body($self, T)\n--\n\nRates of the legs per body twist, (6, 6).");
  c.def(
      "jacobian_space",
      [](const Stewart& s, const Pose& T) { return python::to_array(s.jacobian_space(T)); },
      py::arg("T"), "jacobian_space($self, T)\n--\n\nRates of the legs per space twist, (6, 6).");
  c.def(
      "twist",
      [](const Stewart& s, const Pose& T, const py::object& rates) {
        return s.twist(T, six_numbers(rates, {"twist", "rates"}));
      },
      py::arg("T"), py::arg("rates"),
      "twist($self, T, rates)\n--\n\nThe body twist that gives these rates.");
  c.def("normalised_determinant", &Stewart::normalised_determinant, py::arg("T"),
        "normalised_determinant($self, T)\n--\n\ndet J / size^3: zero in singular poses, of one "
        "sign on each side of them.");
  c.def("singularity_distance", &Stewart::singularity_distance, py::arg("T"),
        "singularity_distance($self, T)\n--\n\nThe smallest singular value of the Jacobian with "
        "moments about the platform's centre, divided by its size.");
}

template <class Of>
auto at_lengths(Of of) {
  return [of](const Stewart& s, const Pose& T, const py::object& lengths) {
    return of(s, T, six_numbers(lengths, {"Stewart", "lengths"}));
  };
}

void add_residuals(py::class_<Stewart>& c) {
  c.def(
      "residual", at_lengths([](const Stewart& s, const Pose& T, const SixNumbers& L) {
        return to_array(s.residual(T, L));
      }),
      py::arg("T"), py::arg("lengths"),
      "residual($self, T, lengths)\n--\n\n|leg|^2 - L^2, shape (6,): (17) of Xie, Dai, Liu 2021.");
  c.def("objective", at_lengths([](const Stewart& s, const Pose& T, const SixNumbers& L) {
          return s.objective(T, L);
        }),
        py::arg("T"), py::arg("lengths"),
        "objective($self, T, lengths)\n--\n\nHalf the square of the residual, (18).");
  c.def("objective_gradient_body",
        at_lengths([](const Stewart& s, const Pose& T, const SixNumbers& L) {
          return s.objective_gradient_body(T, L);
        }),
        py::arg("T"), py::arg("lengths"),
        "objective_gradient_body($self, T, lengths)\n--\n\nIts derivatives along body screws, a "
        "Wrench.");
  c.def("objective_gradient_space",
        at_lengths([](const Stewart& s, const Pose& T, const SixNumbers& L) {
          return s.objective_gradient_space(T, L);
        }),
        py::arg("T"), py::arg("lengths"),
        "objective_gradient_space($self, T, lengths)\n--\n\nAnd along spatial screws.");
  c.def(
      "residual_jacobian_body",
      [](const Stewart& s, const Pose& T) { return python::to_array(s.residual_jacobian_body(T)); },
      py::arg("T"),
      "residual_jacobian_body($self, T)\n--\n\nThe residual's derivatives per body twist, (24).");
  c.def(
      "residual_jacobian_space",
      [](const Stewart& s, const Pose& T) {
        return python::to_array(s.residual_jacobian_space(T));
      },
      py::arg("T"),
      "residual_jacobian_space($self, T)\n--\n\nThe residual's derivatives per space twist, (23).");
}

/// The angles of the legs' joints.
void add_joints(py::module_& m, py::class_<Stewart>& c) {
  using Mounts = std::array<SO3<double>, 6>;
  const auto mounts = record(
      m, "LegMounts", "How the joints of the legs are mounted: Stewart.mounts_at.",
      Field{"base", &LegMounts::base,
            "SO3s of the lower joints in the base: z is the leg where all angles are zero, x the "
            "first axis of a universal joint."},
      Field{"platform", &LegMounts::platform, "SO3s of the upper joints in the platform."});
  c.def(
      "mounts_at", [mounts](const Stewart& s, const Pose& T) { return mounts(s.mounts_at(T)); },
      py::arg("T"),
      "mounts_at($self, T)\n--\n\nThe LegMounts (base, platform) whose angles are all zero in the "
      "pose T; x is horizontal, or the base's x for a vertical leg.");
  c.def(
      "joint_angles",
      [](const Stewart& s, const Pose& T, const std::pair<Mounts, Mounts>& given) {
        const auto angles = s.joint_angles(T, {given.first, given.second});
        Array found({py::ssize_t(6), py::ssize_t(4)});
        double* to = found.mutable_data();
        for (const LegAngles& leg : angles)
          for (const double x : {leg.first, leg.second, leg.base_tilt, leg.platform_tilt})
            *to++ = x;
        return found;
      },
      py::arg("T"), py::arg("mounts"),
      "joint_angles($self, T, mounts)\n--\n\nThe angles in rad of the legs' joints against their "
      "LegMounts in the pose T, shape (6, 4): first and second of the universal joint at the base, "
      "leg = Rx(first) Ry(second) z, and the tilts of the leg against z of its mounts at the base "
      "and at the platform.");
  m.def(
      "generic_rank",
      [](const py::object& base, const py::object& platform) {
        return generic_rank(points_of(base, "base"), points_of(platform, "platform"));
      },
      py::arg("base"), py::arg("platform"),
      "generic_rank(base, platform)\n--\n\nThe rank of the Jacobian in almost every pose of a "
      "platform with these points, shape (6, 3) each: 6, or less for one that moves while its legs "
      "are locked.");
}

void add_statics(py::class_<Stewart>& c) {
  c.def(
      "leg_forces",
      [](const Stewart& s, const Pose& T, const Force& F) { return to_array(s.leg_forces(T, F)); },
      py::arg("T"), py::arg("F"),
      "leg_forces($self, T, F)\n--\n\nThe forces along the legs, positive where a leg pushes, that "
      "hold a wrench F on the platform (in its frame).");
  c.def(
      "platform_wrench",
      [](const Stewart& s, const Pose& T, const py::object& forces) {
        return s.platform_wrench(T, six_numbers(forces, {"platform_wrench", "forces"}));
      },
      py::arg("T"), py::arg("forces"),
      "platform_wrench($self, T, forces)\n--\n\nWhat forces along the legs do to the platform.");
  c.def(
      "stiffness",
      [](const Stewart& s, const Pose& T, const py::object& k) {
        return python::to_array(s.stiffness(T, six_numbers(k, {"stiffness", "leg_stiffness"})));
      },
      py::arg("T"), py::arg("leg_stiffness"),
      "stiffness($self, T, leg_stiffness)\n--\n\nThe wrench per small body twist, shape (6, 6), of "
      "legs with these stiffnesses.");
}

void bind_pose_solution(py::module_& m) {
  py::class_<PoseSolution> c(m, "PoseSolution", "What PoseSolver.solve found.");
  c.def_readonly("pose", &PoseSolution::pose,
                 "The SE3; the nearest the platform can take when not converged.");
  c.def_readonly("converged", &PoseSolution::converged, "Whether the pose has the lengths.");
  c.def_readonly("residual", &PoseSolution::residual, "The largest error of a length.");
  c.def_readonly("iterations", &PoseSolution::iterations, "Linear systems solved.");
  c.def_readonly("determinant", &PoseSolution::determinant, "Normalised; near 0 when singular.");
  c.def_readonly("branch_flip", &PoseSolution::branch_flip,
                 "Whether its sign is not that of the home pose.");
  c.def_property_readonly(
      "failure", [](const PoseSolution& s) { return word_of(s.failure, failure_words); },
      "\"none\", \"impossible_lengths\", \"singular_minimum\", \"max_descent\" or "
      "\"outside_domain\".");
  c.def_readonly("out_of_reach", &PoseSolution::out_of_reach,
                 "Which limits of the domain the pose breaks: a sum as of scan_poses.");
  c.def("__repr__", [](const PoseSolution& s) {
    return std::string("PoseSolution(converged=") + (s.converged ? "True" : "False") +
           ", residual=" + text(s.residual, 6) + ", iterations=" + std::to_string(s.iterations) +
           ", determinant=" + text(s.determinant, 6) +
           ", branch_flip=" + (s.branch_flip ? "True" : "False") + ")";
  });
}

void bind_pose_solver(py::module_& m) {
  py::class_<PoseSolver> c(m, "PoseSolver",
                           "PoseSolver(platform, home, *, restarts=0, domain=None)\n\n"
                           "The pose of a Stewart from its lengths at every tick: Newton's method "
                           "from the last converged pose. home says which sign of the determinant "
                           "is the right one. restarts, up to 12, are tried where start and home "
                           "lead to no pose; poses out of domain, a StewartLimits, are no answer.");
  c.def(py::init([](const Stewart& platform, const Pose& home, int restarts,
                    const std::optional<StewartLimits>& domain) {
          return PoseSolver(platform, home, {.restarts = restarts, .domain = domain});
        }),
        py::arg("platform"), py::arg("home"), py::kw_only(), py::arg("restarts") = 0,
        py::arg("domain") = py::none());
  c.def_property_readonly(
      "platform", [](const PoseSolver& s) { return s.platform(); }, "Its Stewart.");
  c.def(
      "solve",
      [](PoseSolver& s, const py::object& lengths, const py::object& start) -> PoseSolution {
        const SixNumbers L = six_numbers(lengths, {"solve", "lengths"});
        return start.is_none() ? s.solve(L) : s.solve(L, start.cast<Pose>());
      },
      py::arg("lengths"), py::arg("start") = py::none(),
      "solve($self, lengths, start=None)\n--\n\nA PoseSolution, from the last converged pose or "
      "from start. Lengths that no pose has end with converged = False and the nearest pose.");
  c.def("restart", &PoseSolver::restart, py::arg("pose"),
        "restart($self, pose)\n--\n\nThe next call starts from here.");
  c.def("singularity_distance", &PoseSolver::singularity_distance,
        "singularity_distance($self)\n--\n\nThe smallest singular value of the normalised "
        "Jacobian at the last solution, 0 where it is singular.");
  m.def(
      "explain_failure",
      [](const Stewart& platform, const py::object& lengths, const PoseSolution& found) {
        return explain_failure(platform, six_numbers(lengths, {"explain_failure", "lengths"}),
                               found);
      },
      py::arg("platform"), py::arg("lengths"), py::arg("found"),
      "explain_failure(platform, lengths, found)\n--\n\nA sentence about why a PoseSolution did "
      "not converge; empty where it did.");
}

StewartDynamics dynamics_of(const Stewart& platform, const Inertia<double>& inertia,
                            const std::vector<Inertia<double>>& cylinders,
                            const std::vector<Inertia<double>>& pistons, const Pose& home,
                            const py::object& gravity) {
  std::array<LegBodies, 6> legs;
  for (const auto* bodies : {&cylinders, &pistons})
    if (bodies->size() != 6)
      throw InputError("StewartDynamics: there are " + std::to_string(bodies->size()) +
                       (bodies == &cylinders ? " cylinders" : " pistons") + ", needs 6");
  for (size_t i = 0; i < 6; ++i) legs[i] = {cylinders[i], pistons[i]};
  return {platform, inertia, legs, platform.mounts_at(home),
          checked_vec3(gravity, {"StewartDynamics", "gravity"})};
}

void bind_leg_dynamics(py::module_& m) {
  py::class_<StewartDynamics> c(
      m, "StewartDynamics",
      "StewartDynamics(platform, inertia, cylinders, pistons, home, gravity=(0, 0, -9.81))\n\n"
      "Dynamics of a Stewart whose legs have mass: an Inertia of the platform, of six cylinders "
      "(origin at the lower joint) and of six pistons (origin at the upper joint), both with z "
      "along the leg. The universal joints at the base have zero angles in the pose home.");
  c.def(py::init(&dynamics_of), py::arg("platform"), py::arg("inertia"), py::arg("cylinders"),
        py::arg("pistons"), py::arg("home"), py::arg("gravity") = py::make_tuple(0.0, 0.0, -9.81));
  c.def(
      "inverse",
      [](const StewartDynamics& d, const Pose& T, const Velocity& V, const Velocity& Vdot,
         const std::optional<Force>& F_ext) {
        return to_array(d.inverse(T, V, Vdot, F_ext.value_or(Force{})));
      },
      py::arg("T"), py::arg("V"), py::arg("Vdot"), py::arg("F_ext") = py::none(),
      "inverse($self, T, V, Vdot, F_ext=None)\n--\n\nThe actuators' forces, shape (6,), positive "
      "where they push the platform away.");
  c.def(
      "forward",
      [](const StewartDynamics& d, const Pose& T, const Velocity& V, const py::object& forces,
         const std::optional<Force>& F_ext) {
        return d.forward(T, V, six_numbers(forces, {"forward", "forces"}), F_ext.value_or(Force{}));
      },
      py::arg("T"), py::arg("V"), py::arg("forces"), py::arg("F_ext") = py::none(),
      "forward($self, T, V, forces, F_ext=None)\n--\n\nThe derivative of the body twist.");
  c.def(
      "mass", [](const StewartDynamics& d, const Pose& T) { return python::to_array(d.mass(T)); },
      py::arg("T"), "mass($self, T)\n--\n\nThe inertia that the platform's twist sees, (6, 6).");
  c.def("kinetic_energy", &StewartDynamics::kinetic_energy, py::arg("T"), py::arg("V"),
        "kinetic_energy($self, T, V)\n--\n\nThe kinetic energy of the platform and the legs.");
  c.def("potential_energy", &StewartDynamics::potential_energy, py::arg("T"),
        "potential_energy($self, T)\n--\n\nZero with all mass at the base's origin.");
}

}  // namespace

void bind_stewart(py::module_& m) {
  py::class_<Stewart> c(m, "Stewart",
                        "Stewart(base, platform)\n\n"
                        "A platform on six legs of any geometry: leg i joins row i of base to row "
                        "i of platform, both of shape (6, 3). T is the pose of the platform in the "
                        "base, V its body twist, F a wrench in its frame.");
  add_geometry(c);
  add_kinematics(c);
  add_residuals(c);
  add_statics(c);
  add_joints(m, c);
  bind_pose_solution(m);
  bind_pose_solver(m);
  bind_leg_dynamics(m);
}

}  // namespace jounce::python
