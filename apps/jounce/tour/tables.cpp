// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Robots from tables": Denavit-Hartenberg parameters and products of exponentials.
#include <jounce/kinematics.hpp>
#include <jounce/model/product_of_exponentials.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

DhTable puma_table() {
  constexpr double right = 1.5707963267948966;
  DhTable table;  // PUMA 560, Lee 1983
  table.rows = {{0, -right, 0, 0},      {0.4318, 0, 0.1491, 0}, {-0.0203, right, 0, 0},
                {0, -right, 0.4331, 0}, {0, right, 0, 0},       {0, 0, 0.0563, 0}};
  return table;
}

std::string screw_text(const Twist<double>& x) {
  std::string text;
  for (const double number : {x.w.x, x.w.y, x.w.z, x.v.x, x.v.y, x.v.z}) {
    const double shown = std::abs(number) < 1e-15 ? 0 : number;  // cosines of right angles
    text += (text.empty() ? "" : "  ") + report::significant(shown, 4);
  }
  return text;
}

/// What a row of parameters is as a screw in the axes of the base and of the tool.
report::Table screw_table(const DhTable& dh, const PoeSpace& space, const PoeBody& body) {
  report::Table table{"A PUMA 560: Denavit-Hartenberg rows and the screws they are",
                      {"a, alpha, d, theta", "A, base axes (13)", "B, tool axes (14)"},
                      {}};
  for (size_t k = 0; k < dh.rows.size(); ++k) {
    const auto& row = dh.rows[k];
    std::string parameters;
    for (const double x : {row.a, row.alpha, row.d, row.theta})
      parameters += (parameters.empty() ? "" : "  ") + report::significant(x, 4);
    table.rows.push_back({parameters, screw_text(space.A[k]), screw_text(body.B[k])});
  }
  return table;
}

double tip_error(const SE3<double>& x, const SE3<double>& y) {
  const Twist<double> off = log(inverse(x) * y);
  return std::max(norm(off.w), norm(off.v));
}

}  // namespace

report::Chapter tour_tables() {
  const DhTable dh = puma_table();
  const Robot robot(to_description(dh, "puma"));
  const PoeLocal local = to_local(dh);
  const PoeSpace space = to_space(local);
  const PoeBody body = to_body(space);
  const Robot again(to_description(to_local(space), "again"));
  const std::vector<double> q{0.3, -0.5, 0.7, -1.1, 0.4, 0.9};
  Kinematics kinematics(robot), of_again(again);
  const SE3<double> tip = kinematics.at(q).pose(robot.frame("tool"));
  const auto check = [&](const char* name, const SE3<double>& found) {
    return report::at_most(name, tip_error(tip, found), 1e-14);
  };
  return {
      "Robots from tables",
      "tables",
      {report::Paragraph{
           "The same arm by Park's three products of exponentials. jounce convert reads and writes "
           "them; in C++ DhTable, PoeLocal, PoeSpace and PoeBody, in Python denavit_hartenberg "
           "and the same."},
       screw_table(dh, space, body),
       report::Checks{
           {check("product of exponentials, joint frames (12)", local.forward(q)),
            check("in the base's axes (13)", space.forward(q)),
            check("in the tool's axes (14)", body.forward(q)),
            check("read back from the robot", chain_to(robot, robot.frame("tool")).poe.forward(q)),
            check("a robot made of the screws", of_again.at(q).pose(again.frame("tool")))}}}};
}

}  // namespace jounce::app
