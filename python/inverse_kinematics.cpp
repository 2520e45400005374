// SPDX-License-Identifier: BSD-3-Clause
// InverseKinematics in Python: goals by frame name, results that own their numbers.
#include <pybind11/stl.h>

#include <jounce/inverse_kinematics.hpp>
#include <mutex>

#include "calls.hpp"
#include "representation.hpp"

namespace jounce::python {
namespace {

using Pose = SE3<double>;
using Velocity = Twist<double>;

/// A goal whose frame is a name or a number until a robot is known.
template <class Goal>
struct Named {
  py::object frame;
  Goal goal;
};
using NamedPose = Named<PoseGoal>;
using NamedTwist = Named<TwistGoal>;

struct Solution : IkReport {
  Array q;
};
struct Motion : VelocityReport {
  Array v;
};

/// The library's object and a lock: solve lets other Python threads run, and they may call it.
struct Solver {
  explicit Solver(Robot robot) : ik(std::move(robot)) {}

  /// f() without Python's lock, one thread at a time.
  template <class F>
  auto alone(F f) {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex);
    return f();
  }

  InverseKinematics ik;
  std::mutex mutex;
};

NamedPose pose_goal(const py::object& frame, const Pose& pose, double rotation_weight,
                    double position_weight) {
  check_frame_type(frame, "ik");
  return {frame,
          {{},
           pose,
           checked_amount(rotation_weight, {"ik", "rotation_weight"}),
           checked_amount(position_weight, {"ik", "position_weight"})}};
}

/// One goal or several, with their frames found.
template <class Goal>
std::vector<Goal> goals_of(const Robot& robot, const py::object& goals, const Argument& argument,
                           const char* type) {
  std::vector<Goal> found;
  const auto add = [&](py::handle item) {
    if (!py::isinstance<Named<Goal>>(item))
      throw py::type_error(subject(argument) + " holds a " + type_name(item) + ", needs " + type);
    const auto& named = item.cast<const Named<Goal>&>();
    found.push_back(named.goal);
    found.back().frame = checked_frame(robot, named.frame, argument.function);
  };
  if (!py::isinstance<py::iterable>(goals) || py::isinstance<py::str>(goals)) add(goals);
  else
    for (const py::handle item : goals) add(item);
  return found;
}

IkOptions ik_options(const Robot& robot, int max_iterations, int max_restarts, std::uint64_t seed,
                     double tolerance, bool respect_limits, const py::object& preferred,
                     double preference_gain) {
  for (const auto& [name, count] :
       {std::pair("max_iterations", max_iterations), std::pair("max_restarts", max_restarts)})
    if (count < 0)
      throw InputError(subject({"ik", name}) + " is " + std::to_string(count) +
                       ", needs 0 or more");
  IkOptions options{max_iterations,
                    max_restarts,
                    seed,
                    checked_amount(tolerance, {"ik", "tolerance"}),
                    respect_limits,
                    {},
                    checked_amount(preference_gain, {"ik", "preference_gain"})};
  if (preferred.is_none()) return options;
  const Array q = vector_of(preferred, {"ik", "preferred"}, robot.nq());
  robot.check_q("ik", "preferred", view(q));
  options.preferred.assign(q.data(), q.data() + q.size());
  return options;
}

Solution solve(Solver& solver, const std::vector<PoseGoal>& goals, const py::object& q_guess,
               const IkOptions& options) {
  const Array given = vector_of(q_guess, {"ik", "q_guess"}, solver.ik.robot().nq());
  const std::vector<double> guess(given.data(), given.data() + given.size());
  Solution found{{}, Array(solver.ik.robot().nq())};
  const Into<double> q = into(found.q);
  solver.alone([&] { static_cast<IkReport&>(found) = solver.ik.solve(goals, guess, options, q); });
  return found;
}

Motion velocity(Solver& solver, const py::object& q_, const py::object& primary_,
                const py::object& secondary_, double singular_below, double damping) {
  const Robot& robot = solver.ik.robot();
  const Array given = vector_of(q_, {"ik velocity", "q"}, robot.nq());
  robot.check_q("ik velocity", "q", view(given));
  const std::vector<double> q(given.data(), given.data() + given.size());
  const auto primary =
      goals_of<TwistGoal>(robot, primary_, {"ik velocity", "primary"}, "TwistGoal");
  const auto secondary =
      goals_of<TwistGoal>(robot, secondary_, {"ik velocity", "secondary"}, "TwistGoal");
  const VelocityOptions options{checked_number(singular_below, {"ik velocity", "singular_below"}),
                                checked_number(damping, {"ik velocity", "damping"})};
  Motion found{{}, Array(robot.nv())};
  const Into<double> v = into(found.v);
  solver.alone([&] {
    static_cast<VelocityReport&>(found) = solver.ik.velocity(q, primary, secondary, options, v);
  });
  return found;
}

void bind_pose_goal(py::module_& m) {
  py::class_<NamedPose> c(m, "PoseGoal",
                          "PoseGoal(frame, pose, rotation_weight=1.0, position_weight=1.0)\n\n"
                          "A pose that a frame (a name or a number) should have, in the ground. A "
                          "weight of zero leaves that part of the pose free; errors are weighted "
                          "per rad and per m.");
  c.def(py::init(&pose_goal), py::arg("frame"), py::arg("pose"), py::arg("rotation_weight") = 1.0,
        py::arg("position_weight") = 1.0);
  c.def_readonly("frame", &NamedPose::frame, "The name or number of the frame.");
  c.def_property_readonly(
      "pose", [](const NamedPose& g) { return g.goal.pose; }, "The SE3 it should have.");
  c.def_property_readonly(
      "rotation_weight", [](const NamedPose& g) { return g.goal.rotation_weight; },
      "The weight of rotation errors, per rad.");
  c.def_property_readonly(
      "position_weight", [](const NamedPose& g) { return g.goal.position_weight; },
      "The weight of position errors, per m.");
  c.def("__repr__", [](const NamedPose& g) {
    return "PoseGoal(" + std::string(py::repr(g.frame)) + ", " +
           std::string(py::repr(py::cast(g.goal.pose))) +
           ", rotation_weight=" + text(g.goal.rotation_weight) +
           ", position_weight=" + text(g.goal.position_weight) + ")";
  });
}

const char* kind_name(Representation in) {
  const char* names[] = {"body", "space", "hybrid"};
  return names[static_cast<int>(in)];
}

void bind_twist_goal(py::module_& m) {
  py::class_<NamedTwist> c(
      m, "TwistGoal",
      "TwistGoal(frame, twist, kind=\"hybrid\", components=None)\n\n"
      "A twist that a frame (a name or a number) should have, told as "
      "twist_body, twist_space or twist_hybrid: kind is \"body\", \"space\" or "
      "\"hybrid\". components has six bools, angular first: which of them count.");
  using Components = std::optional<std::array<bool, 6>>;
  c.def(py::init([](const py::object& frame, const Velocity& twist, const std::string& kind,
                    const Components& components) {
          check_frame_type(frame, "ik velocity");
          TwistGoal goal{{}, twist, representation(kind, "ik velocity")};
          if (components) goal.components = *components;
          return NamedTwist{frame, goal};
        }),
        py::arg("frame"), py::arg("twist"), py::arg("kind") = "hybrid",
        py::arg("components") = py::none());
  c.def_property_readonly(
      "components", [](const NamedTwist& g) { return py::cast(g.goal.components); },
      "Which components count, six bools.");
  c.def_readonly("frame", &NamedTwist::frame, "The name or number of the frame.");
  c.def_property_readonly(
      "twist", [](const NamedTwist& g) { return g.goal.twist; }, "The Twist it should have.");
  c.def_property_readonly(
      "kind", [](const NamedTwist& g) { return kind_name(g.goal.in); },
      "\"body\", \"space\" or \"hybrid\".");
  c.def("__repr__", [](const NamedTwist& g) {
    return "TwistGoal(" + std::string(py::repr(g.frame)) + ", " +
           std::string(py::repr(py::cast(g.goal.twist))) + ", kind=\"" + kind_name(g.goal.in) +
           "\")";
  });
}

void bind_solution(py::module_& m) {
  py::class_<Solution> c(m, "IkResult", "What InverseKinematics.solve found.");
  c.def_readonly("q", &Solution::q,
                 "The configuration, shape (nq,); the nearest one found when not converged.");
  c.def_readonly("converged", &Solution::converged, "Whether the residual is below the tolerance.");
  c.def_readonly("residual", &Solution::residual, "Norm of the weighted errors, rad and m.");
  c.def_readonly("iterations", &Solution::iterations, "Iterations over all starts.");
  c.def_readonly("restarts", &Solution::restarts, "How often it started anew.");
  c.def("__repr__", [](const Solution& s) {
    return std::string("IkResult(converged=") + (s.converged ? "True" : "False") +
           ", residual=" + text(s.residual, 6) + ", iterations=" + std::to_string(s.iterations) +
           ", restarts=" + std::to_string(s.restarts) + ")";
  });
  const auto state = [](const Solution& s) {
    return py::make_tuple(s.q, s.converged, s.residual, s.iterations, s.restarts);
  };
  const auto from_state = [](const py::tuple& t) {
    const IkReport report{t[1].cast<bool>(), t[2].cast<double>(), t[3].cast<int>(),
                          t[4].cast<int>()};
    return Solution{report, t[0].cast<Array>()};
  };
  c.def(py::pickle(state, from_state));
}

void bind_motion(py::module_& m) {
  py::class_<Motion> c(m, "VelocityResult", "What InverseKinematics.velocity found.");
  c.def_readonly("v", &Motion::v, "The joint velocities, shape (nv,).");
  c.def_readonly("primary_error", &Motion::primary_error,
                 "Norm of what is missing of the primary twists.");
  c.def_readonly("secondary_error", &Motion::secondary_error,
                 "Norm of what is missing of the secondary twists.");
  c.def("__repr__", [](const Motion& s) {
    return "VelocityResult(primary_error=" + text(s.primary_error, 6) +
           ", secondary_error=" + text(s.secondary_error, 6) + ")";
  });
}

const char* const solve_doc =
    "solve($self, frame, pose, q_guess, *, rotation_weight=1.0, position_weight=1.0, "
    "max_iterations=100, max_restarts=20, seed=1, tolerance=1e-09, respect_limits=True, "
    "preferred=None, preference_gain=0.3)\n--\n\n"
    "solve(goals, q_guess, *, max_iterations=100, max_restarts=20, seed=1, tolerance=1e-09, "
    "respect_limits=True, preferred=None, preference_gain=0.3)\n\n"
    "An IkResult: a configuration that brings a frame to a pose, or frames to the poses of one "
    "PoseGoal or several. Levenberg-Marquardt from q_guess, then from random configurations.\n\n"
    "An unreachable target ends with converged = False and the best pose of all starts. preferred "
    "is a "
    "configuration to come near to where the goals leave freedom, preference_gain the share of "
    "the way per iteration. Other Python threads run meanwhile.";

void add_solve(py::class_<Solver>& c) {
  c.def(
      "solve",
      [](Solver& solver, const py::object& frame, const Pose& pose, const py::object& q_guess,
         double rotation_weight, double position_weight, int iterations, int restarts,
         std::uint64_t seed, double tolerance, bool limits, const py::object& preferred,
         double gain) {
        const Robot& robot = solver.ik.robot();
        PoseGoal goal = pose_goal(frame, pose, rotation_weight, position_weight).goal;
        goal.frame = checked_frame(robot, frame, "ik");
        return solve(
            solver, {goal}, q_guess,
            ik_options(robot, iterations, restarts, seed, tolerance, limits, preferred, gain));
      },
      py::arg("frame"), py::arg("pose"), py::arg("q_guess"), py::kw_only(),
      py::arg("rotation_weight") = 1.0, py::arg("position_weight") = 1.0,
      py::arg("max_iterations") = 100, py::arg("max_restarts") = 20, py::arg("seed") = 1,
      py::arg("tolerance") = 1e-9, py::arg("respect_limits") = true,
      py::arg("preferred") = py::none(), py::arg("preference_gain") = 0.3, solve_doc);
  c.def(
      "solve",
      [](Solver& solver, const py::object& goals, const py::object& q_guess, int iterations,
         int restarts, std::uint64_t seed, double tolerance, bool limits,
         const py::object& preferred, double gain) {
        const Robot& robot = solver.ik.robot();
        return solve(
            solver, goals_of<PoseGoal>(robot, goals, {"ik", "goals"}, "PoseGoal"), q_guess,
            ik_options(robot, iterations, restarts, seed, tolerance, limits, preferred, gain));
      },
      py::arg("goals"), py::arg("q_guess"), py::kw_only(), py::arg("max_iterations") = 100,
      py::arg("max_restarts") = 20, py::arg("seed") = 1, py::arg("tolerance") = 1e-9,
      py::arg("respect_limits") = true, py::arg("preferred") = py::none(),
      py::arg("preference_gain") = 0.3);
}

}  // namespace

