// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over bodies and orders, nested dual numbers, and what follows for the paper's claims.
#include "benchmarks/series_evaluation.hpp"

#include <jounce/algorithm/aba.hpp>
#include <jounce/algorithm/rnea.hpp>
#include <jounce/model/workspace.hpp>
#include <jounce/scalar/counting.hpp>

#include "benchmarks/bench.hpp"
#include "benchmarks/cpu_time.hpp"
#include "benchmarks/series_branches.hpp"
#include "benchmarks/series_frames.hpp"
#include "benchmarks/series_tree.hpp"
#include "report/text.hpp"

namespace jounce::bench {
namespace {

constexpr int evaluated_order = 12;
constexpr int nested_orders = 4;  // a kind of number to compile for each

/// SeriesTree, timed in us of processor time.
struct EvaluatedTree : SeriesTree {
  explicit EvaluatedTree(int length) : SeriesTree(length, evaluated_order) {}
  double inverse(int r, double budget) {
    return 1e-3 * cpu_nanoseconds([&] { SeriesTree::inverse(r); }, budget);
  }
  double forward(int r, double budget) {
    return 1e-3 * cpu_nanoseconds([&] { SeriesTree::forward(r); }, budget);
  }
};

/// Ordinary dynamics on another number; values do not matter for its cost.
template <class Real>
class Ordinary {
 public:
  explicit Ordinary(const SeriesTree& tree)
      : m_(tree.robot.model()),
        storage_(m_),
        q_(tree.q.begin(), tree.q.end()),
        none_(static_cast<size_t>(m_.bodies)) {
    for (int j = 0; j < m_.nv; ++j) v_.push_back(Real(tree.motion(j, 0)));
    storage_.view().V[0] = {};
    storage_.view().Vdot[0] = minus_gravity<Real>(m_);
  }
  void inverse() { rnea(m_, state(), storage_.view()); }
  void forward() { aba(m_, state(), storage_.view()); }

