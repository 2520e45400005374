// SPDX-License-Identifier: BSD-3-Clause
// jounce info: what a robot is.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <jounce/constrained_dynamics.hpp>
#include <limits>
#include <unordered_map>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/model_options.hpp"
#include "report/file.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

struct InfoOptions {
  ModelOptions model;
  bool json = false, verbose = false;
};

/// Joints of the description, fixed ones among them, each behind the joint it hangs on.
struct TreeRow {
  const JointDescription* joint;
  int depth;
  const JointInfo* info;  ///< null of fixed joints
};

std::vector<TreeRow> tree_rows(const Robot& robot) {
  const std::vector<JointDescription>& joints = robot.description().joints;
  std::vector<const JointInfo*> info(joints.size(), nullptr);
  for (const JointInfo& joint : robot.joints())
    info[static_cast<size_t>(joint.description)] = &joint;
  std::unordered_map<std::string_view, std::vector<size_t>> below;
  std::unordered_map<std::string_view, bool> is_child;
  for (size_t k = joints.size(); k-- > 0;) below[joints[k].parent].push_back(k);
  for (const JointDescription& joint : joints) is_child[joint.child] = true;
  std::vector<std::pair<size_t, int>> open;  // what comes next is at the end
  const auto add = [&](std::string_view link, int depth) {
    if (const auto found = below.find(link); found != below.end())
      for (const size_t k : found->second) open.emplace_back(k, depth);
  };
  add("", 0);
  for (const LinkDescription& link : robot.description().links)
    if (!is_child.contains(link.name)) add(link.name, 0);
  std::vector<TreeRow> rows;
  while (!open.empty()) {
    const auto [k, depth] = open.back();
    open.pop_back();
    rows.push_back({&joints[k], depth, info[k]});
    add(joints[k].child, depth + 1);
  }
  return rows;
}

/// Numbers of a joint, null where one is infinite.
Json numbers_json(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double x : numbers) list.push_back(std::isfinite(x) ? Json(x) : Json(nullptr));
  return list;
}

/// Everything that the description says of a joint; lists are left out where it says nothing.
Json joint_json(const JointDescription& joint) {
  Json out{{"name", joint.name},
           {"kind", name(joint.geometry.kind)},
           {"parent", joint.parent.empty() ? Json(nullptr) : Json(joint.parent)},
           {"child", joint.child}};
  const JointProperties& p = joint.properties;
  const auto add = [&](const char* key, const std::vector<double>& numbers) {
    if (!numbers.empty()) out[key] = numbers_json(numbers);
  };
  add("lower", p.lower);
  add("upper", p.upper);
  add("velocity", p.velocity_limit);
  add("effort", p.effort_limit);
  add("armature", p.armature);
  for (const ResistanceInfo& one : resistances) add(one.name, p.*one.of_joint);
  add("stiffness", p.stiffness);
  add("rest", p.rest);
  if (joint.mimic)
    out["mimic"] = {{"leader", joint.mimic->leader},
                    {"multiplier", joint.mimic->multiplier},
                    {"offset", joint.mimic->offset}};
  return out;
}

