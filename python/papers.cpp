// SPDX-License-Identifier: BSD-3-Clause
// Forms of the papers in Python: products of exponentials, Denavit-Hartenberg tables, global
// matrices, flexible links, adaptive control, models along a motion.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <jounce/adaptive.hpp>
#include <jounce/global_matrices.hpp>
#include <jounce/linear_trajectory.hpp>
#include <jounce/model/flexible_link.hpp>
#include <jounce/model/product_of_exponentials.hpp>
#include <jounce/paper/dense_hybrid.hpp>
#include <jounce/trajectory.hpp>

#include "calls.hpp"
#include "representation.hpp"

namespace jounce::python {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pose = SE3<double>;
using Screw = Twist<double>;

MatrixXd columns_of(const std::vector<Screw>& J) {
  MatrixXd found(6, Eigen::Index(J.size()));
  for (std::size_t k = 0; k < J.size(); ++k) found.col(Eigen::Index(k)) = to_eigen(J[k]);
  return found;
}

/// What the three forms share.
template <class Form>
void add_form(py::class_<Form>& c) {
  c.def(
      "forward", [](const Form& f, const std::vector<double>& q) { return f.forward(q); },
      py::arg("q"),
      "forward($self, q)\n--\n\nThe pose of the tip, an SE3."
      "\n\nq: shape (n,), rad and m, one number per joint.");
  c.def(
      "jacobian_body",
      [](const Form& f, const std::vector<double>& q) { return columns_of(f.jacobian_body(q)); },
      py::arg("q"),
      "jacobian_body($self, q)\n--\n\nShape (6, n), in the frame of the tip."
      "\n\nq: shape (n,), rad and m, one number per joint.");
  c.def(
      "jacobian_space",
      [](const Form& f, const std::vector<double>& q) { return columns_of(f.jacobian_space(q)); },
      py::arg("q"),
      "jacobian_space($self, q)\n--\n\nShape (6, n), in the ground frame."
      "\n\nq: shape (n,), rad and m, one number per joint.");
}

void add_conversions(py::class_<PoeLocal>& local, py::class_<PoeSpace>& space,
                     py::class_<PoeBody>& body) {
  const char* to_space_text = "to_space($self)\n--\n\nThe same as PoeSpace.";
  const char* to_body_text = "to_body($self)\n--\n\nThe same as PoeBody.";
  const char* to_local_text = "to_local($self)\n--\n\nThe same as PoeLocal.";
  local.def(
      "to_space", [](const PoeLocal& f) { return to_space(f); }, to_space_text);
  local.def(
      "to_body", [](const PoeLocal& f) { return to_body(f); }, to_body_text);
  space.def(
      "to_body", [](const PoeSpace& f) { return to_body(f); }, to_body_text);
  space.def(
      "to_local", [](const PoeSpace& f) { return to_local(f); }, to_local_text);
  body.def(
      "to_space", [](const PoeBody& f) { return to_space(f); }, to_space_text);
  body.def(
      "to_local", [](const PoeBody& f) { return to_local(f); }, to_local_text);
  local.def(
      "robot",
      [](const PoeLocal& f, const std::string& name) { return Robot(to_description(f, name)); },
      py::arg("name"),
      "robot($self, name)\n--\n\nA Robot with links base, link_1, ..., joints joint_1, ... and the "
      "frame tool at the tip; its links have no mass.");
}

void bind_exponentials(py::module_& m) {
  py::class_<PoeLocal> local(
      m, "PoeLocal",
      "PoeLocal(P, M)\n\nf = e^{P_1 x_1} M_1 ... e^{P_n x_n} M_n, Park (12): "
      "Twists P and SE3 M, one of each per joint.");
  local.def(py::init([](std::vector<Screw> P, std::vector<Pose> M) {
              return PoeLocal{std::move(P), std::move(M)};
            }),
            py::arg("P"), py::arg("M"));
  local.def_readonly("P", &PoeLocal::P, "Screws, each in the frame before its joint.");
  local.def_readonly("M", &PoeLocal::M, "Poses of link frames in the ones before, at zero.");
  py::class_<PoeSpace> space(
      m, "PoeSpace",
      "PoeSpace(A, M)\n\nf = e^{A_1 x_1} ... e^{A_n x_n} M, Park (13): Twists "
      "A in the ground frame, the SE3 M of the tip at zero.");
  space.def(py::init([](std::vector<Screw> A, const Pose& M) {
              return PoeSpace{std::move(A), M};
            }),
            py::arg("A"), py::arg("M"));
  space.def_readonly("A", &PoeSpace::A, "Screws in the ground frame.");
  space.def_readonly("M", &PoeSpace::M, "The tip at zero.");
  py::class_<PoeBody> body(
      m, "PoeBody",
      "PoeBody(B, M)\n\nf = M e^{B_1 x_1} ... e^{B_n x_n}, Park (14): Twists B in "
      "the tip's frame, the SE3 M of the tip at zero.");
  body.def(py::init([](std::vector<Screw> B, const Pose& M) {
             return PoeBody{std::move(B), M};
           }),
           py::arg("B"), py::arg("M"));
  body.def_readonly("B", &PoeBody::B, "Screws in the frame of the tip.");
  body.def_readonly("M", &PoeBody::M, "The tip at zero.");
  add_form(local), add_form(space), add_form(body);
  add_conversions(local, space, body);
}

DhConvention convention_of(const std::string& name) {
  if (name == "standard") return DhConvention::standard;
  if (name == "modified") return DhConvention::modified;
  throw InputError("denavit_hartenberg: convention is \"" + name +
                   "\", needs \"standard\" or \"modified\"");
}

PoeLocal table_of(const MatrixXd& rows, const std::vector<bool>& prismatic,
                  const std::string& convention) {
  if (rows.cols() != 4)
    throw InputError("denavit_hartenberg: table has " + std::to_string(rows.cols()) +
                     " columns, needs 4: a, alpha, d, theta");
  if (!prismatic.empty() && prismatic.size() != std::size_t(rows.rows()))
    throw InputError("denavit_hartenberg: prismatic has " + std::to_string(prismatic.size()) +
                     " elements, needs " + std::to_string(rows.rows()));
  DhTable table{.convention = convention_of(convention), .rows = {}, .base = {}, .tool = {}};
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const bool slides = !prismatic.empty() && prismatic[std::size_t(k)];
    table.rows.push_back({rows(k, 0), rows(k, 1), rows(k, 2), rows(k, 3),
                          slides ? JointKind::prismatic : JointKind::revolute});
  }
  return to_local(table);
}

