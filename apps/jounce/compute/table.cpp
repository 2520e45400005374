// SPDX-License-Identifier: BSD-3-Clause
// The table of the quantities.
#include "apps/jounce/compute/table.hpp"

#include <algorithm>

#include "io/names.hpp"

namespace jounce::app {
namespace {

/// A line of the table: name, what it is, keys in, keys out, options, note, example.
Quantity row(Json (*compute)(ComputeContext&, JsonObject&), const char* name, const char* about,
             const char* in, std::vector<Key> out, const char* options, const char* note,
             const char* arguments, const char* example) {
  return {{name, about, keys_of(in), std::move(out), keys_of(options), note, arguments, example},
          compute};
}

constexpr const char* tangent = "Derivatives by q are in the tangent space of q: nv columns.";
constexpr const char* mixed =
    "a and tau at full length, null where they are unknown: a where the joint is not prescribed, "
    "tau where it is.";
constexpr const char* orders =
    "f_ext may have a list of such six numbers per link, one for each derivative.";

std::vector<Quantity> kinematic_rows() {
  using namespace quantity;
  return {
      row(fk, "fk", "Forward kinematics: where links and frames are", "q",
          {{"position", "[x, y, z] of --frame in the world", false},
           {"quaternion", "its rotation, [x, y, z, w]", false},
           {"matrix", "its pose, 4 rows", false},
           {"links", "without --frame: {\"link\": {position, quaternion, matrix}}, all", false}},
          "[--frame]", "", "builtin:arm7 --frame flange", R"({"q":[0,0.3,0,-1.2,0,0.8,0]})"),
      row(jacobian, "jacobian", "Jacobian of a frame: its twist is J v", "q",
          {{"frame", "its name"}, {"jacobian", "6 rows of nv numbers, angular part first"}},
          "--frame [--kind]", "", "builtin:arm7 --frame flange --kind hybrid",
          R"({"q":[0,0.3,0,-1.2,0,0.8,0]})"),
      row(ik, "ik", "Inverse kinematics: coordinates that bring a frame to a pose",
          "[frame] [position] [quaternion] [q]",
          {{"q", "coordinates"},
           {"converged", "whether the pose was reached"},
           {"residual", "norm of the errors that are left, rad and m"},
           {"iterations", "steps taken"}},
          "[--frame]",
          "Without quaternion the orientation is free, without position the position is. q is the "
          "first guess, without it the neutral configuration. The frame is needed, as key or as "
          "option.",
          "builtin:arm7 --frame flange", R"({"position":[0.4,0.1,0.6]})"),
      row(ik_velocity, "ik-velocity", "Velocities that give a frame a twist", "q twist",
          {{"v", "the least velocities, nv numbers"},
           {"error", "norm of what is missing of the components that count"}},
          "--frame [--kind]", "", "builtin:arm7 --frame flange --kind hybrid",
          R"({"q":[0,0.3,0,-1.2,0,0.8,0],"twist":[null,null,null,0.1,0,0]})")};
}

std::vector<Quantity> dynamic_rows() {
  using namespace quantity;
  return {
      row(inverse, "inverse", "Inverse dynamics: joint forces of a motion",
          "q [v=0] [a=0] [f_ext] [ground]", {{"tau", "what the actuators must give, nv numbers"}},
          "", "", "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4],"a":[1,2]})"),
      row(forward, "forward", "Forward dynamics: accelerations under joint forces",
          "q [v=0] tau [f_ext] [ground]", {{"a", "accelerations, nv numbers"}}, "", "",
          "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4],"tau":[5,1]})"),
      row(hybrid, "hybrid", "Hybrid dynamics: some joints move as prescribed, others under forces",
          "q v a tau prescribed [f_ext] [ground]",
          {{"a", "all accelerations"}, {"tau", "all joint forces"}}, "", mixed, "builtin:planar_2r",
          R"({"q":[0.1,0.2],"v":[0,0],"a":[1,null],"tau":[null,0],"prescribed":["joint_1"]})"),
  };
}

/// What all quantities with closed loops give beside their own.
std::vector<Key> with_loops(std::vector<Key> out, bool free) {
  out.insert(out.end(),
             {{"lambda", "{\"loop\": [one number per row]}, contacts by their frames"},
              {"loop_wrenches", "{\"loop\": [m, f]} on link_2, in its placement"},
              {"rank", "how many rows count"},
              {"rank_margin", "their smallest pivot of the largest: small near a singularity"},
              {"redundancy_defect", "the largest pivot of the others: large where loops are open"},
              {"residual", "what is left of A a + Adot v = 0"}});
  if (free) out.push_back({"free_dimension", "of the motor forces that only strain the loops"});
  return out;
}

std::vector<Quantity> assembly_rows() {
  using namespace quantity;
  std::vector<Quantity> rows = {
      row(assemble, "assemble", "A configuration near q that closes loops", "[q] [kept]",
          {{"q", "coordinates"},
           {"converged", "whether the loops are closed"},
           {"residual", "the largest of what is open, m and sines of angles"},
           {"iterations", "steps taken"},
           {"worst_loop", "the loop with the largest residual"}},
          "", "Without q from where the robot's file says that they are closed.",
          "builtin:five_bar",
          R"({"q":[2,-1,1,1],"kept":["left_proximal_joint","right_proximal_joint"]})"),
      row(assemblies, "assemblies", "All configurations that close the loops",
          "q [kept] [position] [loop]",
          {{"solutions", "lists of coordinates, the nearest to q first"},
           {"complete", "whether there are no others"},
           {"discriminant",
            "of the bars that meet, negative where they do not; null unless complete"}},
          "",
          "kept joints stay where they are in q, the motors unless given. In closed form for four- "
          "and five-bars, slider-cranks and other loops of parallel hinges with two free joints; "
          "else what Newton's method finds from many starts, which may not be all. With position "
          "those configurations of a five-bar in which its arms meet there.",
          "builtin:five_bar", R"({"q":[2,0,1,0]})"),
      row(constrained_jacobian, "constrained-jacobian",
          "Jacobian of a frame with the loops closed: its twist per driven coordinate",
          "q [driven]",
          {{"frame", "its name"},
           {"jacobian", "6 rows, a column for each driven coordinate, angular part first"},
           {"singular",
            "smallest singular values: of the rows of the loops, of the passive columns, of the "
            "frame's twist, of its velocity"},
           {"mobility", "motions that go on"},
           {"instantaneous", "velocities that suit the loops here: more at a change point"}},
          "--frame [--kind]", "", "builtin:five_bar --frame left_distal",
          R"({"q":[2.21429743558818,-1.2870022175865685,0.927295218001612,1.2870022175865685]})"),
      row(constrained_ik, "constrained-ik", "Inverse kinematics with the loops closed",
          "[frame] [position] [quaternion] [q]",
          {{"q", "coordinates"},
           {"converged", "whether the pose was reached"},
           {"residual", "norm of the errors that are left, rad and m"},
           {"iterations", "steps taken"},
           {"end", "converged, or what stopped it: open_loops, limits, out_of_reach, iterations"}},
          "[--frame]",
          "As ik. Without q from where the robot's file says that its loops are closed.",
          "builtin:stewart --frame platform", R"({"position":[0.02,0.01,0.5]})")};
  for (Quantity& one : rows) one.closes_loops = true;
  return rows;
}

std::vector<Quantity> constrained_rows() {
  using namespace quantity;
  std::vector<Quantity> rows = {
      row(constrained_forward, "constrained-forward", "Forward dynamics with the loops closed",
          "q [v=0] tau [f_ext] [contacts]", with_loops({{"a", "accelerations, nv numbers"}}, false),
          "", "q and v must suit the loops; jounce info MODEL lists them.", "builtin:five_bar",
          R"({"q":[2.21429743558818,-1.2870022175865685,0.927295218001612,1.2870022175865685],)"
          R"("v":[0,0,0,0],"tau":[0.3,0,-0.2,0]})"),
      row(constrained_inverse, "constrained-inverse",
          "Inverse dynamics with the loops closed: forces of the motors",
          "q [v=0] [a=0] [tau] [f_ext] [contacts]",
          with_loops({{"tau", "what the motors must give; of other joints as it came in"}}, true),
          "[--optimum]",
          "a must suit the loops. tau has the forces of joints without motors, where they are not "
          "zero. Where motors are too few, constrained-hybrid gives the forces of those that are.",
          "builtin:five_bar",
          R"({"q":[2.21429743558818,-1.2870022175865685,0.927295218001612,1.2870022175865685],)"
          R"("v":[0,0,0,0],"a":[0,0,0,0]})"),
      row(constrained_hybrid, "constrained-hybrid", "Hybrid dynamics with the loops closed",
          "q v a tau prescribed [f_ext] [contacts]",
          with_loops({{"a", "all accelerations"}, {"tau", "all joint forces"}}, true),
          "[--optimum]", mixed, "builtin:five_bar",
          R"({"q":[2.21429743558818,-1.2870022175865685,0.927295218001612,1.2870022175865685],)"
          R"("v":[0,0,0,0],"a":[1,null,null,null],"tau":[null,0,0,0],)"
          R"("prescribed":["left_proximal_joint"]})")};
  for (Quantity& one : rows) one.closes_loops = true;
  return rows;
}

std::vector<Quantity> matrix_rows() {
  using namespace quantity;
  return {
      row(mass, "mass", "Mass matrix M(q)", "q", {{"matrix", "nv rows of nv numbers"}}, "", "",
          "builtin:planar_2r", R"({"q":[0.1,0.2]})"),
      row(mass_inverse, "mass-inverse", "Inverse of the mass matrix", "q",
          {{"matrix", "nv rows of nv numbers"}}, "", "", "builtin:planar_2r", R"({"q":[0.1,0.2]})"),
      row(coriolis, "coriolis", "Coriolis matrix C(q, v): the bias is C v + g", "q [v=0]",
          {{"matrix", "C, nv rows"}, {"mass_rate", "dM/dt, nv rows"}}, "[--factorization]", "",
          "builtin:planar_2r --factorization lie", R"({"q":[0.1,0.2],"v":[0.3,-0.4]})"),
      row(gravity, "gravity", "Forces that hold the robot up", "q [v=0]", {{"tau", "nv numbers"}},
          "", "v is checked and has no influence: the input of bias serves as well.",
          "builtin:planar_2r", R"({"q":[0.1,0.2]})"),
      row(bias, "bias", "Bias forces C v + g", "q [v=0] [ground]", {{"tau", "nv numbers"}}, "", "",
          "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4]})"),
      row(energy, "energy", "Kinetic and potential energy", "q [v=0] [ground]",
          {{"kinetic", "J"}, {"potential", "J, of gravity"}}, "", "", "builtin:planar_2r",
          R"({"q":[0.1,0.2],"v":[0.3,-0.4]})"),
      row(momentum, "momentum", "Momentum of the whole robot", "q [v=0] [ground]",
          {{"momentum", "about the centre of mass, angular part first, in world axes"},
           {"momentum_origin", "about the world's origin"},
           {"com", "centre of mass, [x, y, z]"}},
          "", "", "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4]})"),
      row(regressor, "regressor", "Regressor Y: joint forces are Y times the inertia parameters",
          "q [v=0] [a=0]",
          {{"matrix", "nv rows, ten columns per link: m, m c (3), Ixx, Ixy, Iyy, Ixz, Iyz, Izz"},
           {"bodies", "the links, in the order of the columns"}},
          "", "", "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4],"a":[1,2]})")};
}

std::vector<Quantity> derivative_rows() {
  using namespace quantity;
  return {row(inverse_derivatives, "inverse-derivatives", "First derivatives of inverse dynamics",
              "q [v=0] [a=0] [f_ext] [ground]",
              {{"dtau_dq", "nv rows"}, {"dtau_dv", "nv rows"}, {"dtau_da", "nv rows"}}, "", tangent,
              "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4],"a":[1,2]})"),
          row(forward_derivatives, "forward-derivatives", "First derivatives of forward dynamics",
              "q [v=0] tau [f_ext] [ground]",
              {{"da_dq", "nv rows"}, {"da_dv", "nv rows"}, {"da_dtau", "nv rows"}}, "", tangent,
              "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4],"tau":[5,1]})"),
          row(hybrid_derivatives, "hybrid-derivatives", "First derivatives of hybrid dynamics",
              "q v a tau prescribed [f_ext] [ground]",
              {{"prescribed", "prescribed coordinates, by number"},
               {"free", "the others"},
               {"da_dq", "rows: free coordinates"},
               {"da_dv", "rows: free coordinates"},
               {"da_da", "rows: free, columns: prescribed coordinates"},
               {"da_dtau", "rows: free, columns: free coordinates"},
               {"dtau_dq", "rows: prescribed coordinates"},
               {"dtau_dv", "rows: prescribed coordinates"},
               {"dtau_da", "rows: prescribed, columns: prescribed coordinates"},
               {"dtau_dtau", "rows: prescribed, columns: free coordinates"}},
              "", mixed, "builtin:planar_2r",
              R"({"q":[0.1,0.2],"v":[0,0],"a":[1,null],"tau":[null,0],"prescribed":["joint_1"]})"),
          row(inverse_second_derivatives, "inverse-second-derivatives",
              "Second derivatives of inverse dynamics", "q [v=0] [a=0] [f_ext]",
              {{"d2tau_dqdq", "[i][k][l]: of tau[i], by q k, then by q l"},
               {"d2tau_dqdv", "by q and v"},
               {"d2tau_dvdv", "by v and v"},
               {"d2tau_dadq", "by a and q"}},
              "", tangent, "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4],"a":[1,2]})"),
          row(forward_second_derivatives, "forward-second-derivatives",
              "Second derivatives of forward dynamics", "q [v=0] tau [f_ext]",
              {{"d2a_dqdq", "[i][k][l]: of a[i], by q k, then by q l"},
               {"d2a_dqdv", "by q and v"},
               {"d2a_dvdv", "by v and v"},
               {"d2a_dtaudq", "by tau and q"}},
              "", tangent, "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4],"tau":[5,1]})")};
}

std::vector<Quantity> sensitivity_rows() {
  using namespace quantity;
  return {row(
      sensitivity, "sensitivity", "Derivatives by parameters of the robot: masses, placements, ...",
      "q [v] [a] [tau] [prescribed] [f_ext] [ground] parameters",
      {{"dmass_dp", "[p][i][j]: of the mass matrix by parameter p"},
       {"denergy_dp", "with v: rows kinetic and potential, a column for each parameter", false},
       {"dtau_dp", "with a: nv rows, of inverse dynamics; with prescribed: their forces", false},
       {"da_dp", "with tau: nv rows, of forward dynamics; with prescribed: of the others", false}},
      "",
      "With prescribed, a and tau as of hybrid; rows of what is given are zero. Inertia has the "
      "components m, m c (3), Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the link's origin; placement and "
      "wrench have six, angular part or moment first; axis and gravity three; what belongs to "
      "coordinates of a joint as many as these.",
      "builtin:planar_2r",
      R"({"q":[0.1,0.2],"v":[0.3,-0.4],"a":[1,2],"parameters":["inertia:link_2:0","gravity:1"]})")};
}

std::vector<Quantity> motion_rows() {
  using namespace quantity;
  return {
      row(linearise, "linearise", "Linear model about a state: xdot = A x + B u",
          "q [v=0] tau [f_ext] [ground]", {{"A", "2 nv rows of 2 nv"}, {"B", "2 nv rows of nv"}},
          "", "x = (difference(q0, q), v - v0), u = tau - tau0.", "builtin:planar_2r",
          R"({"q":[0.1,0.2],"v":[0.3,-0.4],"tau":[5,1]})"),
      row(trajectory, "trajectory", "Smoothest motion through points: with its forces",
          "points times at [minimise] [f_ext]",
          {{"motion", "[{t, q, v, a, jerk, tau}], one for each time of \"at\""}}, "",
          "At rest at both ends. Refused where a position, velocity or force leaves the limits.",
          "builtin:planar_2r",
          R"({"points":[[0,0],[0.2,0.1],[0.1,0.3]],"times":[0,4,9],"at":[2,4.5]})"),
      row(global_matrices, "global-matrices",
          "Equations of motion as matrices: those of Park and Ploen", "q [v=0]",
          {{"Gamma", "6 n rows for n bodies, Park (48)"},
           {"G", "(1 - Gamma)^-1"},
           {"S", "6 n rows of nv"},
           {"J", "inertias"},
           {"Gdot", "Ploen (27)"},
           {"M", "S^T G^T J G S"},
           {"Mdot", "Ploen (28)"},
           {"C_plain", "Ploen (25)"},
           {"C_ploen", "Ploen (37)"},
           {"phi", "gravity, Ploen (26)"}},
          "", "", "builtin:planar_2r", R"({"q":[0.1,0.2],"v":[0.3,-0.4]})")};
}

std::vector<Quantity> geometry_rows() {
  using namespace quantity;
  return {row(christoffel, "christoffel", "Christoffel symbols of the mass matrix", "q",
              {{"gamma", "[i][j][k], first kind: direction, field, lowered index"}}, "",
              "C(q, v)[k][j] is the sum of gamma[i][j][k] v[i].", "builtin:planar_2r",
              R"({"q":[0.1,0.2]})"),
          row(curvature, "curvature", "Curvature of the mass matrix, a metric", "q",
              {{"riemann", "[i][j][k][l], all indices lowered"},
               {"ricci", "nv rows"},
               {"scalar", "scalar curvature"}},
              "", "A unit sphere has riemann[0][1][0][1] = sin^2.", "builtin:planar_2r",
              R"({"q":[0.1,0.2]})")};
}

std::vector<Quantity> series_rows() {
  using namespace quantity;
  return {
      row(higher_inverse, "higher-inverse", "Joint forces and their time derivatives",
          "q motion [order] [f_ext] [tau_ext]",
          {{"order", "highest derivative of tau"},
           {"taus", "[[tau], [tau'], ...], order + 1 lists"}},
          "[--frames]", orders, "builtin:planar_2r",
          R"({"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,2],[-1,0.5]],"order":1})"),
      row(higher_forward, "higher-forward", "Accelerations and their time derivatives",
          "q v taus [order] [f_ext] [tau_ext]",
          {{"order", "highest derivative of tau"},
           {"motion", "[[v], [a], [jerk], ...], order + 2 lists"}},
          "[--frames]", orders, "builtin:planar_2r",
          R"({"q":[0.1,0.2],"v":[0.3,-0.4],"taus":[[5,1],[0,0]]})"),
      row(higher_hybrid, "higher-hybrid", "Time derivatives of hybrid dynamics",
          "q motion taus prescribed [order] [f_ext] [tau_ext]",
          {{"order", "highest derivative of tau"},
           {"motion", "[[v], [a], [jerk], ...], order + 2 lists"},
           {"taus", "[[tau], [tau'], ...], order + 1 lists"}},
          "[--frames]",
          "motion and taus at full length, null where they are unknown; v is always known. f_ext "
          "may have a list of such six numbers per link, one for each derivative.",
          "builtin:planar_2r",
          R"({"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,null],[-1,null]],)"
          R"("taus":[[null,1],[null,0]],"prescribed":["joint_1"]})"),
      row(higher_wrenches, "higher-wrenches", "What joints transmit, and its derivatives",
          "q motion [order] [f_ext] [tau_ext]",
          {{"order", "highest derivative"},
           {"wrenches", "{\"joint\": [[m, f], [m', f'], ...]} on its child, order + 1 lists each"},
           {"ground", "what the ground exerts on the robot, in the ground frame"}},
          "[--kind]",
          "In the child link's frame (body), in ground axes at its origin (hybrid) or in the "
          "ground "
          "frame (space).",
          "builtin:planar_2r --kind space",
          R"({"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,2],[-1,0.5]]})")};
}

