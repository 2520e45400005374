// SPDX-License-Identifier: BSD-3-Clause
// Runs the path tracker, explains where every path went, and repeats what it cannot explain.
#include "stewart/root_search.hpp"

#include <algorithm>
#include <cmath>

#include "stewart/kernels.hpp"

namespace jounce::stewart_detail {
namespace {

using Number = Complex<double>;

/// Roots nearer than this are one: unit vectors, far above rounding and far below the distance of
/// roots that a pose measured in double can tell apart.
constexpr double same_root = 1e-6;
/// A multiple root is known to the square root of rounding, or less.
constexpr double same_multiple_root = 1e-4;

double distance(const Number* x, const Number* y) {
  Number product{};
  for (int i = 0; i < unknowns; ++i) product += conj(x[i]) * y[i];
  return std::sqrt(std::max(0.0, 1 - squared_norm(product)));
}

void scale_to_sphere(Number* x) {
  double size = 0;
  for (int i = 0; i < unknowns; ++i) size += squared_norm(x[i]);
  for (int i = 0; i < unknowns; ++i) x[i] = x[i] * (1 / std::sqrt(size));
}

/// One Newton step on the target's equations in the chart around x; its length.
double newton_step(const LegForm<Number>* form, Number* x) {
  Augmented<double, 1> A;
  half_jacobian(form, x, A);
  for (int i = 0; i < unknowns; ++i) A[7][i] = conj(x[i]);
  for (int i = 0; i < unknowns; ++i) {
    A[i][unknowns] = {};
    for (int j = 0; j < unknowns && i < 7; ++j) A[i][unknowns] -= A[i][j] * x[j] * 0.5;
  }
  solve<double, 1>(A);
  double size = 0;
  for (int i = 0; i < unknowns; ++i) {
    size += squared_norm(A[i][unknowns]);
    x[i] += A[i][unknowns];
  }
  scale_to_sphere(x);
  return std::sqrt(size);
}

/// Newton's method until rounding; whether its last step is as small as that. Four steps are not
/// enough at a multiple root or at infinity, where each only halves the distance.
bool settle(const LegForm<Number>* form, Path& path, double small) {
  double step = 1;
  for (int k = 0; k < 4 && !(step < 1e-13); ++k) step = newton_step(form, path.x);
  return step < small;
}

/// Whether Newton's method comes back from a little way off in one step, as it does at a simple
/// root.
bool is_simple(const LegForm<Number>* form, const Number* x) {
  constexpr double way = 1e-5;
  Number y[unknowns];
  for (int i = 0; i < unknowns; ++i) {
    const double angle = 1 + 2.4 * i;  // no special direction
    y[i] = x[i] + Number{std::cos(angle), std::sin(angle)} * way;
  }
  newton_step(form, y);
  return distance(x, y) < 0.1 * way;
}

/// settle() at what may be a multiple root: as long as steps shrink, and at most to the square root
/// of rounding.
bool settle_slowly(const LegForm<Number>* form, Path& path) {
  double step = 1;
  for (int k = 0; k < 40 && step > 1e-7; ++k) {
    Path next = path;
    const double moved = newton_step(form, next.x);
    if (!(moved < (k == 0 ? 1e-2 : 1.2 * step))) break;
    step = moved;
    path = next;
  }
  return step < 1e-5;
}

bool at_infinity(const Path& path) {
  Number ee{};
  for (int i = 0; i < 4; ++i) ee += path.x[i] * path.x[i];
  return squared_norm(ee) < 1e-30;
}

bool has_end(const Path& path) {
  return path.end == PathEnd::finite || path.end == PathEnd::multiple;
}

class Search {
 public:
  Search(const StartSystem& start, const Leg<Number>* member, const Leg<Number>* target,
         const TrackOptions& options)
      : start_(start), member_(member), target_(target), options_(options) {
    start.legs_into(start_legs_);
  }

  /// All paths with one gamma; true when each has an end of its own.
  bool run(Number gamma, RootSearch& found) {
    to_member_ = make_homotopy(start_legs_, member_, gamma);
    to_target_ = make_homotopy(member_, target_, gamma);
    Path path[max_poses];
    for (int k = 0; k < start_.roots; ++k) start_.root_into(k, path[k].x);
    follow(path, start_.roots, options_);
    const int retracked = retrack(path);
    found.retracked += retracked;
    found.doubtful = retracked > start_.roots / 2;
    return collect(path, found) && !found.doubtful;
  }

 private:
  void follow(Path* path, int count, const TrackOptions& options) {
    stewart_kernels().track_paths(to_member_, options, path, count);
    for (int k = 0; k < count; ++k) end_at(to_member_.power[0], path[k]);
    if (member_ == target_) return;
    Path moving[max_poses];
    int from[max_poses], moved = 0;
    for (int k = 0; k < count; ++k)
      if (has_end(path[k])) {
        from[moved] = k;
        std::copy(path[k].x, path[k].x + unknowns, moving[moved++].x);
      }
    if (moved == 0) return;
    stewart_kernels().track_paths(to_target_, options, moving, moved);
    for (int k = 0; k < moved; ++k) {
      end_at(to_target_.power[0], moving[k]);
      path[from[k]] = moving[k];
    }
  }