void bind_tables(py::module_& m) {
  m.def("denavit_hartenberg", &table_of, py::arg("table"),
        py::arg("prismatic") = std::vector<bool>(), py::arg("convention") = "standard",
        "denavit_hartenberg(table, prismatic=[], convention='standard')\n--\n\n"
        "The PoeLocal of a Denavit-Hartenberg table, whose rows are a, alpha, d, theta; the number "
        "that moves adds to d where prismatic, else to theta. The convention is 'standard' or "
        "'modified' (Craig).");
  m.def(
      "chain_to",
      [](const Robot& robot, const std::string& frame) {
        RobotChain chain = chain_to(robot, robot.frame(frame));
        return py::make_tuple(std::move(chain.poe), chain.q);
      },
      py::arg("robot"), py::arg("frame"),
      "chain_to(robot, frame)\n--\n\nThe joints between ground and frame as a PoeSpace, and the "
      "robot's coordinates that are its own: (poe, q).");
  const auto screws = record(
      m, "HomeScrews", "A tree at zero, in the ground frame: what home_screws finds.",
      Field{"Y", &HomeScrews::Y, "Twists, the screws of the velocities of the tree, in its order."},
      Field{"A", &HomeScrews::A, "SE3s, the poses of the bodies, the ground's first."});
  m.def(
      "home_screws", [screws](const Robot& robot) { return screws(home_screws(robot)); },
      py::arg("robot"),
      "home_screws(robot)\n--\n\nHomeScrews (Y, A), what Ali's appendix D sets up: screws and "
      "poses "
      "of a tree at zero, in the ground frame.");
}

