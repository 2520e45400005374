// SPDX-License-Identifier: BSD-3-Clause
// From lengths to poses: scaling, complex solutions, the real ones polished and certified.
#include <algorithm>
#include <chrono>
#include <jounce/stewart/all_poses.hpp>

#include "linear_algebra/elimination.hpp"
#include "stewart/family.hpp"
#include "stewart/krawczyk.hpp"
#include "stewart/root_search.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {
namespace stewart_detail {
namespace {

using Number = Complex<double>;

constexpr const char* family_names[] = {"general", "semi-regular", "paired"};

/// Below the first a root is real; below the second a real pose near it is looked for.
constexpr double surely_real = 1e-7, perhaps_real = 1e-3;

Vec3<double> mean_of(const SixPoints& points) {
  Vec3<double> sum;
  for (const Vec3<double>& x : points) sum += x * (1.0 / legs);
  return sum;
}

/// The problem in frames at the points' centres. Paths are followed with points near one; proofs
/// are better in a unit that long legs enlarge. Both units are powers of two.
struct Problem {
  CentredPlatform exact;
  SixPoints base, platform;
  SixNumbers lengths;
  double unit = 1;
  FamilyView view;
};

double power_of_two_near(double x) { return std::exp2(std::round(std::log2(x))); }

Problem make_problem(const Stewart& platform, const SixNumbers& lengths) {
  Problem p{{&platform, lengths, mean_of(platform.base()), mean_of(platform.platform())},
            platform.base(),
            platform.platform(),
            lengths};
  double size = 0, reach = 0;
  for (size_t i = 0; i < legs; ++i) {
    p.base[i] -= p.exact.base_centre;
    p.platform[i] -= p.exact.platform_centre;
    size += std::hypot(norm(p.base[i]), norm(p.platform[i])) / legs;
    reach += 0.5 * lengths[i] / legs;
  }
  p.unit = power_of_two_near(0.5 * size);
  p.exact.unit = power_of_two_near(0.5 * std::hypot(size, reach));
  for (size_t i = 0; i < legs; ++i) {
    p.base[i] = p.base[i] * (1 / p.unit);
    p.platform[i] = p.platform[i] * (1 / p.unit);
    p.lengths[i] /= p.unit;
  }
  p.view = find_family(p.base, p.platform);
  return p;
}

void set_legs(const Problem& p, const PointsInView& points, Leg<Number>* leg) {
  for (size_t i = 0; i < legs; ++i) {
    const Vec3<double>&a = points.base[i], &b = points.platform[i];
    const double L = p.lengths[size_t(p.view.order[i])];
    leg[i] = {{{a.x, 0}, {a.y, 0}, {a.z, 0}},
              {{b.x, 0}, {b.y, 0}, {b.z, 0}},
              {dot(a, a) + dot(b, b) - L * L, 0}};  // (2)
  }
}

RootSearch complex_poses(const Problem& p, const StartSystem& start, int max_gammas) {
  const PointsInView points = points_in_view(p.view, p.base, p.platform);
  Leg<Number> member[legs], target[legs];
  set_legs(p, points, target);
  if (start.family == Family::general) return find_roots(start, target, target, {}, max_gammas);
  set_legs(p, moved_onto_family(p.view, points), member);
  return find_roots(start, member, target, {}, max_gammas);
}

/// How far x is from a multiple of a real vector, and the nearest pose: R(e), p = 2 Im(g e*)/(e.e).
double imaginary_part(const Root& root, SE3<double>& T) {
  int largest = 0;
  for (int i = 1; i < unknowns; ++i)
    if (squared_norm(root.x[i]) > squared_norm(root.x[largest])) largest = i;
  const Number turn = conj(root.x[largest]) * (1 / std::sqrt(squared_norm(root.x[largest])));
  double x[unknowns], imaginary = 0;
  for (int i = 0; i < unknowns; ++i) {
    const Number z = root.x[i] * turn;
    x[i] = z.re;
    imaginary = std::max(imaginary, std::abs(z.im));
  }
  const Quaternion<double> e{x[1], x[2], x[3], x[0]}, g{x[5], x[6], x[7], x[4]};
  const Quaternion<double> p = g * inverse(e);
  const double ee = squared_norm(e);
  T = {to_rotation(normalize(e)), Vec3<double>{p.x, p.y, p.z} * (2 / ee)};
  return imaginary;
}

/// One Newton step on SE(3) for r_i = |R b_i + p - a_i|^2 - L_i^2; its length.  [Xie] (22)
double polish_step(const Problem& p, SE3<double>& T) {
  Mat6<double> J;
  double r[6], X[6];
  for (int i = 0; i < legs; ++i) {
    const Vec3<double>&a = p.base[size_t(i)], &b = p.platform[size_t(i)];
    const Vec3<double> leg = b + inverse_times(T.R, T.p - a), moment = cross(b, leg);
    const double row[6] = {moment.x, moment.y, moment.z, leg.x, leg.y, leg.z};
    for (int j = 0; j < 6; ++j) J(i, j) = 2 * row[j];
    r[i] = p.lengths[size_t(i)] * p.lengths[size_t(i)] - dot(leg, leg);
  }
  dense::Elimination<>(J).solve(r, X);
  T = T * exp(Twist<double>{{X[0], X[1], X[2]}, {X[3], X[4], X[5]}});
  T.R = to_rotation(to_quaternion(T.R));
  double size = 0;
  for (const double part : X) size += part * part;
  return std::sqrt(size);
}

/// Newton's method from a pose near; false when it leaves or does not settle.
bool polish(const Problem& p, SE3<double>& T) {
  double step = 1, first = 0;
  for (int k = 0; k < 12 && !(step < 1e-15); ++k) {
    step = polish_step(p, T);
    if (k == 0) first = step;
    if (!(step < 0.1)) return false;
    if (k > 4 && step > 1e-12 && step > 0.5 * first) break;
  }
  return step < 1e-6;
}

double difference(const SE3<double>& T, const SE3<double>& U) {
  const Twist<double> X = log(inverse_times(T, U));
  return std::hypot(norm(X.w), norm(X.v));
}

/// The pose in the user's frames and units.
SE3<double> to_user(const Problem& p, const SE3<double>& T) {
  return {T.R, T.p * p.unit + p.exact.base_centre - T.R * p.exact.platform_centre};
}

class RealPoses {
 public:
  RealPoses(const Problem& p, const AllPosesOptions& options) : p_(p), options_(options) {}