void bind_inverse_kinematics(py::module_& m) {
  bind_pose_goal(m);
  bind_twist_goal(m);
  bind_solution(m);
  bind_motion(m);
  py::class_<Solver> c(m, "InverseKinematics",
                       "InverseKinematics(robot)\n\n"
                       "Configurations that bring frames to poses, velocities that give frames "
                       "twists.\n\nThreads that share one take turns; with one each they run side "
                       "by side.");
  c.def(py::init([](Robot robot) {
          warn_of_loops(robot, "InverseKinematics");
          return std::make_unique<Solver>(std::move(robot));
        }),
        py::arg("robot"));
  c.def_property_readonly(
      "robot", [](const Solver& s) { return s.ik.robot(); }, "Its Robot.");
  add_solve(c);
  c.def("velocity", &velocity, py::arg("q"), py::arg("primary"), py::arg("secondary") = py::tuple(),
        py::kw_only(), py::arg("singular_below") = 0.02, py::arg("damping") = 0.02,
        "velocity($self, q, primary, secondary=(), *, singular_below=0.02, damping=0.02)\n--\n\n"
        "A VelocityResult: joint velocities at q that give the primary goals (a TwistGoal or "
        "several) first and, with what freedom remains, the secondary ones. Singular values below "
        "singular_below are damped.\n\nq: shape (nq,), rad and m.");
}

}  // namespace jounce::python