void bind_global_matrices(py::module_& m) {
  using G = GlobalMatrices;
  py::class_<G> c(m, "GlobalMatrices",
                  "The equations of motion as products of large matrices, in body frames: Park "
                  "(47)-(51), Ploen (19)-(38). n moving bodies have 6 n rows.");
  c.def_readonly("Gamma", &G::Gamma, "From each parent to its body; Gamma^n = 0.");
  c.def_readonly("G", &G::G, "(1 - Gamma)^-1.");
  c.def_readonly("S", &G::S, "Screws, shape (6 n, nv).");
  c.def_readonly("J", &G::J, "Inertias.");
  c.def_readonly("P0", &G::P0, "From the ground to the bodies on it.");
  c.def_readonly("adS", &G::adS, "diag[-ad of S_i v_i].");
  c.def_readonly("Cb", &G::Cb, "Ploen's skew-symmetric blocks.");
  c.def_readonly("V", &G::V, "Twists of all bodies.");
  c.def("M", &G::M, "M($self)\n--\n\nThe mass matrix, Park (51).");
  c.def("Mdot", &G::Mdot, "Mdot($self)\n--\n\nIts rate, Ploen (28).");
  c.def("Gdot", &G::Gdot, "Gdot($self)\n--\n\nThe rate of G, Ploen (27).");
  c.def("C_plain", &G::C_plain, "C_plain($self)\n--\n\nPloen (25): Mdot - 2 C is not skew.");
  c.def("C_ploen", &G::C_ploen, "C_ploen($self)\n--\n\nPloen (37): Mdot - 2 C is skew.");
  c.def("phi", &G::phi, "phi($self)\n--\n\nGravity, Ploen (26).");
}

void bind_stacked_motion(py::module_& m) {
  using G = GlobalMatrices;
  m.def(
      "global_matrices",
      [](const Robot& robot, const VectorXd& q, const VectorXd& v) {
        return global_matrices(robot, q, v);
      },
      py::arg("robot"), py::arg("q"), py::arg("v"),
      "global_matrices(robot, q, v)\n--\n\nThe GlobalMatrices at a state.\n\n"
      "q: shape (nq,), rad and m.\nv: shape (nv,), rad/s and m/s.");
  const auto motion = record(m, "StackedMotion", "What stacked_motion finds.",
                             Field{"V", &StackedMotion::V, "Twists of all bodies."},
                             Field{"Vdot", &StackedMotion::Vdot, "Their rates, less gravity."},
                             Field{"F", &StackedMotion::F, "Wrenches that joints transmit."},
                             Field{"tau", &StackedMotion::tau, "Joint forces."});
  m.def(
      "stacked_motion",
      [motion](const G& g, const VectorXd& v, const VectorXd& a, const std::optional<Screw>& V_0,
               const std::optional<Screw>& Vdot_0) {
        if (v.size() != g.S.cols() || a.size() != g.S.cols())
          throw InputError("stacked_motion: v and a need " + std::to_string(g.S.cols()) +
                           " elements");
        return motion(stacked_motion(g, v, a, V_0.value_or(Screw{}), Vdot_0.value_or(Screw{})));
      },
      py::arg("g"), py::arg("v"), py::arg("a"), py::arg("V_0") = py::none(),
      py::arg("Vdot_0") = py::none(),
      "stacked_motion(g, v, a, V_0=None, Vdot_0=None)\n--\n\n"
      "Ploen (19)-(22), a StackedMotion (V, Vdot, F, tau), on a ground that moves with V_0, "
      "Vdot_0.");
}

void bind_dynamics_forms(py::module_& m) {
  define<Dynamics>(
      m, "dense_hybrid",
      [](Dynamics& d, const auto& prescribed, const auto& q, const auto& v, const auto& a,
         const auto& tau, const auto& around) {
        const HybridResult x = dense_hybrid(d, prescribed, q, v, a, tau, around);
        return py::make_tuple(to_python(x.a), to_python(x.tau));
      },
      "Kim (34): (a, tau) as of Dynamics.hybrid, by blocks of the mass matrix, in O(n^3).",
      "dynamics", std::tuple(py::arg("dynamics")), word::prescribed, word::vector("q"),
      word::vector("v"), word::vector("a"), word::vector("tau"), word::around);
  m.def(
      "force_at",
      [](const py::object& frame, const py::object& point, const py::object& force,
         const std::string& kind) {
        const OutsideWrench<double> w =
            force_at(FrameId{}, checked_vec3(point, {"force_at", "point"}),
                     checked_vec3(force, {"force_at", "force"}), representation(kind, "force_at"));
        return py::make_tuple(frame, w.wrench, kind);
      },
      py::arg("frame"), py::arg("point"), py::arg("force"), py::arg("kind") = "body",
      "force_at(frame, point, force, kind='body')\n--\n\nA force at a point, as an entry of "
      "wrenches: both from the frame's origin in its axes ('body') or in ground axes ('hybrid'), "
      "or "
      "from the ground's origin ('space').");
}

