// SPDX-License-Identifier: BSD-3-Clause
// Closed mechanisms in Python: all their assemblies, their kinematics, what their joints transmit.
#include <jounce/assemblies.hpp>
#include <jounce/closed_kinematics.hpp>
#include <jounce/constrained_wrenches.hpp>

#include "calls.hpp"
#include "contacts.hpp"

namespace jounce::python {

template <>
inline constexpr bool closes_loops<ClosedKinematics> = true;
template <>
inline constexpr bool closes_loops<ConstrainedWrenches> = true;

namespace {

using Values = std::span<const double>;

struct AssembliesArrays {
  Array q;
  bool complete = false;
  double discriminant = 0;
  int worst_loop = -1, starts = 0;
};

AssembliesArrays arrays_of(const Assemblies& found, int nq) {
  AssembliesArrays to{Array({py::ssize_t(found.q.size()), py::ssize_t(nq)}), found.complete,
                      found.discriminant, found.worst_loop, found.starts};
  double* next = to.q.mutable_data();
  for (const std::vector<double>& one : found.q) next = std::copy(one.begin(), one.end(), next);
  return to;
}

void add_assemblies(py::module_& m) {
  using Door = ConstrainedDynamics;
  py::class_<Door> c(m.attr("ConstrainedDynamics"));
  using Found = AssembliesArrays;
  const auto named = record(
      m, "Assemblies", "What ConstrainedDynamics.assemblies and working_modes find.",
      Field{"q", &Found::q, "Configurations, shape (count, nq), the nearest to q first."},
      Field{"complete", &Found::complete,
            "Whether there are no others; Newton's method cannot tell."},
      Field{"discriminant", &Found::discriminant,
            "Of the bars that meet, where complete; negative where they do not."},
      Field{"worst_loop", &Found::worst_loop, "The number of the loop it belongs to, or -1."},
      Field{"starts", &Found::starts, "How often Newton's method started."});
  const auto arrays = [](Door& d, const Assemblies& found) {
    return arrays_of(found, d.robot().nq());
  };
  add(c, "assemblies",
      as(
          named,
          [](Door& d, Values q, std::span<const bool> kept, int starts, int seed) {
            return assemblies(d, q, kept, {starts, std::uint64_t(seed)});
          },
          arrays),
      "All configurations that close the loops while the kept coordinates (one bool per velocity "
      "coordinate; without them those of the motors) stay as they are in q, Assemblies.\n\n"
      "In closed form for four- and five-bars, slider-cranks and other loops of parallel hinges "
      "with "
      "two free joints; of others what Newton's method finds from many starts, which may not be "
      "all. Angles are from -pi to pi; limits are not looked at.",
      "q", word::optional_flags("kept"), word::ByName{word::count("starts", 100)},
      word::ByName{word::count("seed", 1)});
  add(c, "working_modes",
      as(
          named,
          [](Door& d, int loop, const Vec3<double>& point, Values q) {
            return working_modes(d, loop, point, q);
          },
          arrays),
      "The configurations, Assemblies, in which a planar loop of two arms of two hinges each, as a "
      "five-bar is, closes at a point of the world; other coordinates stay as they are in q. loop "
      "is its place in Robot.loops.",
      word::index("loop"), word::vec3("point"), "q");
}

struct ClosedSolution : ClosedIkReport {
  Array q;
};

auto closed_solution(py::module_& m) {
  using Found = ClosedSolution;
  return record(
      m, "ClosedIkResult", "What ClosedKinematics.solve finds.",
      Field{"q", &Found::q, "The configuration; the nearest one found when not converged."},
      Field{"converged", &Found::converged, "Whether the residual is below the tolerance."},
      Field{"residual", &Found::residual, "Norm of the weighted errors, rad and m."},
      Field{"iterations", &Found::iterations, "Iterations over all starts."},
      Field{"restarts", &Found::restarts, "How often it started anew."},
      Field{"end", [](const Found& found) { return name(found.end); },
            "'converged', or what stopped the best start: 'open_loops', 'limits', 'out_of_reach', "
            "'iterations'."});
}

ClosedSolution closed_solve(ClosedKinematics& d, const PoseGoal& goal, const py::object& q_guess,
                            const IkOptions& options, double time) {
  const Array guess = vector_of(q_guess, {"ik", "q_guess"}, d.robot().nq());
  ClosedSolution found{{}, Array(d.robot().nq())};
  static_cast<ClosedIkReport&>(found) =
      d.solve(std::span(&goal, 1), view(guess), options, into(found.q), time);
  return found;
}

const char* const closed_solve_doc =
    "solve($self, frame, pose, q_guess, *, rotation_weight=1.0, position_weight=1.0, "
    "max_iterations=100, max_restarts=20, seed=1, tolerance=1e-09, respect_limits=True, "
    "time=0.0)\n--\n\n"
    "A configuration that closes the loops and brings a frame to a pose, a ClosedIkResult. The "
    "guess is closed first, steps stay among the velocities that suit the loops, and each is "
    "followed by an assembly; then from random configurations. time is the instant, for loops that "
    "depend on it.";

void add_closed_solve(py::module_& m, py::class_<ClosedKinematics>& c) {
  const auto named = closed_solution(m);
  c.def(
      "solve",
      [named](ClosedKinematics& d, const py::object& frame, const SE3<double>& pose,
              const py::object& q_guess, double rotation_weight, double position_weight,
              int max_iterations, int max_restarts, std::uint64_t seed, double tolerance,
              bool respect_limits, double time) {
        const PoseGoal goal{checked_frame(d.robot(), frame, "ik"), pose,
                            checked_amount(rotation_weight, {"ik", "rotation_weight"}),
                            checked_amount(position_weight, {"ik", "position_weight"})};
        const IkOptions options{.max_iterations = max_iterations,
                                .max_restarts = max_restarts,
                                .seed = seed,
                                .tolerance = checked_amount(tolerance, {"ik", "tolerance"}),
                                .respect_limits = respect_limits};
        return named(closed_solve(d, goal, q_guess, options, time));
      },
      py::arg("frame"), py::arg("pose"), py::arg("q_guess"), py::kw_only(),
      py::arg("rotation_weight") = 1.0, py::arg("position_weight") = 1.0,
      py::arg("max_iterations") = 100, py::arg("max_restarts") = 20, py::arg("seed") = 1,
      py::arg("tolerance") = 1e-9, py::arg("respect_limits") = true, py::arg("time") = 0.0,
      closed_solve_doc);
}

void bind_closed_kinematics(py::module_& m) {
  using Door = ClosedKinematics;
  auto c = add_door<Door>(
      m, "ClosedKinematics",
      "Kinematics of a mechanism whose loops are closed: what its motors do to a frame, where it "
      "is singular, configurations that bring a frame to a pose.\n\n"
      "driven are flags of coordinates, one bool per velocity coordinate; without them those of "
      "the motors drive.");
  c.def_property_readonly("mobility", &Door::mobility, "How many velocities the loops leave.");
  add(
      c, "decide_rank", [](Door& d, const auto&... x) { return d.decide_rank(x...); },
      "Decides again how many rows count, as ConstrainedDynamics.decide_rank.", "q", instant());
  add(
      c, "motion", [](Door& d, const auto&... x) { return d.motion(x...); },
      "Velocities of all coordinates, shape (nv, driven): a column for every driven one. "
      "ComputationError where they are too few, or lose control.",
      "q", word::optional_flags("driven"), instant());
  add(
      c, "jacobian", [](Door& d, const auto&... x) { return d.jacobian(x...); },
      "The twist of a frame, shape (6, driven): a column for every driven coordinate.", "q",
      word::frame, word::kind_or_body, word::optional_flags("driven"), instant());
  const auto named = record(
      m, "Singularity", "Three ways to be singular, each by its smallest singular value.",
      Field{"rows", &Singularity::rows,
            "Of the rows that count, of the largest; zero where branches of the motion meet."},
      Field{"passive", &Singularity::passive,
            "Of the columns that are not driven; zero where motors lose control."},
      Field{"frame", &Singularity::frame,
            "Of the frame's Jacobian on the loops, rad and m; zero where it loses a direction."},
      Field{"position", &Singularity::position, "The same of the velocity of its origin alone, m."},
      Field{"mobility", &Singularity::mobility, "Motions that go on."},
      Field{"instantaneous", &Singularity::instantaneous,
            "Velocities that suit the loops here: more at a change point."});
  add(c, "singularity", as(named, [](Door& d, const auto&... x) { return d.singularity(x...); }),
      "How near the mechanism is to each of three kinds of singularity, a Singularity.", "q",
      word::frame, word::optional_flags("driven"), instant());
  add_closed_solve(m, c);
}

void bind_wrenches_of_loops(py::module_& m) {
  using Door = ConstrainedWrenches;
  auto c = add_door<Door>(
      m, "ConstrainedWrenches",
      "What the joints of the tree transmit while loops and contacts act on it.\n\n"
      "Where rows depend on one another these wrenches are not unique; lambda_ says which are "
      "meant, and that of the doors is the shortest.");
  const py::object type = m.attr("JointWrenches");
  add(
      c, "joint_wrenches",
      [type](Door& d, const auto&... x) {
        const JointWrenches found = d.joint_wrenches(x...);
        py::dict joints;
        for (std::size_t k = 0; k < found.joints.size(); ++k)
          joints[py::str(d.robot().joints()[k].name)] = found.joints[k];
        return type(joints, found.ground);
      },
      std::string(
          "JointWrenches (joints, ground) as of Dynamics, with the forces lambda_ of loops "
          "and contacts; what a cut joint transmits is ConstrainedDynamics.loop_wrenches.") +
          about_contacts,
      "q", "v", "a", multipliers(), word::kind_or_body, word::around, contacts_by_name());
}

}  // namespace

void bind_mechanisms(py::module_& m) {
  add_assemblies(m);
  bind_closed_kinematics(m);
  bind_wrenches_of_loops(m);
}

}  // namespace jounce::python