/// What was skipped, entry by entry: the first ones of each kind.
Json ignored_json(const std::vector<Finding>& findings) {
  std::vector<Remark> skipped;
  for (const Finding& finding : findings)
    if (finding.kind == FindingKind::unknown || finding.kind == FindingKind::unused ||
        finding.kind == FindingKind::not_applied)
      skipped.insert(skipped.end(), finding.places.begin(), finding.places.end());
  std::stable_sort(skipped.begin(), skipped.end(), [](const Remark& a, const Remark& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  Json list = Json::array();
  for (const Remark& remark : skipped)
    list.push_back({{"line", remark.line}, {"column", remark.column}, {"what", remark.what}});
  return list;
}

/// Rank and mobility of the loops; null where they cannot be closed.
void add_mobility(const Robot& robot, Json& out) {
  const ConstrainedDynamics closed(robot);
  const bool known = closed.rank() >= 0;
  out["rows"] = closed.rows();
  out["rank"] = known ? Json(closed.rank()) : Json(nullptr);
  out["mobility"] = known ? Json(closed.mobility()) : Json(nullptr);
  Json motors = Json::array();
  for (const JointInfo& joint : robot.joints())
    if (!joint.mimic && robot.actuated()[static_cast<size_t>(joint.v)])
      motors.push_back(joint.name);
  out["actuated"] = std::move(motors);
}

std::string mobility_text(const Robot& robot) {
  const ConstrainedDynamics closed(robot);
  const std::string rows = std::to_string(closed.rows()) + " rows, ";
  if (closed.rank() < 0)
    return rows + "and a configuration that closes them was not found from the file's own.";
  return rows + std::to_string(closed.rank()) +
         " of them independent: " + std::to_string(closed.mobility()) +
         " degrees of freedom are left where the loops are closed. constrained-forward, -inverse "
         "and -hybrid close them; all else is of the tree without them.";
}

Json to_json(const ModelOptions& options, const ModelAndReport& loaded) {
  const Robot& robot = loaded.robot;
  const RobotDescription& description = robot.description();
  const Vec3<double> g = robot.gravity();
  Json kinds = Json::object(), mimic = Json::object(), tree = Json::array();
  for (const JointInfo& joint : robot.joints()) {
    append(kinds, joint.name, name(joint.kind));
    if (joint.mimic)
      append(mimic, joint.name,
             description.joints[static_cast<size_t>(joint.description)].mimic->leader);
  }
  for (const JointDescription& joint : description.joints) tree.push_back(joint_json(joint));
  Json out{{"model", options.model},
           {"name", robot.name()},
           {"nq", robot.nq()},
           {"nv", robot.nv()},
           {"mass", robot.mass()},
           {"gravity", {g.x, g.y, g.z}},
           {"joints", joint_list(robot)},
           {"kinds", std::move(kinds)},
           {"mimic", std::move(mimic)},
           {"tree", std::move(tree)}};
  out["links"] = Json::array();
  for (const LinkDescription& link : description.links)
    out["links"].push_back({{"name", link.name}, {"mass", link.mass}});
  out["frames"] = Json::array();
  for (const FrameDescription& frame : description.frames)
    out["frames"].push_back({{"name", frame.name}, {"link", frame.link}});
  out["loops"] = Json::array();
  for (const LoopDescription& loop : robot.loops())
    out["loops"].push_back({{"name", loop.name},
                            {"kind", name(loop.kind)},
                            {"link_1", loop.link_1},
                            {"link_2", loop.link_2}});
  if (!robot.loops().empty()) add_mobility(robot, out);
  for (const BushingDescription& one : robot.bushings())
    out["bushings"].push_back({{"name", one.name},
                               {"link_1", one.link_1},
                               {"link_2", one.link_2},
                               {"stiffness", one.stiffness},
                               {"damping", one.damping}});
  out["ignored"] = ignored_json(loaded.findings);
  out["findings"] = findings_json(loaded.findings);
  return out;
}

std::string range(int first, int count) {
  return count == 1 ? std::to_string(first)
                    : std::to_string(first) + ".." + std::to_string(first + count - 1);
}

/// "1.2", "1.2, 3.4" or nothing.
std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ", ") + report::significant(x, 4);
  return text;
}

std::string limits_text(const JointDescription& joint) {
  if (joint.mimic)
    return report::significant(joint.mimic->multiplier, 4) + " " + joint.mimic->leader +
           (joint.mimic->offset == 0 ? "" : " + " + report::significant(joint.mimic->offset, 4));
  const auto& [lower, upper] = std::pair(joint.properties.lower, joint.properties.upper);
  if (lower.size() != 1 || upper.size() != 1) return "";
  return report::significant(lower[0], 4) + " .. " + report::significant(upper[0], 4);
}

/// The resistances that some joint has.
std::vector<ResistanceInfo> resistances_of(const RobotDescription& robot) {
  std::vector<ResistanceInfo> found;
  for (const ResistanceInfo& one : resistances)
    if (std::any_of(robot.joints.begin(), robot.joints.end(), [&](const JointDescription& joint) {
          return !(joint.properties.*one.of_joint).empty();
        }))
      found.push_back(one);
  return found;
}

