// SPDX-License-Identifier: BSD-3-Clause
// Conversions between products of exponentials, robots and Denavit-Hartenberg tables.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/model/joint.hpp>
#include <jounce/model/product_of_exponentials.hpp>
#include <jounce/model/workspace.hpp>

#include "model/robot_data.hpp"
#include "numbers.hpp"

namespace jounce {

void detail::check_chain(const char* caller, std::size_t numbers, std::size_t joints) {
  if (numbers != joints)
    throw InputError(std::string(caller) + ": q has " + std::to_string(numbers) +
                     " elements, the chain has " + std::to_string(joints) + " joints");
}

void detail::check_chain(const char* caller, std::size_t numbers, std::size_t screws,
                         std::size_t poses) {
  if (screws != poses)
    throw InputError(std::string(caller) + ": P has " + std::to_string(screws) +
                     " elements, M has " + std::to_string(poses));
  check_chain(caller, numbers, screws);
}

namespace {

void check_local(const char* caller, const PoeLocal& local) {
  detail::check_chain(caller, local.P.size(), local.P.size(), local.M.size());
}

}  // namespace

std::vector<SE3<double>> home_poses(const PoeLocal& local) {
  check_local("home_poses", local);
  std::vector<SE3<double>> home;
  SE3<double> H;
  for (const SE3<double>& M : local.M) home.push_back(H = H * M);
  return home;
}

PoeSpace to_space(const PoeLocal& local) {
  check_local("to_space", local);
  PoeSpace space;
  for (std::size_t i = 0; i < local.P.size(); ++i) {
    space.A.push_back(Ad(space.M, local.P[i]));
    space.M = space.M * local.M[i];
  }
  return space;
}
PoeSpace to_space(const PoeBody& body) {
  PoeSpace space{{}, body.M};
  for (const Twist<double>& B : body.B) space.A.push_back(Ad(body.M, B));
  return space;
}
PoeBody to_body(const PoeSpace& space) {
  PoeBody body{{}, space.M};
  for (const Twist<double>& A : space.A) body.B.push_back(Ad_inv(space.M, A));
  return body;
}
PoeBody to_body(const PoeLocal& local) {
  check_local("to_body", local);
  return to_body(to_space(local));
}

PoeLocal to_local(const PoeSpace& space, std::span<const SE3<double>> home) {
  if (space.A.empty()) throw InputError("to_local: form (12) needs at least one joint");
  if (home.size() + 1 != space.A.size())
    throw InputError("to_local: home has " + std::to_string(home.size()) + " elements, needs " +
                     std::to_string(space.A.size() - 1));
  PoeLocal local;
  SE3<double> before;
  for (std::size_t i = 0; i < space.A.size(); ++i) {
    const SE3<double>& H = i < home.size() ? home[i] : space.M;
    local.P.push_back(Ad_inv(before, space.A[i]));
    local.M.push_back(inverse_times(before, H));
    before = H;
  }
  return local;
}
PoeLocal to_local(const PoeSpace& space) {
  return to_local(space, std::vector<SE3<double>>(std::max<std::size_t>(space.A.size(), 1) - 1));
}
PoeLocal to_local(const PoeBody& body, std::span<const SE3<double>> home) {
  return to_local(to_space(body), home);
}
PoeLocal to_local(const PoeBody& body) { return to_local(to_space(body)); }

namespace {

/// The joints from the ground to a body.
std::vector<const JointInfo*> joints_to(const Robot& robot, int body) {
  std::vector<const JointInfo*> above(static_cast<std::size_t>(robot.bodies()), nullptr), path;
  for (const JointInfo& joint : robot.joints())
    above[static_cast<std::size_t>(joint.body)] = &joint;
  for (int i = body; i > 0; i = robot.model().parent[i])
    path.push_back(above[static_cast<std::size_t>(i)]);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

RobotChain chain_to(const Robot& robot, FrameId frame) {
  const FrameInfo& tip = robot.frame_info(frame);
  const Model<double>& m = robot.model();
  RobotChain chain;
  SE3<double> home;
  for (const JointInfo* joint : joints_to(robot, tip.body)) {
    const std::string where = "chain_to: joint \"" + joint->name + "\" ";
    if (joint->mimic) throw InputError(where + "is a mimic, needs its own coordinate");
    if (joint->nv != 1 || !m.constant_screws(joint->body))
      throw InputError(where + "is " + name(joint->kind) +
                       ", needs revolute, prismatic or helical");
    const Part<double>& part = m.part[m.part_at[joint->body]];
    home = home * part.placement;
    chain.poe.A.push_back(Ad(home, part_screw<double>(part, 0)));
    chain.q.push_back(joint->q);
  }
  chain.poe.M = home * tip.offset;
  return chain;
}

HomeScrews home_screws(const Robot& robot) {
  const Model<double>& m = robot.model();
  const std::vector<double> zero = robot.neutral(), still(static_cast<size_t>(m.nv));
  std::vector<double> q(static_cast<size_t>(m.nq));
  expand_positions(robot.system().coupling, zero.data(), q.data());
  WorkspaceStorage<double> storage(m);
  Workspace<double>& w = storage.view();
  forward_poses(m, State<double>{q.data(), still.data()}, w);
  HomeScrews home;
  home.A.assign(w.pose, w.pose + m.bodies);
  home.A[0] = {};
  for (int i = 1; i < m.bodies; ++i)
    for (int j = m.v_at[i]; j < m.v_at[i + 1]; ++j) home.Y.push_back(Ad(w.pose[i], w.S[j]));
  return home;
}

namespace {

/// The joint of a screw (w, v): axis w through w x v, pitch w.v; or, for w = 0, axis v.
JointGeometry joint_of(const Twist<double>& P, const std::string& where) {
  const double angular = norm(P.w), linear = norm(P.v);
  if (std::abs(angular - 1) <= 1e-9) {
    const double pitch = dot(P.w, P.v);
    const bool advances = std::abs(pitch) > 1e-12 * std::max(1.0, linear);
    JointGeometry joint = advances ? helical_joint(P.w, pitch) : revolute_joint(P.w);
    joint.placement.p = cross(P.w, P.v);
    return joint;
  }
  if (!(angular <= 1e-12))
    throw InputError(where + ": angular part has length " + short_text(angular) + ", needs 1 or 0");
  if (!(std::abs(linear - 1) <= 1e-9))
    throw InputError(where + ": linear part has length " + short_text(linear) + ", needs 1");
  return prismatic_joint(P.v);
}

RobotDescription describe(const PoeLocal& local, const SE3<double>& tool, const std::string& name,
                          std::span<const LinkDescription> links) {
  if (!links.empty() && links.size() != local.P.size())
    throw InputError("to_description: links has " + std::to_string(links.size()) +
                     " elements, the chain has " + std::to_string(local.P.size()) + " joints");
  RobotDescription robot;
  robot.name = name;
  robot.links.emplace_back().name = "base";
  for (std::size_t i = 0; i < local.P.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    LinkDescription link = links.empty() ? LinkDescription{} : links[i];
    if (link.name.empty()) link.name = "link_" + number;
    JointDescription joint;
    joint.name = "joint_" + number;
    joint.parent = robot.links.back().name;
    joint.child = link.name;
    joint.geometry = joint_of(local.P[i], "to_description: screw " + number);
    joint.child_placement = inverse(joint.geometry.placement) * local.M[i];
    robot.joints.push_back(std::move(joint));
    robot.links.push_back(std::move(link));
  }
  robot.frames.push_back({"tool", robot.links.back().name, tool});
  return robot;
}

SE3<double> along_and_about_z(double d, double theta) {
  return {exp(Vec3<double>{0, 0, theta}), {0, 0, d}};
}
SE3<double> along_and_about_x(double a, double alpha) {
  return {exp(Vec3<double>{alpha, 0, 0}), {a, 0, 0}};
}

void check_row(const DhRow& row, std::size_t number) {
  const std::string where = "Denavit-Hartenberg row " + std::to_string(number);
  if (!is_revolute(row) && !is_prismatic(row))
    throw InputError(where + " is " + name(row.kind) + ", needs revolute or prismatic");
  const auto check = [&](const char* what, double x) {
    if (!std::isfinite(x)) throw InputError(where + ": " + what + " is not finite");
  };
  check("a", row.a);
  check("alpha", row.alpha);
  check("d", row.d);
  check("theta", row.theta);
}

/// Form (12) of a table without its tool.
PoeLocal link_frames(const DhTable& table) {
  if (table.rows.empty()) throw InputError("Denavit-Hartenberg table has no rows");
  PoeLocal local;
  for (const DhRow& row : table.rows) {
    check_row(row, local.P.size() + 1);
    const bool turns = is_revolute(row);
    const Twist<double> Z{{0, 0, turns ? 1.0 : 0.0}, {0, 0, turns ? 0.0 : 1.0}};
    const SE3<double> z = along_and_about_z(row.d, row.theta);
    const SE3<double> x = along_and_about_x(row.a, row.alpha);
    const bool standard = table.convention == DhConvention::standard;
    const SE3<double> first = local.P.empty() ? table.base : SE3<double>{};
    const SE3<double> before = standard ? first : first * x;  // what stands before e^{Z q}
    local.P.push_back(Ad(before, Z));
    local.M.push_back(standard ? before * z * x : before * z);
  }
  return local;
}

}  // namespace

RobotDescription to_description(const PoeLocal& local, const std::string& name,
                                std::span<const LinkDescription> links) {
  check_local("to_description", local);
  return describe(local, {}, name, links);
}

PoeLocal to_local(const DhTable& table) {
  PoeLocal local = link_frames(table);
  local.M.back() = local.M.back() * table.tool;
  return local;
}
RobotDescription to_description(const DhTable& table, const std::string& name,
                                std::span<const LinkDescription> links) {
  return describe(link_frames(table), table.tool, name, links);
}

}  // namespace jounce
