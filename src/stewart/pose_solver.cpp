// SPDX-License-Identifier: BSD-3-Clause
// Real-time poses: Newton's method in lanes, and the nearest pose where it fails.
#include <algorithm>
#include <jounce/stewart/pose_solver.hpp>

#include "stewart/impossible.hpp"
#include "stewart/nearest_pose.hpp"
#include "stewart/scan.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {

using namespace stewart_detail;
namespace {

StewartLegs legs_in_lanes(const Stewart& s) {
  StewartLegs legs;
  legs.size = s.size();
  for (size_t i = 0; i < 8; ++i) {
    const Vec3<double> a = s.base()[std::min<size_t>(i, 5)];
    const Vec3<double> b = s.platform()[std::min<size_t>(i, 5)] - s.platform_centre();
    legs.a[0][i] = a.x, legs.a[1][i] = a.y, legs.a[2][i] = a.z;
    legs.b[0][i] = b.x, legs.b[1][i] = b.y, legs.b[2][i] = b.z;
  }
  return legs;
}

}  // namespace

struct PoseSolver::Impl {
  /// Position and unit quaternion (x, y, z, w) of the platform's centre.
  struct Start {
    double q[4], p[3];
  };

  Stewart platform;
  PoseSolverOptions options;
  StewartLegs legs;
  Start home{}, start{};
  double sign = 1;
  double largest_coordinate = 0;
  PoseSolution solution;
  std::optional<StewartScan> domain;

  Impl(const Stewart& s, const PoseSolverOptions& o)
      : platform(s), options(o), legs(legs_in_lanes(s)) {
    if (o.domain) domain = scan_of("PoseSolver", s, *o.domain);
    for (size_t i = 0; i < 6; ++i)
      largest_coordinate = std::max({largest_coordinate, norm(s.base()[i]), norm(s.platform()[i])});
  }

  /// The error of a length that counts as none: the tolerance and rounding of the coordinates.
  double wanted(const SixNumbers& lengths) const {
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    return options.tolerance * platform.size() + 1e-14 * (largest_coordinate + longest);
  }

  Start start_of(const SE3<double>& T) const {
    const Quaternion<double> q = to_quaternion(T.R);
    const Vec3<double> p = T * platform.platform_centre();
    return {{q.x, q.y, q.z, q.w}, {p.x, p.y, p.z}};
  }
  SE3<double> pose_of(const Start& from) const {
    const SO3<double> R =
        to_rotation(Quaternion<double>{from.q[0], from.q[1], from.q[2], from.q[3]});
    return {R, Vec3<double>{from.p[0], from.p[1], from.p[2]} - R * platform.platform_centre()};
  }
  /// Which limits of the domain a pose breaks.
  std::uint8_t out_of_reach(const SE3<double>& T) const {
    std::uint8_t flags = 0;
    if (domain)
      scan_all(
          *domain, 1, [&](long) { return T; },
          [&](long, unsigned char verdict, double) { flags = verdict; });
    return flags;
  }
  void solve(const SixNumbers& lengths, const Start& from);
  Start accept(const StewartNewton& found);
  Start search(const SixNumbers& lengths, const Start& from);
  Start restart(const SixNumbers& lengths, const Start& from);
  void enforce_domain();
};

void PoseSolver::Impl::solve(const SixNumbers& lengths, const Start& from) {
  StewartNewton newton{};
  std::copy(from.q, from.q + 4, newton.q);
  std::copy(from.p, from.p + 3, newton.p);
  newton.tolerance = wanted(lengths);
  newton.max_iterations = options.max_iterations;
  stewart_kernels().newton(legs, lengths.data(), newton);
  Start end = newton.converged ? accept(newton) : search(lengths, from);
  enforce_domain();
  if (!solution.converged && options.restarts > 0 &&
      solution.failure != PoseFailure::impossible_lengths)
    end = restart(lengths, from);
  if (solution.converged) start = end;
  solution.branch_flip = solution.determinant * sign < 0;
}

void PoseSolver::Impl::enforce_domain() {
  solution.out_of_reach = out_of_reach(solution.pose);
  if (!solution.converged || solution.out_of_reach == 0) return;
  solution.converged = false;
  solution.failure = PoseFailure::outside_domain;
}

PoseSolver::Impl::Start PoseSolver::Impl::accept(const StewartNewton& found) {
  Start end;
  std::copy(found.q, found.q + 4, end.q);
  std::copy(found.p, found.p + 3, end.p);
  const double* R = found.R;
  const Vec3<double> p{found.p[0], found.p[1], found.p[2]};
  solution.pose.R.m = {{{R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]}}};
  solution.pose.p = p - solution.pose.R * platform.platform_centre();
  solution.converged = true;
  solution.residual = found.error;
  solution.iterations = found.iterations;
  solution.determinant =
      found.iterations > 0 ? found.determinant : platform.normalised_determinant(solution.pose);
  solution.failure = PoseFailure::none;
  solution.leg_1 = solution.leg_2 = -1;
  return end;
}

