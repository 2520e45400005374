// SPDX-License-Identifier: BSD-3-Clause
// Charts of poses as a user calls them.  [Xie] (16), (19), (20)
#include <jounce/stewart/pose_chart.hpp>

#include "stewart/charts.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {
namespace {

using namespace stewart_detail;

template <int N>
void read_unknowns(std::span<const double> x, double (&to)[N]) {
  if (x.size() != N)
    refuse("PoseChart",
           "there are " + std::to_string(x.size()) + " unknowns, needs " + std::to_string(N));
  double sum = 0;
  for (const double part : x) sum += 0 * part;
  if (sum != 0) refuse("PoseChart", "the unknowns are not finite");
  std::copy(x.begin(), x.end(), to);
}

void read_quaternion(std::span<const double> x, double (&to)[7]) {
  read_unknowns(x, to);
  if (!(std::hypot(std::hypot(to[3], to[4]), std::hypot(to[5], to[6])) > 0))
    refuse("PoseChart", "the quaternion is zero, needs a direction");
}

/// T exp(x) or exp(x) T for any kind of number.
template <class Real>
SE3<Real> displaced_pose(const SE3<double>& at, Increment increment, const Real (&x)[6]) {
  const SE3<Real> step = exp(Twist<Real>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
  const auto row = [&](int i) {
    const Vec3<double>& r = at.R.m.row[i];
    return Vec3<Real>{Real(r.x), Real(r.y), Real(r.z)};
  };
  const SE3<Real> T{{{{row(0), row(1), row(2)}}}, {Real(at.p.x), Real(at.p.y), Real(at.p.z)}};
  return increment == Increment::body ? T * step : step * T;
}

template <int N>
ChartValue value_of(const SE3<double>& pose, const double (&r)[N], const Matrix<double, N, N>& J) {
  ChartValue value{pose, {r, r + N}, {}, 0, std::vector<double>(N)};
  for (int i = 0; i < N; ++i) {
    value.objective += r[i] * r[i] / 2;
    for (int j = 0; j < N; ++j) {
      value.jacobian.push_back(J(i, j));
      value.gradient[static_cast<size_t>(j)] += J(i, j) * r[i];
    }
  }
  return value;
}

template <class Map>
ChartValue flat_value(const Stewart& s, const SixNumbers& L,
                      const typename FlatChart<Map>::State& state) {
  const FlatChart<Map> chart{s, L};
  double r[Map::n];
  Matrix<double, Map::n, Map::n> J;
  chart.linearise(state, r, J);
  return value_of(chart.pose(state), r, J);
}

ChartValue se3_value(const Stewart& s, const SixNumbers& L, const SE3<double>& at,
                     Increment increment, const double (&x)[6]) {
  using D = Dual<double, 6>;
  D variables[6], y[6];
  for (int k = 0; k < 6; ++k) variables[k] = D::variable(x[k], k);
  squared_residual(s, L, displaced_pose(at, increment, variables), y);
  double r[6];
  Mat6<double> J;
  for (int i = 0; i < 6; ++i) {
    r[i] = y[i].a;
    for (int j = 0; j < 6; ++j) J(i, j) = y[i].d[j];
  }
  return value_of(displaced_pose(at, increment, x), r, J);
}

}  // namespace

PoseChart::PoseChart(StewartChart kind, const SE3<double>& at, Increment increment)
    : kind_(kind), at_(at), increment_(increment) {
  check_pose("PoseChart", at);
}

std::vector<double> PoseChart::coordinates(const SE3<double>& T) const {
  check_pose("PoseChart", T);
  double x[7];
  if (kind_ == StewartChart::se3) {
    const Twist<double> s =
        log(increment_ == Increment::body ? inverse_times(at_, T) : T * inverse(at_));
    return {s.w.x, s.w.y, s.w.z, s.v.x, s.v.y, s.v.z};
  }
  if (kind_ == StewartChart::quaternion) {
    QuaternionMap::coordinates(T, x);
    return {x, x + 7};
  }
  double angles[6];
  EulerMap::coordinates(T, angles);
  return {angles, angles + 6};
}

SE3<double> PoseChart::pose(std::span<const double> x) const {
  double seven[7], all[6];
  if (kind_ == StewartChart::quaternion) {
    read_quaternion(x, seven);
    return QuaternionMap::pose(seven);
  }
  read_unknowns(x, all);
  return kind_ == StewartChart::se3 ? displaced_pose(at_, increment_, all) : EulerMap::pose(all);
}

ChartValue PoseChart::evaluate(const Stewart& platform, const SixNumbers& lengths,
                               std::span<const double> x) const {
  check_lengths("PoseChart", lengths);
  FlatChart<QuaternionMap>::State seven;
  FlatChart<EulerMap>::State all;
  if (kind_ == StewartChart::quaternion) {
    read_quaternion(x, seven.x);
    return flat_value<QuaternionMap>(platform, lengths, seven);
  }
  read_unknowns(x, all.x);
  return kind_ == StewartChart::se3 ? se3_value(platform, lengths, at_, increment_, all.x)
                                    : flat_value<EulerMap>(platform, lengths, all);
}

}  // namespace jounce
