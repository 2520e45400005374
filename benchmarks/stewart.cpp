// SPDX-License-Identifier: BSD-3-Clause
// Speed of Gough-Stewart platforms: lengths, poses from lengths, scans of the workspace.
#include <cmath>
#include <jounce/stewart/leg_dynamics.hpp>
#include <jounce/stewart/pose_solver.hpp>
#include <jounce/stewart/workspace.hpp>
#include <jounce/stewart/xie_tables.hpp>

#include "benchmarks/bench.hpp"

namespace jounce::bench {
namespace {

constexpr double rad = 3.14159265358979323846 / 180;

Row stewart_row(const char* algorithm, double ns) {
  return {.robot = "stewart", .algorithm = algorithm, .ns = ns};
}

SE3<double> pose_of(double x, double y, double z, double phi, double theta, double psi) {
  return {exp(Vec3<double>{0, 0, psi * rad}) * exp(Vec3<double>{0, theta * rad, 0}) *
              exp(Vec3<double>{phi * rad, 0, 0}),
          {x, y, z}};
}

/// 20 s at 1 kHz: +-10 cm, +-12 to 15 degrees, 0.6 to 1.3 Hz.
std::vector<SixNumbers> motion(const Stewart& s) {
  std::vector<SixNumbers> lengths;
  for (int k = 0; k < 20000; ++k) {
    const double t = 1e-3 * k, turn = 360 * rad;
    lengths.push_back(
        s.lengths(pose_of(10 * std::sin(0.6 * turn * t), 10 * std::sin(0.8 * turn * t + 1),
                          50 + 10 * std::sin(1.3 * turn * t + 2), 12 * std::sin(0.7 * turn * t + 3),
                          12 * std::sin(0.9 * turn * t + 4), 15 * std::sin(1.1 * turn * t + 5))));
  }
  return lengths;
}

/// The box +-15 cm, z 40 to 60 cm, +-25 degrees, yaw +-30.
std::vector<SE3<double>> box(int count) {
  std::vector<SE3<double>> poses;
  unsigned long long state = 1;
  const auto uniform = [&](double a, double b) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return a + (b - a) * (double(state >> 11) * 0x1p-53);
  };
  for (int k = 0; k < count; ++k) {
    const double x = uniform(-15, 15), y = uniform(-15, 15), z = uniform(40, 60);
    const double phi = uniform(-25, 25), theta = uniform(-25, 25);
    poses.push_back(pose_of(x, y, z, phi, theta, uniform(-30, 30)));
  }
  return poses;
}

/// f(0), f(1), ... up to count and round again, per call; in short batches, so that some of them
/// have the processor for themselves.
template <class F>
double each(size_t count, F f) {
  constexpr int batch = 500;
  size_t k = 0;
  return nanoseconds([&] {
           for (int n = 0; n < batch; ++n) {
             f(k);
             if (++k == count) k = 0;
           }
         }) /
         batch;
}

/// Verdict and determinant of a pose, in lanes; with joint limits, and drawn at random.
std::vector<Row> workspace(const Stewart& s, const std::vector<SE3<double>>& poses) {
  StewartLimits limits;
  limits.shortest.fill(40);
  limits.longest.fill(70);
  limits.mounts = s.mounts_at({{}, {0, 0, 50}});
  limits.base_tilt = limits.platform_tilt = 0.5;
  std::vector<std::uint8_t> verdicts(poses.size());
  Row scan = stewart_row("stewart-workspace", nanoseconds([&] {
                                                scan_poses(s, limits, poses, verdicts);
                                                keep(verdicts);
                                              }) / double(poses.size()));
  Row sample = stewart_row(
      "stewart-workspace-sample",
      nanoseconds([&] {
        keep(sample_workspace(
            s, limits, {{-15, -15, 40}, {15, 15, 60}, {-0.4, -0.4, -0.5}, {0.4, 0.4, 0.5}}, 20000));
      }) / 20000);
  for (Row* r : {&scan, &sample}) r->mode = "batch64", r->lanes = 8;
  return {scan, sample};
}

/// Forces and accelerations of a platform whose legs have mass.
std::vector<Row> leg_dynamics_rows(const Stewart& s, const std::vector<SE3<double>>& poses) {
  const Inertia<double> body{7, {0, 0, 1}, {900, 0, 900, 0, 0, 1400}};
  const Inertia<double> rod{1, {0, 0, 17}, {400, 0, 400, 0, 0, 1}};
  std::array<LegBodies, 6> legs;
  legs.fill({rod, rod});
  const StewartDynamics dynamics(s, body, legs, s.mounts_at({{}, {0, 0, 50}}));
  const Twist<double> V{{0.1, -0.2, 0.3}, {4, -5, 6}};
  const SixNumbers forces{1, 2, 3, 4, 5, 6};
  return {
      stewart_row("stewart-inverse",
                  each(poses.size(), [&](size_t k) { keep(dynamics.inverse(poses[k], V, V)); })),
      stewart_row("stewart-forward", each(poses.size(), [&](size_t k) {
                    keep(dynamics.forward(poses[k], V, forces));
                  }))};
}

}  // namespace

std::vector<Row> stewart() {
  const XieExperiment x = xie_experiment();
  const SE3<double> home{{}, {0, 0, 50}};
  const std::vector<SixNumbers> ticks = motion(x.platform);
  const std::vector<SE3<double>> poses = box(20000);
  std::vector<SixNumbers> lengths;
  for (const SE3<double>& T : poses) lengths.push_back(x.platform.lengths(T));
  PoseSolver solver(x.platform, home);
  std::vector<Row> rows = leg_dynamics_rows(x.platform, poses);
  const auto add = [&](const char* name, size_t count, auto f) {
    rows.push_back(stewart_row(name, each(count, f)));
  };
  add("stewart-ik", poses.size(), [&](size_t k) { keep(x.platform.lengths(poses[k])); });
  add("stewart-fk-warm", ticks.size(), [&](size_t k) { keep(solver.solve(ticks[k])); });
  add("stewart-fk-cold", poses.size(), [&](size_t k) { keep(solver.solve(lengths[k], home)); });
  add("stewart-determinant", poses.size(),
      [&](size_t k) { keep(x.platform.normalised_determinant(poses[k])); });
  add("stewart-singularity-distance", 2000,
      [&](size_t k) { keep(x.platform.singularity_distance(poses[k])); });
  for (Row& measured : workspace(x.platform, poses)) rows.push_back(std::move(measured));
  for (Row& measured : stewart_all_poses()) rows.push_back(std::move(measured));
  return rows;
}

}  // namespace jounce::bench