std::string list_of(bool (*has)(const Quantity&, const std::string&), const std::string& name) {
  std::string list;
  for (const Quantity& quantity : quantities())
    if (has(quantity, name)) list += (list.empty() ? "" : ", ") + quantity.name;
  return list;
}

bool has_name(const std::vector<Key>& keys, const std::string& name) {
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = [] {
    std::vector<Quantity> rows;
    for (const auto& part :
         {kinematic_rows(), dynamic_rows(), constrained_rows(), assembly_rows(), matrix_rows(),
          derivative_rows(), sensitivity_rows(), motion_rows(), geometry_rows(), series_rows()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

const Quantity& find_quantity(const std::string& name) {
  std::vector<std::string> names;
  std::string known;
  for (const Quantity& quantity : quantities()) {
    if (name == quantity.name) return quantity;
    names.push_back(quantity.name);
    known += (known.empty() ? "" : ", ") + quantity.name;
  }
  throw InputError("there is no quantity " + io::in_quotes(name) + io::nearest_name(name, names) +
                   "; there are " + known);
}

std::string quantities_with_option(const std::string& option) {
  return list_of([](const Quantity& x, const std::string& o) { return has_name(x.options, o); },
                 option);
}
std::string quantities_with_key(const std::string& key) {
  return list_of([](const Quantity& x, const std::string& k) { return has_name(x.in, k); }, key);
}

void check_keys(const Quantity& quantity, JsonObject& state) {
  std::vector<std::string> known = names_of(quantity.in);
  known.push_back("t");  // of any state: it comes back
  state.allow_only(known, quantity.name, [](const std::string& key) {
    const std::string readers = quantities_with_key(key);
    const auto others = std::count(readers.begin(), readers.end(), ',');
    if (others > 5) return std::string("; other quantities read it");
    if (!readers.empty()) return "; it is a key of " + readers;
    for (const char* option : {"gravity", "base", "passive", "mimic", "kind", "factorization"})
      if (key == option) return "; --" + key + " is an option";
    return std::string();
  });
  for (const Key& key : quantity.in)
    if (key.needed) state.need(key.name);
}

}  // namespace jounce::app