/// The tree, each joint below and to the right of the one it hangs on.
report::Table joint_table(const Robot& robot) {
  constexpr int deepest = 15;  // a chain of thousands stays readable
  report::Table table{"Angles in rad, lengths in m, efforts in N m or N",
                      {"joint", "kind", "q", "v", "parent", "child", "limits or mimic", "effort"},
                      {}};
  const std::vector<ResistanceInfo> resisting = resistances_of(robot.description());
  for (const ResistanceInfo& one : resisting) table.header.push_back(one.name);
  for (const auto& [joint, depth, info] : tree_rows(robot)) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{
        std::string(2 * static_cast<size_t>(std::min(depth, deepest)), ' ') + joint->name,
        name(joint->geometry.kind), info ? range(info->q, info->nq) : "",
        info ? range(info->v, info->nv) : "", joint->parent.empty() ? "world" : joint->parent,
        joint->child, limits_text(*joint), numbers_text(joint->properties.effort_limit)});
    for (const ResistanceInfo& one : resisting)
      row.push_back(numbers_text(joint->properties.*one.of_joint));
  }
  return table;
}

/// 2 shoulder - 1 elbow = 0.3.
std::string gear_text(const LoopDescription& loop) {
  std::string text;
  for (const TiedJoint& joint : loop.joints)
    text += (text.empty() ? "" : " + ") + report::significant(joint.ratio, 6) + " " + joint.name;
  return text + " = " + report::significant(loop.offset, 6);
}

report::Table loop_table(const Robot& robot) {
  report::Table table{"", {"loop", "kind", "link 1", "link 2"}, {}};
  for (const LoopDescription& loop : robot.loops())
    table.rows.push_back({loop.name, name(loop.kind), loop.link_1, loop.link_2});
  for (size_t k = 0; k < robot.loops().size(); ++k)
    if (const LoopDescription& loop = robot.loops()[k]; loop.kind == LoopKind::gear)
      table.rows[k][2] = gear_text(loop);
  return table;
}

report::Table bushing_table(const Robot& robot) {
  report::Table table{"", {"bushing", "link 1", "link 2", "stiffness", "damping"}, {}};
  for (const BushingDescription& one : robot.bushings())
    table.rows.push_back({one.name, one.link_1, one.link_2,
                          numbers_text({one.stiffness.begin(), one.stiffness.end()}),
                          numbers_text({one.damping.begin(), one.damping.end()})});
  return table;
}

report::Table finding_table(const std::vector<Finding>& findings, bool verbose) {
  report::Table table{"", {"line", "column", "level", "what"}, {}};
  for (const Finding& finding : findings) {
    const size_t shown = verbose ? finding.places.size() : 1;
    for (size_t k = 0; k < std::min(shown, finding.places.size()); ++k)
      table.rows.push_back({std::to_string(finding.places[k].line),
                            std::to_string(finding.places[k].column), name(finding.level),
                            verbose ? finding.places[k].what : text(finding)});
  }
  return table;
}

report::Page to_page(const InfoOptions& options, const ModelAndReport& loaded) {
  const Robot& robot = loaded.robot;
  report::Table links{"", {"link", "mass / kg"}, {}};
  for (const LinkDescription& link : robot.description().links)
    links.rows.push_back({link.name, report::significant(link.mass, 6)});
  report::Page page{
      options.model.model,
      "Robot \"" + robot.name() + "\": " + std::to_string(robot.nv()) + " degrees of freedom, " +
          std::to_string(robot.nq()) + " coordinates, moving mass " +
          report::significant(robot.mass(), 6) + " kg." +
          (robot.nv() > 0 && robot.mass() == 0 ? " No link has a mass: kinematics only." : ""),
      {{"Joints", "", {joint_table(robot)}}, {"Links", "", {links}}}};
  if (!robot.loops().empty())
    page.chapters.push_back(
        {"Loops", "", {report::Paragraph{mobility_text(robot)}, loop_table(robot)}});
  if (!robot.bushings().empty()) page.chapters.push_back({"Bushings", "", {bushing_table(robot)}});
  if (!loaded.findings.empty())
    page.chapters.push_back({"Findings", "", {finding_table(loaded.findings, options.verbose)}});
  return page;
}

}  // namespace

void add_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Show what a robot is");
  add_model_options(*command, options->model);
  command->add_flag("--json", options->json, "As JSON");
  command->add_flag("--verbose", options->verbose, "List every place of every finding");
  command->footer("Example: jounce info builtin:arm7");
  command->callback([options] {
    if (options->verbose) options->model.places = std::numeric_limits<size_t>::max();
    const ModelAndReport loaded = load_model(options->model);
    tell_findings(options->model, loaded, false);
    if (options->json) write_json("-", to_json(options->model, loaded), "info");
    else report::write_standard_output(to_page(*options, loaded).to_text(colours_wanted()));
  });
}

}  // namespace jounce::app
