// SPDX-License-Identifier: BSD-3-Clause
// The three forms through the same sweeps, on counting numbers, on double and on long double.
#include "benchmarks/series_frames.hpp"

#include <Eigen/Core>
#include <cmath>
#include <jounce/algorithm/hybrid_frames.hpp>
#include <jounce/algorithm/spatial_frame.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/scalar/counting.hpp>
#include <memory>

#include "benchmarks/bench.hpp"
#include "benchmarks/cpu_time.hpp"

namespace jounce::bench {
namespace {

Robot branched(int branches, int length) {
  return Robot(generate({.name = "tree",
                         .shape = TreeShape::branches,
                         .bodies = branches * length,
                         .branches = branches,
                         .free_base = true}));
}

/// A robot in motion, the same numbers for every form.
struct FrameCase {
  FrameCase(const Robot& robot_, int order, double distance = 0)
      : robot(robot_),
        q(robot.random(1)),
        motion(robot.nv(), order + 2),
        taus(robot.nv(), order + 1) {
    q[0] += distance, q[1] -= distance / 2;
    for (int j = 0; j < robot.nv(); ++j)
      for (int k = 0; k < order + 2; ++k) {
        motion(j, k) = std::sin(3.0 * j + 5.0 * k);
        if (k <= order) taus(j, k) = std::cos(2.0 * j + 7.0 * k);
      }
  }
  Robot robot;
  std::vector<double> q;
  Eigen::MatrixXd motion, taus;
};

template <class Real, class Frames>
struct StorageOf {
  using type = WorldStorage<Real, Frames>;
};
template <class Real>
struct StorageOf<Real, BodyFrames> {
  using type = SeriesStorage<Real>;
};

/// One form on one kind of number.
template <class Real, class Frames>
class FormRun {
 public:
  FormRun(const FrameCase& c, int order, bool own_base)
      : m_(c.robot.model()),
        order_(order),
        storage_(m_, order),
        q_(c.q.begin(), c.q.end()),
        none_(std::make_unique<bool[]>(size_t(m_.nv))) {
    auto& w = storage_.view();
    if constexpr (!std::same_as<Frames, BodyFrames>) w.own_base = own_base;
    double scale = 1;  // 1 / k!
    for (int k = 0; k < order + 2; scale /= ++k)
      for (int j = 0; j < m_.nv; ++j) {
        w.v[k][j] = Real(c.motion(j, k) * scale);
        if (k <= order) w.tau[k][j] = Real(c.taus(j, k) * scale);
      }
    for (int i = 0; i < m_.bodies; ++i)
      for (int k = 0; k < order + 2; ++k) w.F_ext[i][k] = {};
  }
  void inverse() {
    start();
    inverse_series(m_, q_.data(), order_, storage_.view());
  }
  void forward() {
    start();
    hybrid_series(m_, q_.data(), none_.get(), order_, storage_.view());
  }
  auto& found() { return storage_.view(); }

 private:
  void start() {
    auto& w = storage_.view();
    if constexpr (std::same_as<Frames, BodyFrames>) {
      start_series(m_, q_.data(), w);
      start_ground<double, Real>(m_, nullptr, order_, w);
    } else {
      start_world_series(m_, q_.data(), w);
    }
  }

  const Model<double>& m_;
  int order_;
  typename StorageOf<Real, Frames>::type storage_;
  std::vector<Real> q_;
  std::unique_ptr<bool[]> none_;
};

/// fill(place, type) for the three forms.
template <class Fill>
void for_all_frames(Fill fill) {
  fill(size_t(0), BodyFrames{});
  fill(size_t(1), SpatialFrame{});
  fill(size_t(2), HybridFrames{});
}

FrameCost cost_of(const Robot& robot, int order, double budget) {
  const FrameCase c(robot, order);
  FrameCost cost{robot.bodies() - 1, order};
  for_all_frames([&]<class Frames>(size_t at, Frames) {
    FormRun<Counting, Frames> counted(c, order, true);
    cost.inverse_flops[at] = double(count_flops([&] { counted.inverse(); }).total());
    cost.forward_flops[at] = double(count_flops([&] { counted.forward(); }).total());
    FormRun<double, Frames> inverse(c, order, true), forward(c, order, true);
    cost.inverse_ns[at] = cpu_nanoseconds([&] { inverse.inverse(); }, budget);
    cost.forward_ns[at] = cpu_nanoseconds([&] { forward.forward(); }, budget);
  });
  return cost;
}

/// |x - exact| of coefficient k over the joints behind the base, relative to the largest.
template <class A, class B>
double row_error(const A& x, const B& exact, int k, int nv) {
  double error = 0, size = 0;
  for (int j = 6; j < nv; ++j) {
    error = std::max(error, double(std::abs(exact[k][j] - x[k][j])));
    size = std::max(size, double(std::abs(exact[k][j])));
  }
  return error / size;
}

FrameError error_at(const Robot& robot, double distance) {
  constexpr int order = 3;
  const FrameCase c(robot, order, distance);
  const int nv = robot.nv();
  FormRun<long double, BodyFrames> exact_inverse(c, order, false), exact_forward(c, order, false);
  exact_inverse.inverse();
  exact_forward.forward();
  FrameError error{distance};
  for_all_frames([&]<class Frames>(size_t at, Frames) {
    FormRun<double, Frames> inverse(c, order, false), forward(c, order, false);
    inverse.inverse();
    forward.forward();
    error.inverse[at] = row_error(inverse.found().tau, exact_inverse.found().tau, order, nv);
    error.forward[at] = row_error(forward.found().v, exact_forward.found().v, order + 1, nv);
  });
  return error;
}

}  // namespace

FramesComparison compare_frames(bool sample, const std::function<void()>& after_each) {
  FramesComparison found;
  const auto done = [&] {
    if (after_each) after_each();
  };
  const double budget = sample ? 0.004 : 0.03;
  const std::vector<int> orders =
      sample ? std::vector<int>{0, 2, 4, 8} : std::vector<int>{0, 1, 2, 3, 4, 5, 6, 8, 10, 12};
  const std::vector<int> lengths =
      sample ? std::vector<int>{2, 20} : std::vector<int>{1, 2, 5, 10, 20, 50, 100};
  const Robot tree = branched(5, 20), small = branched(2, 3);
  for (const int order : orders) {
    found.of_order.push_back(cost_of(tree, order, budget));
    done();
  }
  for (const int length : lengths) {
    found.of_size.push_back(cost_of(branched(5, length), 4, budget));
    done();
  }
  for (double distance = 1; distance <= 1e5; distance *= 10)
    found.errors.push_back(error_at(small, distance));
  return found;
}

double inverse_series_flops(int branches, int bodies_per_branch, int order) {
  const FrameCase c(branched(branches, bodies_per_branch), order);
  FormRun<Counting, BodyFrames> run(c, order, true);
  return double(count_flops([&] { run.inverse(); }).total());
}

}  // namespace jounce::bench