  void add(const Root& root) {
    SE3<double> T;
    const double imaginary = imaginary_part(root, T);
    if (!(imaginary < perhaps_real)) return;
    const bool is_real = root.multiple || imaginary < surely_real;
    T = pose_from_view(p_.view, T);
    const SE3<double> unpolished = T;
    const bool polished = polish(p_, T);
    if (!polished && !is_real) return;
    if (!polished) T = unpolished;
    const SE3<double> scaled{T.R, T.p * (p_.unit / p_.exact.unit)};
    const Certificate proof =
        options_.certify ? certify(p_.exact, scaled) : Certificate{false, "not asked for", 0};
    if (!is_real && !proof.certified) return;
    for (const SE3<double>& other : found_)
      if (difference(other, T) < 1e-9) return;
    found_.push_back(T);
    modes_.push_back(mode(T, proof));
  }

  std::vector<AssemblyMode> sorted() {
    std::sort(modes_.begin(), modes_.end(), [&](const AssemblyMode& a, const AssemblyMode& b) {
      return options_.near ? a.distance < b.distance : a.pose.p.z > b.pose.p.z;
    });
    return std::move(modes_);
  }

 private:
  AssemblyMode mode(const SE3<double>& T, const Certificate& proof) const {
    const Stewart& platform = *p_.exact.platform;
    AssemblyMode mode{to_user(p_, T), 0, proof.certified, proof.reason, 0};
    const SixNumbers L = platform.lengths(mode.pose);
    for (size_t i = 0; i < legs; ++i)
      mode.residual = std::max(mode.residual, std::abs(L[i] - p_.exact.lengths[i]));
    if (options_.near) {
      const SE3<double> between = inverse_times(*options_.near, mode.pose);
      mode.distance = std::hypot(norm(log(between.R)) * platform.size(), norm(between.p));
    }
    return mode;
  }

  const Problem& p_;
  const AllPosesOptions& options_;
  std::vector<SE3<double>> found_;
  std::vector<AssemblyMode> modes_;
};

}  // namespace
}  // namespace stewart_detail

AllPoses all_poses(const Stewart& platform, const SixNumbers& lengths,
                   const AllPosesOptions& options) {
  using namespace stewart_detail;
  const auto start = std::chrono::steady_clock::now();
  check_lengths("all_poses", lengths);
  if (options.near) check_pose("all_poses", *options.near);
  if (options.max_gammas < 1) refuse("all_poses", "max_gammas must be positive");
  const Problem problem = make_problem(platform, lengths);
  const StartSystem& system = start_systems()[size_t(problem.view.family)];
  const RootSearch found = complex_poses(problem, system, options.max_gammas);
  RealPoses real(problem, options);
  for (const Root& root : found.roots) real.add(root);
  AllPoses all;
  all.poses = real.sorted();
  all.family = family_names[int(system.family)];
  all.paths = system.roots;
  all.complex_count = int(found.roots.size());
  all.at_infinity = found.infinite;
  all.multiple = found.multiple;
  all.lost = found.lost;
  all.retracked = found.retracked;
  all.gammas = found.gammas;
  all.converged = found.lost == 0 && !found.doubtful;
  all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return all;
}

Stewart dietmaier_platform() {
  return {{{{0, 0, 0},
            {1.107915, 0, 0},
            {0.549094, 0.756063, 0},
            {0.735077, -0.223935, 0.525991},
            {0.514188, -0.526063, -0.368418},
            {0.590473, 0.094733, -0.205018}}},
          {{{0, 0, 0},
            {0.542805, 0, 0},
            {0.956919, -0.528915, 0},
            {0.665885, -0.353482, 1.402538},
            {0.478359, 1.158742, 0.107672},
            {-0.137087, -0.235121, 0.353913}}}};
}

}  // namespace jounce
