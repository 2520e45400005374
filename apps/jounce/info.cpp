// SPDX-License-Identifier: BSD-3-Clause
// jounce info: what a robot is.
#include <CLI/CLI.hpp>

#include "apps/jounce/commands.hpp"
#include "apps/jounce/model_options.hpp"
#include "report/file.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

struct InfoOptions {
  ModelOptions model;
  bool json = false;
};

const JointDescription& described(const Robot& robot, const JointInfo& joint) {
  return robot.description().joints[static_cast<size_t>(joint.description)];
}

Json to_json(const ModelOptions& options, const ModelAndReport& loaded) {
  const Robot& robot = loaded.robot;
  const Vec3<double> g = robot.gravity();
  Json out{{"model", options.model},     {"name", robot.name()}, {"nq", robot.nq()},
           {"nv", robot.nv()},           {"mass", robot.mass()}, {"gravity", {g.x, g.y, g.z}},
           {"joints", joint_list(robot)}};
  out["kinds"] = Json::object();
  out["mimic"] = Json::object();
  for (const JointInfo& joint : robot.joints()) {
    out["kinds"][joint.name] = name(joint.kind);
    if (joint.mimic) out["mimic"][joint.name] = described(robot, joint).mimic->leader;
  }
  out["links"] = Json::array();
  for (const LinkDescription& link : robot.description().links)
    out["links"].push_back({{"name", link.name}, {"mass", link.mass}});
  out["frames"] = Json::array();
  for (const FrameDescription& frame : robot.description().frames)
    out["frames"].push_back({{"name", frame.name}, {"link", frame.link}});
  out["loops"] = Json::array();
  for (const LoopDescription& loop : robot.loops())
    out["loops"].push_back({{"name", loop.name},
                            {"kind", name(loop.kind)},
                            {"link_1", loop.link_1},
                            {"link_2", loop.link_2}});
  out["ignored"] = Json::array();
  for (const Ignored& skipped : loaded.ignored)
    out["ignored"].push_back(
        {{"line", skipped.line}, {"column", skipped.column}, {"what", skipped.what}});
  return out;
}

std::string range(int first, int count) {
  return count == 1 ? std::to_string(first)
                    : std::to_string(first) + ".." + std::to_string(first + count - 1);
}

report::Table joint_table(const Robot& robot) {
  report::Table table{"", {"joint", "kind", "q", "v", "parent", "child", "limits"}, {}};
  for (const JointInfo& joint : robot.joints()) {
    const JointDescription& from = described(robot, joint);
    const auto& [lower, upper] = std::pair(from.properties.lower, from.properties.upper);
    const std::string limits =
        lower.size() == 1 && upper.size() == 1
            ? report::significant(lower[0], 4) + " .. " + report::significant(upper[0], 4)
            : "";
    table.rows.push_back({joint.name, name(joint.kind), range(joint.q, joint.nq),
                          range(joint.v, joint.nv), from.parent.empty() ? "world" : from.parent,
                          from.child, joint.mimic ? "mimics " + from.mimic->leader : limits});
  }
  return table;
}

report::Table loop_table(const Robot& robot) {
  report::Table table{"", {"loop", "kind", "link 1", "link 2"}, {}};
  for (const LoopDescription& loop : robot.loops())
    table.rows.push_back({loop.name, name(loop.kind), loop.link_1, loop.link_2});
  return table;
}

report::Page to_page(const ModelOptions& options, const ModelAndReport& loaded) {
  const Robot& robot = loaded.robot;
  report::Table links{"", {"link", "mass / kg"}, {}};
  for (const LinkDescription& link : robot.description().links)
    links.rows.push_back({link.name, report::significant(link.mass, 6)});
  report::Page page{options.model,
                    "Robot \"" + robot.name() + "\": " + std::to_string(robot.nv()) +
                        " degrees of freedom, " + std::to_string(robot.nq()) +
                        " coordinates, moving mass " + report::significant(robot.mass(), 6) +
                        " kg.",
                    {{"Joints", "", {joint_table(robot)}}, {"Links", "", {links}}}};
  if (!robot.loops().empty())
    page.chapters.push_back(
        {"Loops",
         "",
         {report::Paragraph{"Left open: coordinates, kinematics and dynamics are those of the tree "
                            "without them."},
          loop_table(robot)}});
  if (loaded.ignored.empty()) return page;
  report::Table ignored{"", {"line", "column", "ignored"}, {}};
  for (const Ignored& skipped : loaded.ignored)
    ignored.rows.push_back(
        {std::to_string(skipped.line), std::to_string(skipped.column), skipped.what});
  page.chapters.push_back({"Ignored", "", {ignored}});
  return page;
}

}  // namespace

void add_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Show what a robot is");
  add_model_options(*command, options->model);
  command->add_flag("--json", options->json, "As JSON");
  command->footer("Example: jounce info builtin:arm7");
  command->callback([options] {
    const ModelAndReport loaded = load_model(options->model);
    if (options->json) write_json("-", to_json(options->model, loaded), "info");
    else report::write_standard_output(to_page(options->model, loaded).to_text(colours_wanted()));
  });
}

}  // namespace jounce::app