 private:
  State<Real> state() const { return {q_.data(), v_.data(), v_.data(), v_.data(), none_.data()}; }
  const Model<double>& m_;
  WorkspaceStorage<Real> storage_;
  std::vector<Real> q_, v_;
  std::vector<Wrench<Real>> none_;
};

/// On dual numbers nested so deep.
template <int depth>
void time_nested(const SeriesTree& tree, double budget, SeriesEvaluation& found) {
  if constexpr (depth > 0) time_nested<depth - 1>(tree, budget, found);
  Ordinary<typename Nested<depth>::type> dynamics(tree);
  found.nested_inverse.points.push_back(
      {depth, 1e-3 * cpu_nanoseconds([&] { dynamics.inverse(); }, budget)});
  found.nested_forward.points.push_back(
      {depth, 1e-3 * cpu_nanoseconds([&] { dynamics.forward(); }, budget)});
}

/// Operations of inverse dynamics on them, depth by depth.
template <int depth>
void count_nested(const SeriesTree& tree, std::vector<double>& flops) {
  if constexpr (depth > 0) count_nested<depth - 1>(tree, flops);
  Ordinary<typename Nested<depth, Counting>::type> dynamics(tree);
  flops.push_back(double(count_flops([&] { dynamics.inverse(); }).total()));
}

void sweep_sizes(const std::vector<int>& lengths, const std::vector<int>& orders, double budget,
                 SeriesEvaluation& found, const auto& done) {
  for (const int r : orders) {
    found.inverse_of_size.push_back({"r = " + std::to_string(r), {}});
    found.forward_of_size.push_back({"r = " + std::to_string(r), {}});
  }
  for (const int length : lengths) {
    EvaluatedTree tree(length);
    for (size_t n = 0; n < orders.size(); ++n) {
      found.inverse_of_size[n].points.push_back(
          {5.0 * length + 1, tree.inverse(orders[n], budget)});
      found.forward_of_size[n].points.push_back(
          {5.0 * length + 1, tree.forward(orders[n], budget)});
    }
    done();
  }
}

void sweep_orders(const std::vector<int>& lengths, int last, double budget, SeriesEvaluation& found,
                  const auto& done) {
  for (const int length : lengths) {
    EvaluatedTree tree(length);
    TimeCurve inverse{"N = " + std::to_string(5 * length + 1), {}}, forward = inverse;
    for (int r = 0; r <= last; r += r < 4 ? 1 : 2) {
      inverse.points.push_back({r, tree.inverse(r, budget)});
      forward.points.push_back({r, tree.forward(r, budget)});
    }
    found.inverse_of_order.push_back(inverse);
    found.forward_of_order.push_back(forward);
    done();
  }
}

/// The largest of the differences of this order of y at equal steps, over the largest y.
double difference_of(std::vector<double> y, int order) {
  const double size = std::abs(*std::max_element(y.begin(), y.end()));
  for (int n = 0; n < order; ++n, y.pop_back())
    for (size_t k = 0; k + 1 < y.size(); ++k) y[k] = y[k + 1] - y[k];
  double worst = 0;
  for (const double x : y) worst = std::max(worst, std::abs(x));
  return worst / size;
}

/// Claims on operations, which are counted exactly, and on the times of this run.
void decide(bool sample, SeriesEvaluation& found) {
  std::vector<double> in_N, in_r;
  for (int length = 1; length <= 5; ++length) in_N.push_back(inverse_series_flops(5, length, 4));
  for (int r = 0; r <= 6; ++r) in_r.push_back(inverse_series_flops(5, 4, r));
  using report::at_least;
  using report::at_most;
  auto& claims = found.claims;
  claims.push_back(at_most("linear in N, operations: second differences, relative",
                           difference_of(in_N, 2), 1e-12));
  claims.push_back(at_most("quadratic in r, operations: third differences, relative",
                           difference_of(in_r, 3), 1e-12));
  std::vector<double> nested;
  count_nested<nested_orders>(SeriesTree(4, 0), nested);
  double least = 1e300;
  for (size_t k = 1; k < nested.size(); ++k) least = std::min(least, nested[k] / nested[k - 1]);
  claims.push_back(at_least(
      "exponential in r, nested dual numbers, operations: least factor per order", least, 2));
  const double work = inverse_series_flops(5, 20, 4), span = inverse_series_flops(1, 20, 4);
  claims.push_back(
      at_least("branches in parallel: operations of five over those of one", work / span, 4));
  const BranchesInParallel parallel = branches_in_parallel(200, 8);
  claims.push_back(at_most("branches in parallel: forces against the whole tree's, relative",
                           parallel.difference, 1e-10));
  if (!sample)  // by the clock: not on a machine that does other things
    claims.push_back(at_least("branches in parallel: " + std::to_string(parallel.threads) +
                                  " threads over one, times as fast",
                              parallel.speedup, 0.75 * parallel.threads));
  const auto fit = [&](const char* name, const TimeCurve& curve, int degree, double bound) {
    claims.push_back(at_most(std::string(name) + ", " + curve.name + ": worst point off its fit by",
                             misfit(curve.points, degree), bound));
  };
  for (const TimeCurve& curve : found.inverse_of_size) fit("linear in N, inverse", curve, 1, 0.25);
  for (const TimeCurve& curve : found.forward_of_size) fit("linear in N, forward", curve, 1, 0.25);
  for (const TimeCurve& curve : found.inverse_of_order)
    fit("quadratic in r, inverse", curve, 2, 0.15);
  for (const TimeCurve& curve : found.forward_of_order)
    fit("quadratic in r, forward", curve, 2, 0.15);
}

}  // namespace

SeriesEvaluation evaluate_series(bool sample, const std::function<void()>& after_each) {
  SeriesEvaluation found;
  const auto done = [&] {
    if (after_each) after_each();
  };
  found.nested_inverse.name = "nested dual numbers, inverse";
  found.nested_forward.name = "nested dual numbers, forward";
  const double budget = sample ? 0.004 : 0.03;
  if (sample) sweep_sizes({2, 10, 40}, {0, 2, 5}, budget, found, done);
  else sweep_sizes({1, 2, 5, 10, 20, 50, 100}, {0, 1, 2, 3, 5, 8}, budget, found, done);
  if (sample) sweep_orders({20}, 8, budget, found, done);
  else sweep_orders({5, 20, 50}, evaluated_order, budget, found, done);
  time_nested<nested_orders>(EvaluatedTree(20), budget, found);
  done();
  decide(sample, found);
  done();
  return found;
}

}  // namespace jounce::bench
