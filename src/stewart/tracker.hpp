// SPDX-License-Identifier: BSD-3-Clause
// Follows the solutions of a homotopy from s = 1 to s = 0, one path per lane.
//
// x lies on the unit sphere of C^8. A step keeps conj(x).dx = 0 (an affine chart around x), goes
// forward by the classical Runge-Kutta method of order 4 on the tangent dx/ds = -J^-1 dH/ds, comes
// back by two Newton steps and scales x to the sphere again. The first Newton step measures the
// error of the prediction and sets the length of the next step (order 5); a second one that is not
// small rejects the step. The last Newton step also gives the next tangent: five eliminations a
// step. Lanes take steps of their own length; a lane that ends gets the next path.
#pragma once

#include <cmath>

#include "stewart/homotopy.hpp"
#include "stewart/solve_lanes.hpp"

namespace jounce::stewart_detail {

/// `multiple` comes from what is done with lost paths later: a root where Newton's method is slow.
enum class PathEnd : int { open, finite, multiple, infinite, lost };

struct Path {
  Complex<double> x[unknowns];  ///< of unit length
  double s = 1;
  PathEnd end = PathEnd::open;
  int steps = 0;
};

struct TrackOptions {
  double prediction_error = 1e-4;
  double correction = 1e-6;  ///< the largest second Newton step
  double first_step = 0.05;
  double smallest_step = 1e-9;
  double infinity_s = 1e-6;  ///< below it, |e.e| < infinity_ee means a pose at infinity
  double infinity_ee = 1e-6;
  int max_steps = 2000;  ///< of one path, rejected ones included
};

inline namespace JOUNCE_ISA {

template <int W>
class Tracker {
 public:
  using Real = Pack<double, W>;
  using Number = Complex<Real>;

  Tracker(const Homotopy& H, const TrackOptions& options) : H_(H), options_(options) {}

  void run(Path* paths, int count) {
    int next = 0, running = 0;
    for (int lane = 0; lane < W; ++lane) {
      begin(lane, next < count ? &paths[next] : nullptr, paths[0]);
      running += next < count;
      ++next;
    }
    bool fresh = true;
    while (running > 0) {
      if (fresh) start_tangents();
      fresh = false;
      predict();
      correct();
      for (int lane = 0; lane < W; ++lane) {
        if (path_[lane] == nullptr || !advance(lane)) continue;
        running -= 1;
        if (next < count) begin(lane, &paths[next], paths[0]), fresh = true, ++running;
        else path_[lane] = nullptr, h_[lane] = 0;
        ++next;
      }
    }
  }

 private:
  /// A lane without a path repeats another's start and never moves.
  void begin(int lane, Path* path, const Path& idle) {
    path_[lane] = path;
    s_[lane] = 1;
    h_[lane] = path != nullptr ? options_.first_step : 0;
    fresh_[lane] = true;
    const Path& from = path != nullptr ? *path : idle;
    for (int i = 0; i < unknowns; ++i)
      x_[i].re.set(lane, from.x[i].re), x_[i].im.set(lane, from.x[i].im);
  }

  /// The Jacobian at y, rows of legs halved (H = J y with it), and the chart around x.
  template <int Sides>
  [[gnu::always_inline]] void fill_jacobian(const Number* y, Augmented<Real, Sides>& A) const {
    half_jacobian(forms_.form, y, A);
    for (int i = 0; i < unknowns; ++i) A[7][i] = conj(x_[i]);
  }
  /// -dH/ds / 2 in column `side`: the Jacobian in A is halved too.
  template <int Sides>
  [[gnu::always_inline]] void fill_rate(const Number* y, int side,
                                        Augmented<Real, Sides>& A) const {
    for (int i = 0; i < legs; ++i) {
      const Number* e = y;
      const auto& f = forms_.rate[i].k;
      Number sum{};
      for (int r = 0; r < 4; ++r) {
        Number row = f[place_E(r, r)] * e[r], mixed{};
        for (int c = r + 1; c < 4; ++c) {
          mixed += f[place_E(r, c)] * e[c];
          mixed += f[place_P(r, c)] * y[4 + c];
        }
        for (int c = 0; c < r; ++c) mixed -= f[place_P(c, r)] * y[4 + c];
        row += mixed + mixed;
        sum += row * e[r];
      }
      A[i][side] = sum * (forms_.tau_rate * Real(-0.5));
    }
    A[6][side] = A[7][side] = {};
  }

  void tangent(const Number* y, Number* dy) {
    Augmented<Real, 1> A;
    fill_jacobian<1>(y, A);
    fill_rate<1>(y, unknowns, A);
    solve<Real, 1>(A);
    for (int i = 0; i < unknowns; ++i) dy[i] = A[i][unknowns];
  }

  void start_tangents() {
    Number dx[unknowns];
    evaluate(H_, Real::load(s_), forms_);
    tangent(x_, dx);
    for (int lane = 0; lane < W; ++lane)
      if (fresh_[lane]) {
        fresh_[lane] = false;
        for (int i = 0; i < unknowns; ++i)
          k_1_[i].re.set(lane, dx[i].re[lane]), k_1_[i].im.set(lane, dx[i].im[lane]);
      }
  }

  void predict() {
    const Real s = Real::load(s_), h = Real::load(h_);
    Number y[unknowns], k_2[unknowns], k_3[unknowns], k_4[unknowns];
    const auto move = [&](const Number* k, const Real& by) {
      for (int i = 0; i < unknowns; ++i) y[i] = x_[i] - k[i] * by;
    };
    evaluate(H_, s - h * 0.5, forms_);
    move(k_1_, h * 0.5);
    tangent(y, k_2);
    move(k_2, h * 0.5);
    tangent(y, k_3);
    evaluate(H_, s - h, forms_);
    move(k_3, h);
    tangent(y, k_4);
    for (int i = 0; i < unknowns; ++i)
      y_[i] = x_[i] - (k_1_[i] + (k_2[i] + k_3[i]) * Real(2) + k_4[i]) * (h * (1.0 / 6));
  }

  /// A Newton step at s - h; its squared length. With a second side, also the tangent there.
  template <int Sides>
  void newton_step(double* squared_length) {
    Augmented<Real, Sides> A;
    fill_jacobian<Sides>(y_, A);
    for (int i = 0; i < unknowns - 1; ++i) {  // half the value of a quadratic form: J y / 2
      Number sum{};
      for (int j = 0; j < unknowns; ++j) sum += A[i][j] * y_[j];
      A[i][unknowns] = sum * Real(-0.5);
    }
    A[7][unknowns] = {};
    if constexpr (Sides == 2) fill_rate<2>(y_, unknowns + 1, A);
    solve<Real, Sides>(A);
    Real moved(0);
    for (int i = 0; i < unknowns; ++i) {
      y_[i] += A[i][unknowns];
      if constexpr (Sides == 2) dy_[i] = A[i][unknowns + 1];
      moved += squared_norm(A[i][unknowns]);
    }
    moved.store(squared_length);
  }

  void correct() {
    newton_step<1>(moved_[0]);
    newton_step<2>(moved_[1]);
    scale_to_sphere();
  }

  /// y to the unit sphere, and its tangent to the chart around it.
  void scale_to_sphere() {
    Real size(0);
    for (int i = 0; i < unknowns; ++i) size += squared_norm(y_[i]);
    const Real inverse = Real(1) / sqrt(size);
    Number along{};
    for (int i = 0; i < unknowns; ++i) {
      y_[i] = y_[i] * inverse;
      dy_[i] = dy_[i] * inverse;
      along += conj(y_[i]) * dy_[i];
    }
    for (int i = 0; i < unknowns; ++i) dy_[i] -= along * y_[i];
  }

  /// Takes or rejects the step of one lane; true when its path has ended.
  bool advance(int lane) {
    Path& path = *path_[lane];
    ++path.steps;
    const double first = std::sqrt(moved_[0][lane]), second = std::sqrt(moved_[1][lane]);
    const bool taken = second <= options_.correction && first <= 8 * options_.prediction_error;
    if (taken) {
      s_[lane] -= h_[lane];
      for (int i = 0; i < unknowns; ++i)
        copy_lane(lane, y_[i], x_[i]), copy_lane(lane, dy_[i], k_1_[i]);
    }
    const double wanted = 0.8 * std::pow(options_.prediction_error / first, 0.2);
    const double most = taken ? 3 : 0.5;
    h_[lane] *= wanted >= most ? most : wanted > 0.1 ? wanted : 0.1;  // NaN: 0.1
    const bool far = s_[lane] > 0 && s_[lane] < options_.infinity_s && is_far(lane);
    if (s_[lane] <= 0 || far || h_[lane] < options_.smallest_step ||
        path.steps >= options_.max_steps) {
      path.end = far ? PathEnd::infinite : s_[lane] <= 0 ? PathEnd::finite : PathEnd::lost;
      return finish(lane, path);
    }
    if (h_[lane] > s_[lane]) h_[lane] = s_[lane];
    return false;
  }
  bool finish(int lane, Path& path) {
    path.s = s_[lane];
    for (int i = 0; i < unknowns; ++i) path.x[i] = {x_[i].re[lane], x_[i].im[lane]};
    return true;
  }
  static void copy_lane(int lane, const Number& from, Number& to) {
    to.re.set(lane, from.re[lane]);
    to.im.set(lane, from.im[lane]);
  }
  /// Neither R nor p exist where e.e = 0.
  bool is_far(int lane) const {
    Complex<double> ee{};
    for (int i = 0; i < 4; ++i) {
      const Complex<double> e{x_[i].re[lane], x_[i].im[lane]};
      ee += e * e;
    }
    return squared_norm(ee) < options_.infinity_ee * options_.infinity_ee;
  }

  const Homotopy& H_;
  const TrackOptions& options_;
  Path* path_[W];
  bool fresh_[W];
  double s_[W], h_[W], moved_[2][W];
  FormsAt<Real> forms_;
  Number x_[unknowns], k_1_[unknowns], y_[unknowns], dy_[unknowns];
};

}  // namespace JOUNCE_ISA

}  // namespace jounce::stewart_detail