/// The nearest pose from the start, or from home where that is nearer still.
PoseSolver::Impl::Start PoseSolver::Impl::search(const SixNumbers& lengths, const Start& from) {
  const double close = wanted(lengths), stop = 0.1 * close / platform.size();
  NearestPose best = nearest_pose(platform, lengths, pose_of(from), options.max_descent, stop);
  int iterations = options.max_iterations + best.iterations;
  if (best.largest > close) {
    const NearestPose other =
        nearest_pose(platform, lengths, pose_of(home), options.max_descent, stop);
    iterations += other.iterations;
    if (other.sum < best.sum) best = other;
  }
  solution = {.pose = best.pose,
              .converged = best.largest <= close,
              .residual = best.largest,
              .iterations = iterations,
              .determinant = platform.normalised_determinant(best.pose)};
  if (!solution.converged) {
    const ImpossiblePair pair = impossible_pair(platform, lengths, close);
    solution.leg_1 = pair.leg_1, solution.leg_2 = pair.leg_2;
    solution.failure = pair.found()                            ? PoseFailure::impossible_lengths
                       : best.iterations < options.max_descent ? PoseFailure::singular_minimum
                                                               : PoseFailure::max_descent;
  }
  return start_of(best.pose);
}

/// From home turned about its axes; of the poses found the nearest to the start.
PoseSolver::Impl::Start PoseSolver::Impl::restart(const SixNumbers& lengths, const Start& from) {
  constexpr Vec3<double> turns[12] = {{1.4, 0, 0}, {-1.4, 0, 0}, {0, 1.4, 0}, {0, -1.4, 0},
                                      {2, 0, 0},   {-2, 0, 0},   {0, 2, 0},   {0, -2, 0},
                                      {0, 0, 2},   {0, 0, -2},   {0, 0, 1.4}, {0, 0, -1.4}};
  const double close = wanted(lengths), stop = 0.1 * close / platform.size();
  const SE3<double> here = pose_of(from), centre{{}, platform.platform_centre()};
  const SE3<double> at_home = pose_of(home);
  double nearest = 1e300;
  Start end = start;
  for (int k = 0; k < options.restarts; ++k) {
    const SE3<double> turned = at_home * centre * SE3<double>{exp(turns[k]), {}} * inverse(centre);
    const NearestPose found = nearest_pose(platform, lengths, turned, options.max_descent, stop);
    solution.iterations += found.iterations;
    if (found.largest > close || out_of_reach(found.pose) != 0) continue;
    const Vec3<double> moved = (found.pose * platform.platform_centre()) - (here * centre.p);
    const double distance =
        norm(log(inverse(here.R) * found.pose.R)) * platform.size() + norm(moved);
    if (distance >= nearest) continue;
    nearest = distance;
    solution = {.pose = found.pose,
                .converged = true,
                .residual = found.largest,
                .iterations = solution.iterations,
                .determinant = platform.normalised_determinant(found.pose)};
    end = start_of(found.pose);
  }
  return end;
}

PoseSolver::PoseSolver(const Stewart& platform, const SE3<double>& home,
                       const PoseSolverOptions& options)
    : impl_(std::make_unique<Impl>(platform, options)) {
  check_pose("PoseSolver", home);
  if (options.max_iterations < 1 || options.max_descent < 0)
    refuse("PoseSolver", "max_iterations must be positive and max_descent not negative");
  if (!(options.tolerance > 0)) refuse("PoseSolver", "tolerance must be positive");
  if (options.restarts < 0 || options.restarts > 12)
    refuse("PoseSolver", "restarts is " + std::to_string(options.restarts) + ", needs 0 to 12");
  const double determinant = platform.normalised_determinant(home);
  if (!(std::abs(determinant) > 1e-9)) refuse("PoseSolver", "the home pose is singular");
  if (const std::uint8_t flags = impl_->out_of_reach(home); flags != 0)
    refuse("PoseSolver", "the home pose is outside the domain: " + reach_text(flags));
  impl_->sign = determinant > 0 ? 1 : -1;
  impl_->home = impl_->start = impl_->start_of(home);
  impl_->solution.pose = home;
  impl_->solution.determinant = determinant;
}
PoseSolver::PoseSolver(PoseSolver&&) noexcept = default;
PoseSolver& PoseSolver::operator=(PoseSolver&&) noexcept = default;
PoseSolver::~PoseSolver() = default;
const Stewart& PoseSolver::platform() const noexcept { return impl_->platform; }
const PoseSolution& PoseSolver::last() const noexcept { return impl_->solution; }

const PoseSolution& PoseSolver::solve(const SixNumbers& lengths) {
  check_lengths("PoseSolver", lengths);
  impl_->solve(lengths, impl_->start);
  return impl_->solution;
}

const PoseSolution& PoseSolver::solve(const SixNumbers& lengths, const SE3<double>& start) {
  check_lengths("PoseSolver", lengths);
  check_pose("PoseSolver", start);
  impl_->solve(lengths, impl_->start_of(start));
  return impl_->solution;
}

void PoseSolver::restart(const SE3<double>& pose) {
  check_pose("PoseSolver", pose);
  impl_->start = impl_->start_of(pose);
}

std::string explain_failure(const Stewart& platform, const SixNumbers& lengths,
                            const PoseSolution& found) {
  switch (found.failure) {
    case PoseFailure::none:
      break;
    case PoseFailure::impossible_lengths:
      return "no pose has these lengths: " + text_of(platform, lengths, {found.leg_1, found.leg_2});
    case PoseFailure::singular_minimum:
      return "the search ended at a singular pose whose lengths are off by " +
             short_text(found.residual) + " at most; all_poses tells whether others have them";
    case PoseFailure::max_descent:
      return "the search was given up where lengths are off by " + short_text(found.residual) +
             " at most; all_poses tells whether poses have them";
    case PoseFailure::outside_domain:
      return "the pose with these lengths is outside the domain: " + reach_text(found.out_of_reach);
  }
  return "";
}

double PoseSolver::singularity_distance() const {
  return impl_->platform.singularity_distance(impl_->solution.pose);
}

}  // namespace jounce
