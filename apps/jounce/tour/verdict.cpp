// SPDX-License-Identifier: BSD-3-Clause
// Tour, the last chapter: what the papers claim, and what this run found.
#include <algorithm>
#include <cmath>
#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/io.hpp>
#include <jounce/model/flexible_link.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/paper/dense_hybrid.hpp>
#include <jounce/paper/lagrangian.hpp>
#include <jounce/sensitivity.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "benchmarks/flops.hpp"
#include "report/text.hpp"

namespace jounce::app {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Row = std::vector<std::string>;

constexpr const char* park = "Park, Bobrow, Ploen 1995";
constexpr const char* kim = "Kim 2012";
constexpr const char* ploen = "Ploen";

std::string digits(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2g", x);
  return text;
}
Row claim_row(const char* paper, const std::string& claim, const std::string& found, bool good) {
  return {paper, claim, found, good ? "yes" : "no"};
}

struct ArmState {
  Robot arm = load("builtin:arm7");
  Dynamics dyn{arm};
  Vector q{7}, v{7}, a{7};
  ArmState() {
    for (int k = 0; k < 7; ++k)
      q[k] = std::sin(1.3 * k + 0.4), v[k] = std::cos(2.1 * k), a[k] = std::sin(0.7 * k + 1);
  }
};

/// M a + Gamma v v + phi from (40), (55)-(57), (59) beside the recursion.
Row lagrangian_row() {
  ArmState x;
  const LagrangianForm form(x.arm, x.q);
  const Vector tau = x.dyn.inverse(x.q, x.v, x.a, {.passive = false});
  double error = 0;
  for (int k = 0; k < 7; ++k) {
    double sum = form.gravity_force(k);
    for (int i = 0; i < 7; ++i) {
      sum += form.mass(k, i) * x.a[i];
      for (int j = 0; j < 7; ++j) sum += form.christoffel(i, j, k) * x.v[i] * x.v[j];
    }
    error = std::max(error, std::abs(sum - tau[k]));
  }
  error /= tau.cwiseAbs().maxCoeff();
  return claim_row(park, "The closed form (29) is what the recursion (22)-(27) computes",
                   "arm7: " + digits(error) + " of the largest force", error < 1e-12);
}

Robot chain_of(int n) {
  return Robot(generate(
      {.shape = TreeShape::chain, .bodies = n, .kinds = {JointKind::revolute}, .seed = 1}));
}

/// Counts of three chains lie on a line.
Row growth_row(const char* paper, const char* claim, FlopCount bench::DynamicsFlops::*algorithm) {
  long total[3];
  for (int k = 0; k < 3; ++k)
    total[k] = (bench::count_dynamics(chain_of(50 * (k + 1))).*algorithm).total();
  const double slope = double(total[2] - total[0]) / 100;
  const double bend = std::abs(double(total[2] - 2 * total[1] + total[0])) / double(total[2]);
  return claim_row(paper, claim,
                   report::fixed(slope, 1) + " operations a joint, bent by " + digits(bend) +
                       " over 50, 100 and 150 joints",
                   bend < 1e-3);
}

/// Of the reference text, or of the fast one on classical accelerations.
Row count_row(const char* text, FlopCount bench::DynamicsFlops::*algorithm) {
  const FlopCount few = bench::count_dynamics(chain_of(50)).*algorithm,
                  many = bench::count_dynamics(chain_of(100)).*algorithm;
  const double multiply = double(many.multiply - few.multiply) / 50,
               add = double(many.add - few.add) / 50;
  const double more = multiply / 130, more_add = add / 101;
  return claim_row(park,
                   "Its cost is similar to Featherstone's 130n - 68 multiplications and 101n - 56 "
                   "additions [within a quarter]",
                   std::string(text) + ": " + report::fixed(multiply, 1) + " and " +
                       report::fixed(add, 1) + " a joint, " + report::fixed(more, 2) + " and " +
                       report::fixed(more_add, 2) + " times his",
                   more < 1.25 && more_add < 1.25);
}

/// C v + g - bias of the printed and of the corrected (61)-(64).
std::vector<Row> two_r_rows() {
  const Robot arm = load("builtin:planar_2r");
  Dynamics dyn(arm);
  const Vector q = Vector::Constant(2, 0.4), v = Vector::LinSpaced(2, 0.7, -1.3);
  const Vector wanted = dyn.bias(q, v) - dyn.gravity(q);
  const Matrix C = TwoScrewArm(LagrangianForm(arm, q)).C(v[0], v[1]);
  Matrix printed = C;
  printed(1, 0) = -printed(1, 0);
  const auto off = [&](const Matrix& x) { return (x * v - wanted).norm() / wanted.norm(); };
  return {claim_row(park, "(61)-(64): the Coriolis matrix of a 2R, as printed",
                    digits(off(printed)) + " off", off(printed) < 1e-12),
          claim_row(park, "(61)-(64) with the sign of c_21 corrected", digits(off(C)) + " off",
                    off(C) < 1e-12)};
}

/// The first frequencies of a cantilever, by inverse iteration: its stiffness is diagonal.
Row beam_row() {
  const double length = 1, weight = 1, bending = 1;
  RobotDescription d;
  d.name = "cantilever";
  d.gravity = {};
  d.links.push_back({.name = "wall"});
  d.links.push_back({.name = "beam", .mass = weight, .com = {length / 2, 0, 0}});
  d.joints.emplace_back();
  d.joints.back().name = "clamp", d.joints.back().parent = "wall", d.joints.back().child = "beam";
  const Robot robot =
      with_flexible_link(Robot(d), "beam", {{length, 0, 0}, {0, 0, 1}, bending, 0, 0, 20});
  Dynamics dyn(robot);
  const Matrix M = dyn.mass(robot.neutral());
  const auto& stiffness = robot.passive().stiffness;
  const Vector soft = Eigen::Map<const Vector>(stiffness.data(), robot.nv()).cwiseInverse();
  constexpr double roots[] = {1.8751040687119611, 4.694091132974175, 7.854757438237613};
  std::vector<Vector> modes;
  double worst = 0;
  for (const double root : roots) {
    Vector x = Vector::LinSpaced(robot.nv(), 1, 2).array().sin();
    double period = 0;
    for (int k = 0; k < 300; ++k) {
      x = soft.cwiseProduct(M * x);
      for (const Vector& mode : modes) x -= mode * mode.dot(M * x);
      period = std::sqrt(x.dot(M * x));
      x /= period;
    }
    modes.push_back(x);
    const double exact = root * root * std::sqrt(bending / weight) / std::pow(length, 1.5);
    worst = std::max(worst, std::abs(1 / std::sqrt(period) / exact - 1));
  }
  return claim_row(park,
                   "Outlook: flexible links [a beam of 20 segments, three frequencies to 1 %]",
                   report::fixed(100 * worst, 2) + " % at most", worst < 0.01);
}

std::vector<Row> kim_rows() {
  ArmState x;
  bool prescribed[7] = {true, false, true, false, false, true, false};
  const HybridResult fast = x.dyn.hybrid(prescribed, x.q, x.v, x.a, x.v),
                     dense = dense_hybrid(x.dyn, prescribed, x.q, x.v, x.a, x.v);
  const double apart = ((fast.a - dense.a).norm() + (fast.tau - dense.tau).norm()) /
                       (fast.a.norm() + fast.tau.norm());
  Sensitivity to(x.arm, {{ParameterKind::inertia, "link_4", 0}});
  const Matrix found = to.hybrid(prescribed, x.q, x.v, x.a, x.v);
  const auto unknown = [&](double step) -> Vector {
    RobotDescription d = x.arm.description();
    for (LinkDescription& link : d.links)
      if (link.name == "link_4") {
        const Inertia<double> G = link_inertia(link);
        double numbers[10];
        to_parameters(G, numbers);
        numbers[0] += step;
        const Inertia<double> changed = inertia_from_parameters(numbers);
        link.mass = changed.mass, link.com = changed.h * (1 / changed.mass);
        link.I_com = push_forward(SE3<double>{{}, -link.com}, changed).I;
      }
    Dynamics dyn{Robot(d)};
    const HybridResult r = dyn.hybrid(prescribed, x.q, x.v, x.a, x.v);
    Vector y = r.a;
    for (int k = 0; k < 7; ++k)
      if (prescribed[k]) y[k] = r.tau[k];
    return y;
  };
  const Vector slope = (unknown(1e-4) - unknown(-1e-4)) / 2e-4;
  const double off = (found.col(0) - slope).norm() / slope.norm();
  return {claim_row(kim, "Table 4 solves what (34) solves by blocks of M",
                    "arm7: " + digits(apart) + " apart", apart < 1e-10),
          growth_row(kim, "Hybrid dynamics takes O(n)", &bench::DynamicsFlops::hybrid),
          claim_row(kim, "Table 7 is the derivative of hybrid dynamics by any parameter",
                    "a link's mass of arm7: " + digits(off) + " from differences", off < 1e-6)};
}

/// How much s^T M s / 2 grows at most where a controller uses this C, all parameters known.
double error_growth(Factorization f) {
  const Robot arm = load("builtin:planar_2r");
  Dynamics dyn(arm);
  const double h = 1e-3, rate = 6, damp = 0.02;
  const auto phase = [&](double t) {
    Vector x(2);
    x << rate * t, rate * t - 1.5;
    return x;
  };
  const auto acceleration = [&](double t, const Vector& q, const Vector& v) -> Vector {
    const Eigen::ArrayXd p = phase(t);
    const Vector q_d = p.sin(), v_d = rate * p.cos(), s = v - v_d + q - q_d;
    const Matrix M = dyn.mass(q), C = dyn.coriolis(q, v, f).matrix;
    const Vector tau =
        M * (-rate * rate * q_d - v + v_d) + C * (v - s) + Vector(dyn.gravity(q)) - damp * s;
    return dyn.forward(q, v, tau, {.passive = false});
  };
  Vector q = phase(0).array().sin() + 0.05, v = rate * phase(0).array().cos();
  double first = 0, most = 0;
  for (int k = 0; k < 3000; ++k) {
    const Eigen::ArrayXd p = phase(k * h);
    const Vector q_d = p.sin(), v_d = rate * p.cos(), s = v - v_d + q - q_d;
    const Matrix M = dyn.mass(q);
    const double energy = s.dot(M * s) / 2;
    if (k == 0) first = energy;
    most = std::max(most, energy);
    const Vector middle = v + h / 2 * acceleration(k * h, q, v);
    v += h * acceleration((k + 0.5) * h, q + h / 2 * v, middle);
    q += h * middle;
  }
  return most / first;
}

std::vector<Row> ploen_rows() {
  ArmState x;
  const double h = 1e-5;
  const Matrix ahead = x.dyn.mass(x.q + h * x.v), behind = x.dyn.mass(x.q - h * x.v),
               Mdot = (ahead - behind) / (2 * h);
  const auto defect = [&](Factorization f) {
    const Matrix C = x.dyn.coriolis(x.q, x.v, f).matrix, D = Mdot - 2 * C;
    return (D + D.transpose()).norm() / C.norm();
  };
  const double plain = defect(Factorization::plain), skew = defect(Factorization::ploen);
  const Vector one = x.dyn.coriolis(x.q, x.v, Factorization::plain).matrix * x.v,
               other = x.dyn.coriolis(x.q, x.v, Factorization::ploen).matrix * x.v;
  const double apart = (one - other).norm() / one.norm();
  const double with_plain = error_growth(Factorization::plain),
               with_skew = error_growth(Factorization::ploen);
  return {claim_row(ploen, "With the C of (25) Mdot - 2C is not skew-symmetric",
                    "arm7: defect " + digits(plain), plain > 1e-3),
          claim_row(ploen, "Proposition 2: with (37) it is",
                    "defect " + digits(skew) + ", Mdot by differences", skew < 1e-7),
          claim_row(ploen, "Both give the same C qdot", digits(apart) + " apart", apart < 1e-12),
          claim_row(ploen, "Control needs the skew C: with it the energy of the error falls",
                    "2R: it grows " + digits(with_plain) + " times with (25), " +
                        digits(with_skew) + " times with (37)",
                    with_skew <= 1 + 1e-9 && with_plain > 1)};
}

/// The tables where | claim | found | reproduced of other chapters, under their paper's name.
void gather(const report::Chapter& chapter, const char* paper, std::vector<Row>& rows) {
  const Row header{"where", "claim", "found", "reproduced"};
  for (const report::Block& block : chapter.blocks)
    if (const auto* table = std::get_if<report::Table>(&block); table && table->header == header)
      for (const Row& row : table->rows)
        rows.push_back({paper, row[0] + ": " + row[1], row[2], row[3]});
}
/// The checks of a chapter that is one paper's alone.
void gather_checks(const report::Chapter& chapter, const char* paper, std::vector<Row>& rows) {
  for (const report::Block& block : chapter.blocks)
    if (const auto* checks = std::get_if<report::Checks>(&block))
      for (const report::Check& check : checks->rows)
        rows.push_back({paper, check.name, check.value + ", needs " + check.bound,
                        check.passed ? "yes" : "no"});
}

}  // namespace

