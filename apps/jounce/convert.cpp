// SPDX-License-Identifier: BSD-3-Clause
// jounce convert: a robot as JSON, URDF or a product of exponentials; from a robot's file, from a
// Denavit-Hartenberg table (CSV) or from a product of exponentials (JSON).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <jounce/model/product_of_exponentials.hpp>

#include "apps/jounce/command_line.hpp"
#include "apps/jounce/commands.hpp"
#include "apps/jounce/json_input.hpp"
#include "apps/jounce/model_options.hpp"
#include "io/csv_text.hpp"
#include "io/input_text.hpp"
#include "io/names.hpp"

namespace jounce::app {
namespace {

struct ConvertOptions {
  ModelOptions model;
  std::string from = "robot", to = "json", convention = "standard", frame, out = "-";
  bool lossy = false;
};

std::string robot_name(const std::string& path) {
  const size_t slash = path.rfind('/'), start = slash == std::string::npos ? 0 : slash + 1;
  const size_t dot = path.rfind('.');
  return path.substr(start, dot == std::string::npos || dot < start ? dot : dot - start);
}

/// Columns a, alpha, d, theta, and prismatic (0 or 1) where joints slide.
DhTable read_dh(const std::string& path, const std::string& convention) {
  const std::string text = path == "-" ? io::standard_input_text() : io::file_text(path);
  const io::SourceText source(text, path == "-" ? "standard input" : path);
  const io::CsvTable csv = io::read_csv(source);
  static const std::vector<std::string> known = {"a", "alpha", "d", "theta", "prismatic"};
  for (size_t k = 0; k < csv.names.size(); ++k)
    if (std::find(known.begin(), known.end(), csv.names[k]) == known.end())
      source.fail(csv.name_offsets[k], "a Denavit-Hartenberg table has no column " +
                                           io::in_quotes(csv.names[k]) +
                                           io::nearest_or_all(csv.names[k], known));
  for (size_t k = 0; k < 4; ++k)
    if (csv.column(known[k]) < 0)
      source.fail(0, "the column " + io::in_quotes(known[k]) +
                         " is missing: a Denavit-Hartenberg table needs a, alpha, d, theta");
  if (csv.rows() == 0) source.fail(0, "a Denavit-Hartenberg table needs one row or more");
  DhTable table;
  table.convention = convention == "modified" ? DhConvention::modified : DhConvention::standard;
  const int slides = csv.column("prismatic");
  for (int k = 0; k < csv.rows(); ++k) {
    const double flag = slides < 0 ? 0 : csv.at(k, slides);
    if (flag != 0 && flag != 1)
      source.fail(csv.row_offsets[size_t(k)], "\"prismatic\" must be 0 or 1");
    table.rows.push_back({csv.at(k, csv.column("a")), csv.at(k, csv.column("alpha")),
                          csv.at(k, csv.column("d")), csv.at(k, csv.column("theta")),
                          flag == 1 ? JointKind::prismatic : JointKind::revolute});
  }
  return table;
}

std::vector<Twist<double>> screws_of(JsonObject& object) {
  std::vector<Twist<double>> screws;
  for (const JsonValue* row : object.lists("screws")) {
    std::vector<double> x;
    for (const JsonValue& one : row->items()) {
      if (one.kind != JsonValue::Kind::number)
        object.fail(one.offset, "\"screws\" must have lists of six numbers");
      x.push_back(one.number);
    }
    if (x.size() != 6)
      object.fail(row->offset, "\"screws\" has a list of " + std::to_string(x.size()) +
                                   " numbers, needs 6: angular part first");
    screws.push_back({{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
  }
  if (screws.empty()) object.fail(object.offset(), "\"screws\" is missing or empty");
  return screws;
}

/// {"form": "space" | "body", "screws": [[w, v], ...], "tip": {"position", "quaternion"}}.
PoeLocal read_poe(const std::string& path) {
  JsonInput input(path);
  JsonObject object = input.object("product of exponentials");
  static const std::vector<std::string> known = {"form", "screws", "tip"};
  object.allow_only(known, "a product of exponentials");
  const std::vector<Twist<double>> screws = screws_of(object);
  const SE3<double> tip = object.placement("tip");
  const std::string form = object.text_or("form", "space");
  if (form == "space") return to_local(PoeSpace{screws, tip});
  if (form == "body") return to_local(PoeBody{screws, tip});
  object.fail(object.need("form").offset,
              "\"form\" is " + io::in_quotes(form) + ", needs \"space\" or \"body\"");
}

RobotDescription source_of(const ConvertOptions& options) {
  const std::string& path = options.model.model;
  if (options.from == "dh")
    return to_description(read_dh(path, options.convention), robot_name(path));
  if (options.from == "poe") return to_description(read_poe(path), robot_name(path));
  const ModelAndReport loaded = load_model(options.model);
  tell_findings(options.model, loaded, false);
  return loaded.robot.description();
}

std::string poe_text(const Robot& robot, const std::string& frame) {
  if (frame.empty()) throw InputError("convert: --frame is missing: the tip of the exponentials");
  const RobotChain chain = chain_to(robot, robot.frame(frame));
  Json screws = Json::array();
  for (const Twist<double>& A : chain.poe.A)
    screws.push_back({A.w.x, A.w.y, A.w.z, A.v.x, A.v.y, A.v.z});
  const SE3<double>& M = chain.poe.M;
  const Quaternion<double> r = to_quaternion(M.R);
  const Json out{
      {"form", "space"},
      {"screws", std::move(screws)},
      {"tip", {{"position", {M.p.x, M.p.y, M.p.z}}, {"quaternion", {r.x, r.y, r.z, r.w}}}}};
  return out.dump(2) + "\n";
}

/// What URDF cannot say is refused with the option that leaves it out.
std::string urdf_text(const RobotDescription& robot, bool lossy) {
  try {
    return write_urdf(robot, lossy);
  } catch (const InputError& error) {
    const std::string what = error.what();
    const bool can_go = what.find(": URDF has no ") != std::string::npos;
    throw InputError("convert: " + what + (can_go ? "; --lossy leaves such things out" : ""));
  }
}

void convert(const ConvertOptions& options) {
  const RobotDescription robot = source_of(options);
  const Robot checked(robot);
  if (options.to == "poe") write_text(options.out, poe_text(checked, options.frame));
  else if (options.to == "urdf") write_text(options.out, urdf_text(robot, options.lossy));
  else write_text(options.out, jounce::write_json(robot));
}

}  // namespace

void add_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      app.add_subcommand("convert", "Write a robot as JSON, URDF or a product of exponentials");
  add_model_options(*command, options->model);
  command
      ->add_option(
          "--from", options->from,
          "What MODEL is: a robot (default), a Denavit-Hartenberg table (dh, CSV with "
          "columns a, alpha, d, theta, prismatic) or a product of exponentials (poe, JSON)")
      ->check(CLI::IsMember({"robot", "dh", "poe"}));
  command
      ->add_option("--convention", options->convention,
                   "Of a Denavit-Hartenberg table: standard (default) or modified (Craig)")
      ->check(CLI::IsMember({"standard", "modified"}));
  command->add_option("--to", options->to, "json (default), urdf or poe")
      ->check(CLI::IsMember({"json", "urdf", "poe"}));
  command->add_option("--frame", options->frame, "The tip of a product of exponentials")
      ->type_name("NAME");
  command->add_flag("--lossy", options->lossy, "Leave out what URDF cannot say");
  add_out(*command, options->out, "The robot (default: -, standard output)");
  command->footer("Example: jounce convert builtin:puma560 --to poe --frame link_6");
  command->callback([options] { convert(*options); });
}

}  // namespace jounce::app
