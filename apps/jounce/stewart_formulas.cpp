// SPDX-License-Identifier: BSD-3-Clause
// jounce stewart residual | run | sensors | exp | experiment: formulas of [Xie] one by one.
#include <cmath>
#include <jounce/paper/rodrigues.hpp>
#include <jounce/stewart/extra_sensors.hpp>
#include <jounce/stewart/pose_chart.hpp>
#include <jounce/stewart/xie_tables.hpp>

#include "apps/jounce/stewart_all.hpp"
#include "apps/jounce/stewart_commands.hpp"
#include "apps/jounce/stewart_input.hpp"
#include "quotes.hpp"
#include "stewart/words.hpp"

namespace jounce::app {
namespace {

using namespace stewart_words;

template <int Rows, int Columns>
Json rows_json(const Matrix<double, Rows, Columns>& m) {
  Json rows = Json::array();
  for (int i = 0; i < Rows; ++i) {
    Json row = Json::array();
    for (int j = 0; j < Columns; ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json wrench_json(const Wrench<double>& F) { return {F.m.x, F.m.y, F.m.z, F.f.x, F.f.y, F.f.z}; }

/// A word under a key, one of a table; the first one where the key is absent.
template <class Enum, size_t N>
Enum value_of(JsonObject& input, const char* key, const Word<Enum> (&words)[N]) {
  const std::string given = input.text_or(key, words[0].first);
  std::string known;
  for (const auto& [text, value] : words) {
    if (given == text) return value;
    known += (known.empty() ? "" : ", ") + in_quotes(text);
  }
  input.fail(input.need(key).offset,
             in_quotes(key) + " is " + io::in_quotes(given) + ", needs one of " + known);
}

/// r, phi and its gradients at a pose, and the same on the three charts.
Json residual(JsonObject& input) {
  const Stewart s = platform_of(input);
  const SixNumbers L = lengths_of(input);
  const SE3<double> T = pose_of(input, "pose");
  Json charts = Json::object();
  for (const auto& [name, kind] : chart_words) {
    const PoseChart chart(kind, T);
    const std::vector<double> x = chart.coordinates(T);
    const ChartValue value = chart.evaluate(s, L, x);
    charts[name] = {{"coordinates", x}, {"gradient", value.gradient}};
  }
  return {{"residual", s.residual(T, L)},
          {"objective", s.objective(T, L)},
          {"gradient_body", wrench_json(s.objective_gradient_body(T, L))},
          {"gradient_space", wrench_json(s.objective_gradient_space(T, L))},
          {"jacobian_body", rows_json(s.residual_jacobian_body(T))},
          {"jacobian_space", rows_json(s.residual_jacobian_space(T))},
          {"charts", std::move(charts)}};
}

StewartMethodOptions method_options_of(JsonObject& input) {
  StewartMethodOptions o;
  o.method = value_of(input, "method", method_words);
  o.chart = value_of(input, "chart", chart_words);
  o.increment = value_of(input, "increment", increment_words);
  o.line_search = value_of(input, "line_search", search_words);
  o.scaling = value_of(input, "scaling", scaling_words);
  o.step_factor = input.number_or("step_factor", o.step_factor);
  o.damping = input.number_or("damping", o.damping);
  if (input.find("max_iterations") != nullptr)
    o.max_iterations = input.whole_number("max_iterations", 0, 1000000);
  return o;
}

Json run_method(JsonObject& input) {
  const Stewart s = platform_of(input);
  const SixNumbers L = lengths_of(input);
  const SE3<double> start = pose_of(input, "start");
  std::vector<StewartIteration> trace;
  const StewartMethodResult found = solve_pose(s, L, start, method_options_of(input), &trace);
  Json lines = Json::array();
  for (const StewartIteration& line : trace) {
    Json one = pose_to_json(line.pose);
    one.update({{"residual", line.residual},
                {"factor", line.factor},
                {"step", line.step},
                {"accepted", line.accepted}});
    lines.push_back(std::move(one));
  }
  Json out = pose_to_json(found.pose);
  out.update({{"converged", found.converged},
              {"length_error", found.length_error},
              {"iterations", found.iterations},
              {"stop", word_of(found.stop, stop_words)},
              {"trace", std::move(lines)}});
  return out;
}

SensorReading reading_of(JsonObject sensor) {
  const std::string keys[] = {"kind", "base", "platform", "leg", "home", "reading", "accuracy"};
  sensor.allow_only(keys, "a sensor");
  const std::string kind = sensor.name("kind");
  const double reading = sensor.number("reading"), accuracy = sensor.number("accuracy");
  if (kind == "length" || kind == "inclination") {
    const Vec3<double> base = vec3_of(sensor, "base"), platform = vec3_of(sensor, "platform");
    return {kind == "length" ? PoseSensor::length(base, platform)
                             : PoseSensor::inclination(base, platform),
            reading, accuracy};
  }
  if (kind != "first_angle" && kind != "second_angle")
    sensor.fail(sensor.need("kind").offset,
                "\"kind\" is " + in_quotes(kind) +
                    ", needs one of \"length\", \"inclination\", \"first_angle\", "
                    "\"second_angle\"");
  const int leg = sensor.whole_number("leg", 1, 6) - 1;
  const SE3<double> home = pose_of(sensor, "home");
  return {kind == "first_angle" ? PoseSensor::first_angle(leg, home)
                                : PoseSensor::second_angle(leg, home),
          reading, accuracy};
}

/// All poses, and those of them that the sensors allow.
Json sensors(JsonObject& input) {
  const Stewart s = platform_of(input);
  const SixNumbers L = lengths_of(input);
  std::vector<SensorReading> readings;
  for (const JsonValue* sensor : input.objects("sensors"))
    readings.push_back(
        reading_of({input.context(), *sensor,
                    input.who() + ": \"sensors\"[" + std::to_string(readings.size()) + "]"}));
  AllPosesOptions options;
  if (input.find("near") != nullptr) options.near = pose_of(input, "near");
  AllPoses all = all_poses(s, L, options);
  const size_t before = all.poses.size();
  all.poses = poses_with_readings(s, all, readings);
  Json out = all_poses_json(all);
  out["poses_before"] = before;
  return out;
}

/// (A2), the library's exponential, and (9) where only one number of the screw is not zero.
Json exponential(JsonObject& input) {
  const std::vector<double> x = input.numbers("screw", 6);
  const Twist<double> screw{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  const Mat4<double> paper = exp_rodrigues(screw), group = to_matrix(exp(screw));
  double apart = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) apart = std::max(apart, std::abs(paper(i, j) - group(i, j)));
  Json out{{"matrix", rows_json(paper)}, {"difference", apart}};
  int others = 0, axis = 0;
  for (int k = 0; k < 6; ++k)
    if (x[static_cast<size_t>(k)] != 0) ++others, axis = k;
  if (others == 1) out["basis"] = rows_json(exp_basis(axis, x[static_cast<size_t>(axis)]));
  return out;
}

Key lengths_key() { return {"lengths", "six lengths of the legs"}; }

StewartCommand residual_command() {
  return {{"residual",
           "r(T), phi(T), its gradients and the Jacobians of Xie, Dai, Liu 2021",
           platform_and({lengths_key(), {"pose", "T, {position, quaternion}"}}),
           {{"residual", "r_i = |leg_i|^2 - L_i^2, (17)"},
            {"objective", "phi = r.r / 2, (18)"},
            {"gradient_body", "of phi along body screws, angular part first"},
            {"gradient_space", "and along spatial ones"},
            {"jacobian_body", "of r, (24), six rows"},
            {"jacobian_space", "of r, (23)"},
            {"charts", "{se3, quaternion, euler: {coordinates, gradient}}, (19)"}},
           {},
           "The chart se3 is T exp(x) about the pose itself, so its coordinates are zero.",
           "",
           on_example_platform(
               R"("lengths":[1.6,1.6,1.6,1.6,1.6,1.65],"pose":{"position":[0,0,1.5]}})")},
          residual};
}

StewartCommand run_command() {
  return {{"run",
           "One run of one of the six methods, with its trace",
           platform_and({lengths_key(),
                         {"start", "{position, quaternion}"},
                         {"method", "levenberg_marquardt or gauss_newton", false},
                         {"chart", "se3, quaternion or euler", false},
                         {"increment", "of se3: space or body", false},
                         {"line_search",
                          "of gauss_newton: squared, squared_after_test, printed, "
                          "printed_until_small, multiplied or halved",
                          false},
                         {"scaling", "none, platform_size or diagonal", false},
                         {"step_factor", "alpha_0, in (0, 1]", false},
                         {"damping", "tau, positive", false},
                         {"max_iterations", "200 without it", false}}),
           {{"position", "where it ended"},
            {"quaternion", "x, y, z, w"},
            {"converged", "whether that pose has the lengths"},
            {"length_error", "largest error of a length"},
            {"iterations", "trials included"},
            {"stop", "gradient, small_step, no_descent, max_iterations or endless_search"},
            {"trace", "[{position, quaternion, residual, factor, step, accepted}]"}},
           {},
           "The first word of each choice is taken where it is not given.",
           "",
           on_example_platform(R"("lengths":[1.6,1.6,1.6,1.6,1.6,1.65],
    "start":{"position":[0,0,1.4]},"method":"gauss_newton"})")},
          run_method};
}

StewartCommand sensors_command() {
  return {
      {"sensors",
       "All poses with these lengths that other sensors allow",
       platform_and({lengths_key(),
                     {"sensors",
                      "a list of {kind: length or inclination, base, platform, reading, "
                      "accuracy} and {kind: first_angle or second_angle, leg, home, reading, "
                      "accuracy}"},
                     {"near", "poses are sorted by their distance from it", false}}),
       {{"poses", "those that remain, as of all"},
        {"poses_before", "how many have the lengths"},
        {"complex_count", "number of complex poses"},
        {"at_infinity", "paths that went to infinity"},
        {"family", "where the search started"},
        {"converged", "whether the search came to a good end"},
        {"seconds", "time taken"}},
       {},
       "A length is that between points of base and platform, an inclination the angle, in rad, "
       "between directions of the two; the angles are those of a leg's universal joint, zero in "
       "the pose home.",
       "",
       on_example_platform(R"("lengths":[1.6,1.6,1.6,1.6,1.6,1.65],
    "sensors":[{"kind":"inclination","base":[0,0,1],"platform":[0,0,1],
                "reading":0.05,"accuracy":0.1}]})")},
      sensors};
}

StewartCommand exp_command() {
  return {{"exp",
           "The exponential of a screw by (A2) of Xie, Dai, Liu 2021",
           {{"screw", "six numbers, angular part first"}},
           {{"matrix", "four rows, by (A2)"},
            {"difference", "largest, to the library's exponential"},
            {"basis", "by (9), corrected, where one number alone is not zero", false}},
           {},
           "",
           "",
           R"({"screw":[0.3,0,0,0,0,0]})"},
          exponential};
}

}  // namespace

std::vector<Key> platform_and(std::initializer_list<Key> others) {
  std::vector<Key> keys = {{"base", "six points [x, y, z] of the base"},
                           {"platform", "six points of the platform, in its own frame"}};
  keys.insert(keys.end(), others);
  return keys;
}

std::string on_example_platform(const char* rest) {
  constexpr std::string_view example_platform =
      R"({"base":[[0.97,0.26,0],[-0.26,0.97,0],[-0.71,0.71,0],
            [-0.71,-0.71,0],[-0.26,-0.97,0],[0.97,-0.26,0]],
    "platform":[[0.47,0.47,0],[0.17,0.64,0],[-0.64,0.17,0],
                [-0.64,-0.17,0],[0.17,-0.64,0],[0.47,-0.47,0]],
    )";
  return std::string(example_platform) + rest;
}

std::vector<StewartCommand> formula_commands() {
  return {residual_command(), run_command(), sensors_command(), exp_command()};
}

Json experiment_json(bool as_printed) {
  const XieExperiment x = xie_experiment({.lengths = as_printed, .start_2 = as_printed});
  const auto points = [](const SixPoints& all) {
    Json out = Json::array();
    for (const Vec3<double>& p : all) out.push_back({p.x, p.y, p.z});
    return out;
  };
  Json starts = Json::array();
  for (const SE3<double>& T : x.starts) starts.push_back(pose_to_json(T));
  return {{"base", points(x.platform.base())},
          {"platform", points(x.platform.platform())},
          {"lengths", x.lengths},
          {"true_pose", pose_to_json(x.true_pose)},
          {"branch_pose", pose_to_json(x.branch_pose)},
          {"starts", std::move(starts)}};
}

}  // namespace jounce::app
