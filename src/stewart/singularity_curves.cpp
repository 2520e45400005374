// SPDX-License-Identifier: BSD-3-Clause
// Where the determinant vanishes on a plane of poses, and whether a singular pose moves.
//
// Marching squares: the determinant at the nodes of a grid, its zeros on the edges where the sign
// changes (by the Illinois rule), joined inside every cell. A cell with four zeros is decided by
// the sign in its middle.
#include <cmath>
#include <jounce/stewart/workspace.hpp>

#include "stewart/scan.hpp"
#include "stewart/singular_values.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using namespace stewart_detail;

namespace {

/// The zero of f between 0 and 1, where f(0) = a and f(1) = b have different signs.
template <class F>
double zero_between(double a, double b, F f) {
  double left = 0, right = 1;
  for (int k = 0; k < 60 && right - left > 1e-15; ++k) {
    const double x = (left * b - right * a) / (b - a), y = f(x);
    if (y == 0) return x;
    if ((y > 0) == (b > 0)) {
      right = x, b = y, a *= 0.5;
    } else {
      left = x, a = y, b *= 0.5;
    }
  }
  return std::abs(a) < std::abs(b) ? left : right;
}

class Marching {
 public:
  Marching(const Stewart& platform, const PoseSlice& slice, int cells)
      : platform_(platform),
        slice_(slice),
        cells_(cells),
        d_(static_cast<size_t>(cells + 1) * static_cast<size_t>(cells + 1)) {
    scan_all(
        scan_of("singularity_curves", platform, {}), static_cast<long>(d_.size()),
        [&](long k) {
          const SlicePoint x =
              node(static_cast<int>(k) % (cells_ + 1), static_cast<int>(k) / (cells_ + 1));
          return slice_.pose(x.s, x.t);
        },
        [&](long k, unsigned char, double d) { d_[static_cast<size_t>(k)] = d; });
  }

  void cell(int i, int j, std::vector<SlicePoint>& out) const {
    const int corner[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
    SlicePoint zero[4];
    int count = 0;
    for (int e = 0; e < 4; ++e) {
      const int* a = corner[e];
      const int* b = corner[(e + 1) % 4];
      if ((value(a) > 0) != (value(b) > 0)) zero[count++] = on_edge(a, b);
    }
    if (count == 2) out.insert(out.end(), {zero[0], zero[1]});
    if (count != 4) return;
    const SlicePoint a = node(i, j), b = node(i + 1, j + 1);
    const double middle =
        platform_.normalised_determinant(slice_.pose(0.5 * (a.s + b.s), 0.5 * (a.t + b.t)));
    if ((middle > 0) == (value(corner[0]) > 0))  // corners 1 and 3 are cut off
      out.insert(out.end(), {zero[0], zero[1], zero[2], zero[3]});
    else out.insert(out.end(), {zero[3], zero[0], zero[1], zero[2]});
  }

 private:
  SlicePoint node(int i, int j) const {
    return {slice_.s_min + (slice_.s_max - slice_.s_min) * i / cells_,
            slice_.t_min + (slice_.t_max - slice_.t_min) * j / cells_};
  }
  double value(const int* at) const {
    return d_[static_cast<size_t>(at[0]) +
              static_cast<size_t>(cells_ + 1) * static_cast<size_t>(at[1])];
  }
  SlicePoint on_edge(const int* from, const int* to) const {
    const SlicePoint a = node(from[0], from[1]), b = node(to[0], to[1]);
    const auto between = [&](double x) {
      return SlicePoint{a.s + (b.s - a.s) * x, a.t + (b.t - a.t) * x};
    };
    return between(zero_between(value(from), value(to), [&](double x) {
      const SlicePoint at = between(x);
      return platform_.normalised_determinant(slice_.pose(at.s, at.t));
    }));
  }

  const Stewart& platform_;
  const PoseSlice& slice_;
  int cells_;
  std::vector<double> d_;
};

}  // namespace

SE3<double> PoseSlice::pose(double s, double t) const {
  return {origin.R * exp(u.w * s + v.w * t), origin.p + u.v * s + v.v * t};
}

std::vector<SlicePoint> singularity_curves(const Stewart& platform, const PoseSlice& slice,
                                           int cells) {
  const char* call = "singularity_curves";
  if (cells < 1 || cells > 10000) refuse(call, "cells must be 1 to 10000");
  if (!(slice.s_min < slice.s_max && slice.t_min < slice.t_max)) refuse(call, "the slice is empty");
  for (const double s : {slice.s_min, slice.s_max})
    for (const double t : {slice.t_min, slice.t_max}) check_pose(call, slice.pose(s, t));
  const Marching marching(platform, slice, cells);
  std::vector<SlicePoint> segments;
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) marching.cell(i, j, segments);
  return segments;
}

}  // namespace jounce