void bind_flexible_link(py::module_& m) {
  m.def(
      "with_flexible_link",
      [](const Robot& robot, const std::string& link, const py::object& end, const py::object& axis,
         double stiffness, double second_stiffness, double damping, int segments) {
        Flexibility beam;
        beam.end = checked_vec3(end, {"with_flexible_link", "end"});
        beam.axis = checked_vec3(axis, {"with_flexible_link", "axis"});
        beam.stiffness = stiffness;
        beam.second_stiffness = second_stiffness;
        beam.damping = damping;
        beam.segments = segments;
        return with_flexible_link(robot, link, beam);
      },
      py::arg("robot"), py::arg("link"), py::arg("end"), py::arg("axis"), py::arg("stiffness"),
      py::arg("second_stiffness") = 0.0, py::arg("damping") = 0.0, py::arg("segments") = 20,
      "with_flexible_link(robot, link, end, axis, stiffness, second_stiffness=0.0, damping=0.0, "
      "segments=20)\n--\n\nThe Robot whose link is a chain of segments with springs: a beam from "
      "the "
      "link's origin to end, of bending stiffness E I about axis.");
}

void bind_adaptive(py::module_& m) {
  py::class_<AdaptiveController> c(
      m, "AdaptiveController",
      "AdaptiveController(robot, slide=10.0, damp=20.0, learn=2.0)\n\n"
      "Adaptive control (Slotine, Li 1987): tau = Y pi - damp s with s = v - v_r and v_r = v_d - "
      "slide (q - q_d); the estimate pi moves by -learn Y^T s. It is zero at first.");
  c.def(py::init([](Robot robot, double slide, double damp, double learn) {
          return AdaptiveController(std::move(robot), {slide, damp, learn});
        }),
        py::arg("robot"), py::arg("slide") = 10.0, py::arg("damp") = 20.0, py::arg("learn") = 2.0);
  c.def_property(
      "estimate", [](const AdaptiveController& x) { return x.estimate(); },
      [](AdaptiveController& x, const VectorXd& pi) { x.set_estimate(pi); },
      "What it believes of the parameters, in the order of Regressor.");
  c.def(
      "force",
      [](AdaptiveController& x, const VectorXd& q, const VectorXd& v, const VectorXd& q_d,
         const VectorXd& v_d, const VectorXd& a_d,
         double dt) { return x.force(q, v, q_d, v_d, a_d, dt); },
      py::arg("q"), py::arg("v"), py::arg("q_d"), py::arg("v_d"), py::arg("a_d"), py::arg("dt"),
      "force($self, q, v, q_d, v_d, a_d, dt)\n--\n\nThe forces at a state that should have q_d, "
      "v_d and a_d; the estimate moves on by dt, s.\n\nq: shape (nq,), rad and m, as q_d.\n"
      "v: shape (nv,), rad/s and m/s, as v_d; a_d has their rates.");
}

void bind_motions(py::module_& m) {
  m.def(
      "linearise_along",
      [](Derivatives& derivatives, const std::vector<double>& times, const py::function& nominal,
         bool limits) {
        const auto at = [&](double t) {
          const auto [q, v, tau] = nominal(t).cast<std::tuple<VectorXd, VectorXd, VectorXd>>();
          return NominalState{q, v, tau};
        };
        py::list found;
        for (const LinearModel& step : linearise_along(derivatives, times, at, limits))
          found.append(py::make_tuple(step.A, step.B));
        return found;
      },
      py::arg("derivatives"), py::arg("times"), py::arg("nominal"), py::arg("limits") = true,
      "linearise_along(derivatives, times, nominal, limits=True)\n--\n\n"
      "Linear models along a motion, (A, B) of x_next = A x + B u for each step between the times; "
      "nominal(t) gives (q, v, tau). InputError where limits is true and the motion leaves the "
      "robot's limits.");
}

}  // namespace

void bind_papers(py::module_& m) {
  bind_exponentials(m);
  bind_tables(m);
  bind_global_matrices(m);
  bind_stacked_motion(m);
  bind_dynamics_forms(m);
  bind_flexible_link(m);
  bind_adaptive(m);
  bind_motions(m);
}

}  // namespace jounce::python