  /// A path that seemed to go to infinity may have been on its way to a pose that is only far away;
  /// one that was lost close to its end, to a multiple root.
  static void end_at(const LegForm<Number>* form, Path& path) {
    if (path.end == PathEnd::lost && path.s > 1e-4) return;
    const bool settled = settle(form, path, path.end == PathEnd::finite ? 1e-8 : 1e-12);
    if (at_infinity(path)) path.end = PathEnd::infinite;
    else if (settled) path.end = PathEnd::finite;
    else if (path.end != PathEnd::infinite)
      path.end = settle_slowly(form, path) ? PathEnd::multiple : PathEnd::lost;
  }

  bool meets_another(const Path* path, int k) const {
    for (int j = 0; j < start_.roots; ++j) {
      if (j == k || !has_end(path[j])) continue;
      const bool both = path[j].end == PathEnd::multiple && path[k].end == PathEnd::multiple;
      if (distance(path[j].x, path[k].x) < (both ? same_multiple_root : same_root)) return true;
    }
    return false;
  }
  bool suspicious(const Path* path, int k) const {
    if (path[k].end == PathEnd::infinite) return false;
    return path[k].end != PathEnd::finite || meets_another(path, k);
  }

  int retrack(Path* path) {
    int from[max_poses], count = 0;
    Path again[max_poses];
    for (int k = 0; k < start_.roots; ++k)
      if (suspicious(path, k)) {
        start_.root_into(k, again[count].x);
        from[count++] = k;
      }
    if (count == 0) return 0;
    TrackOptions tight = options_;
    tight.prediction_error *= 1e-2;
    tight.correction *= 1e-1;
    tight.first_step *= 0.5;
    tight.smallest_step *= 1e-3;
    tight.max_steps *= 5;
    follow(again, count, tight);
    for (int k = 0; k < count; ++k) path[from[k]] = again[k];
    return count;
  }

  /// A root where Newton's method is slow and no other path ends lies on a curve of roots: the
  /// platform moves with locked legs, and the path has no end of its own. Of two paths that end at
  /// a simple root, one has jumped.
  bool collect(const Path* path, RootSearch& found) {
    int infinite = 0, lost = 0, met = 0, jumped = 0;
    for (int k = 0; k < start_.roots; ++k) {
      infinite += path[k].end == PathEnd::infinite;
      if (path[k].end == PathEnd::infinite) continue;
      const bool shared = has_end(path[k]) && meets_another(path, k);
      met += shared;
      jumped += shared && is_simple(to_target_.power[0], path[k].x);
      if (path[k].end == PathEnd::finite || shared)
        add(path[k].x, path[k].end == PathEnd::multiple, found);
      else ++lost;
    }
    lost += (jumped + 1) / 2;
    add_conjugates(found);
    const int missing = std::max(0, start_.roots - int(found.roots.size()));
    found.lost = std::min(missing, found.gammas == 0 ? lost : std::min(lost, found.lost));
    found.infinite = std::min(missing - found.lost, std::max(infinite, found.infinite));
    found.multiple = missing - found.lost - found.infinite;
    ++found.gammas;
    return missing == 0 || (lost == 0 && met == 0);
  }

  static void add(const Number* x, bool multiple, RootSearch& found) {
    for (const Root& root : found.roots)
      if (distance(root.x, x) < (multiple && root.multiple ? same_multiple_root : same_root))
        return;
    Root root;
    std::copy(x, x + unknowns, root.x);
    root.multiple = multiple;
    found.roots.push_back(root);
  }

  /// The target is real: the conjugate of a root is a root.
  static void add_conjugates(RootSearch& found) {
    for (size_t k = 0, count = found.roots.size(); k < count; ++k) {
      Number x[unknowns];
      for (int i = 0; i < unknowns; ++i) x[i] = conj(found.roots[k].x[i]);
      add(x, found.roots[k].multiple, found);
    }
  }

  const StartSystem& start_;
  const Leg<Number>*member_, *target_;
  const TrackOptions& options_;
  Leg<Number> start_legs_[legs];
  Homotopy to_member_, to_target_;
};

}  // namespace

RootSearch find_roots(const StartSystem& start, const Leg<Number>* member,
                      const Leg<Number>* target, const TrackOptions& options, int max_gammas) {
  RootSearch found;
  Search search(start, member, target, options);
  for (int k = 0; k < max_gammas; ++k) {
    const double angle = 0.6 + 2.4 * k;  // nothing special, and far from the last
    if (search.run({std::cos(angle), std::sin(angle)}, found)) break;
  }
  return found;
}

}  // namespace jounce::stewart_detail