report::Chapter tour_verdict(const std::vector<report::Chapter>& before) {
  report::Table table{"", {"paper", "claim", "found", "reproduced"}, {}};
  std::vector<Row>& rows = table.rows;
  const auto add = [&](const std::vector<Row>& more) {
    rows.insert(rows.end(), more.begin(), more.end());
  };
  add({lagrangian_row(),
       growth_row(park, "Inverse dynamics takes O(n)", &bench::DynamicsFlops::inverse),
       count_row("reference text", &bench::DynamicsFlops::inverse),
       count_row("fast text", &bench::DynamicsFlops::inverse_fast)});
  add(two_r_rows());
  add({beam_row()});
  add(kim_rows());
  add(ploen_rows());
  for (const report::Chapter& chapter : before) {
    if (chapter.id == "gough-stewart") gather(chapter, "Xie, Dai, Liu 2021", rows);
    if (chapter.id == "any-order") gather_checks(chapter, "Ali, Gabellieri, Franchi 2026", rows);
  }
  const auto good =
      std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.back() == "yes"; });
  table.caption =
      std::to_string(good) + " of " + std::to_string(rows.size()) + " claims come out in this run";
  return {"The papers",
          "papers",
          {report::Paragraph{"What the papers claim beside what this run found. docs/papers.md has "
                             "a line for every equation, table and figure."},
           table}};
}

}  // namespace jounce::app
