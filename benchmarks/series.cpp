// SPDX-License-Identifier: BSD-3-Clause
// Speed of the dynamics of higher order on the paper's tree, against order, against the number of
// bodies, and against two other ways to the same numbers: Taylor numbers and nested dual numbers
// through ordinary inverse dynamics.
#include <jounce/algorithm/rnea.hpp>
#include <jounce/model/workspace.hpp>
#include <map>

#include "benchmarks/bench.hpp"
#include "benchmarks/fits.hpp"
#include "benchmarks/series_tables.hpp"
#include "benchmarks/series_tree.hpp"
#include "report/text.hpp"

namespace jounce::bench {
namespace {

constexpr int top_order = 17;  // 9 and 17: the first orders of which kernels know less
constexpr double seconds = 0.02;

/// SeriesTree, timed.
struct Tree : SeriesTree {
  explicit Tree(int n) : SeriesTree(n, top_order) {}
  double inverse(int r) {
    return nanoseconds([&] { SeriesTree::inverse(r); }, seconds);
  }
  double forward(int r) {
    return nanoseconds([&] { SeriesTree::forward(r); }, seconds);
  }
  double hybrid(int r) {
    return nanoseconds([&] { SeriesTree::hybrid(r); }, seconds);
  }
};

/// Ordinary inverse dynamics on a kind of number; values do not matter for its speed.
template <class Real>
double rnea_time(const Tree& tree) {
  const Model<double>& m = tree.robot.model();
  WorkspaceStorage<Real> storage(m);
  std::vector<Real> q, v;
  for (const double x : tree.q) q.push_back(Real(x));
  for (int j = 0; j < m.nv; ++j) v.push_back(Real(tree.motion(j, 0)));
  const std::vector<Wrench<Real>> none(static_cast<size_t>(m.bodies));
  const State<Real> x{q.data(), v.data(), v.data(), nullptr, none.data()};
  storage.view().V[0] = {};
  storage.view().Vdot[0] = minus_gravity<Real>(m);
  return nanoseconds([&] { rnea(m, x, storage.view()); }, seconds);
}

std::string us(double ns) { return report::significant(ns / 1000, 3); }

template <int depth>
void add_nested(const Tree& tree, std::map<int, double>& times) {
  times[depth] = rnea_time<typename Nested<depth>::type>(tree);
  if constexpr (depth > 0) add_nested<depth - 1>(tree, times);
}

/// Published and earlier figures for the same tree, us; none where there is no figure.
const std::map<int, const char*> authors_inverse{{0, "29.6"}, {4, "173"}, {8, "463"}};
const std::map<int, const char*> authors_forward{{0, "35.3"}, {4, "244"}, {8, "617"}};
const std::map<int, const char*> casadi_inverse{{0, "71"}, {4, "6621"}, {7, "267568"}};

std::string cell(const std::map<int, const char*>& figures, int r) {
  const auto found = figures.find(r);
  return found == figures.end() ? "" : found->second;
}

report::Table order_table(SeriesFigures& figures) {
  Tree tree(20);
  std::map<int, double> nested,
      taylor{{4, rnea_time<Taylor<double, 4>>(tree)}, {8, rnea_time<Taylor<double, 8>>(tree)}};
  add_nested<4>(tree, nested);
  for (const auto& [r, ns] : nested) figures.nested.push_back({double(r), ns});
  report::Table table{"Floating base, five branches of twenty bodies, one state, us",
                      {"r", "inverse", "forward", "hybrid", "Taylor numbers", "nested duals",
                       "authors inv. *", "authors fwd. *", "CasADi inv. *"},
                      {}};
  for (const int r : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 17}) {
    const double inverse = tree.inverse(r), forward = tree.forward(r), hybrid = tree.hybrid(r);
    figures.inverse.push_back({double(r), inverse});
    figures.forward.push_back({double(r), forward});
    figures.hybrid.push_back({double(r), hybrid});
    table.rows.push_back({std::to_string(r), us(inverse), us(forward), us(hybrid),
                          taylor.count(r) ? us(taylor[r]) : "",
                          nested.count(r) ? us(nested[r]) : "", cell(authors_inverse, r),
                          cell(authors_forward, r), cell(casadi_inverse, r)});
  }
  return table;
}

report::Table size_table(SeriesFigures& figures) {
  report::Table table{"Time against the number of bodies at r = 2, us",
                      {"bodies", "inverse", "forward", "hybrid"},
                      {}};
  for (const int n : {1, 2, 5, 10, 20, 50, 100, 200}) {
    Tree tree(n);
    const double bodies = 5 * n + 1, inverse = tree.inverse(2), forward = tree.forward(2);
    figures.inverse_of_size.push_back({bodies, inverse});
    figures.forward_of_size.push_back({bodies, forward});
    table.rows.push_back({std::to_string(5 * n + 1), us(inverse), us(forward), us(tree.hybrid(2))});
  }
  return table;
}

report::Table fit_table(const SeriesFigures& f) {
  const auto percent = [](double x) { return report::significant(100 * x, 2) + " %"; };
  const auto row = [&](const char* name, const Points& points, int degree, size_t half) {
    return std::vector<std::string>{name, percent(misfit(points, degree)),
                                    report::significant(exponent(points, half), 3)};
  };
  return {"Fits: a + b N over 6..1001 bodies; a + b r + c r^2 over r = 0..17",
          {"fit", "worst point off by", "exponent of the upper half"},
          {row("inverse in N, linear", f.inverse_of_size, 1, 5),
           row("forward in N, linear", f.forward_of_size, 1, 5),
           row("inverse in r, quadratic", f.inverse, 2, 8),
           row("forward in r, quadratic", f.forward, 2, 8),
           row("hybrid in r, quadratic", f.hybrid, 2, 8)}};
}

}  // namespace

SeriesFigures series_figures() {
  SeriesFigures figures;
  figures.tables.push_back(order_table(figures));
  figures.tables.push_back(size_table(figures));
  figures.tables.push_back(fit_table(figures));
  return figures;
}

std::vector<Row> series() {
  Tree tree(20);
  std::vector<Row> rows;
  for (const int r : {0, 1, 2, 4, 8, 9, 16, 17}) {
    const std::string order = "/" + std::to_string(r);
    rows.push_back(
        {.robot = tree.robot.name(), .algorithm = "higher-inverse" + order, .ns = tree.inverse(r)});
    rows.push_back(
        {.robot = tree.robot.name(), .algorithm = "higher-forward" + order, .ns = tree.forward(r)});
    rows.push_back(
        {.robot = tree.robot.name(), .algorithm = "higher-hybrid" + order, .ns = tree.hybrid(r)});
  }
  return rows;
}

}  // namespace jounce::bench
