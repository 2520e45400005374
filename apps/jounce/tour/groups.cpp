// SPDX-License-Identifier: BSD-3-Clause
// Tour, chapter "Rotations and poses": the laws of SO(3) and SE(3), and accuracy near 0 and pi.
#include <jounce/group/inertia.hpp>
#include <jounce/group/lie_derivative.hpp>

#include "apps/jounce/tour/chapters.hpp"
#include "report/plot.hpp"

namespace jounce::app {
namespace {

double size(const Twist<double>& V) { return std::max(norm(V.w), norm(V.v)); }
double size(const Wrench<double>& F) { return std::max(norm(F.m), norm(F.f)); }
double distance(const SE3<double>& T, const SE3<double>& U) {
  double d = norm(T.p - U.p);
  for (int i = 0; i < 3; ++i) d = std::max(d, norm(T.R.m.row[i] - U.R.m.row[i]));
  return d;
}

const Vec3<double> axis{2.0 / 7, -3.0 / 7, 6.0 / 7};  // of length 1
const Twist<double> X{{0.3, -0.8, 0.5}, {1.0, 0.2, -0.7}}, Y{{-0.1, 0.4, 0.9}, {0.6, -1.1, 0.3}};
const Twist<double> Z{{0.7, 0.2, -0.4}, {-0.5, 0.8, 1.3}};
const Wrench<double> F{{2, -1, 0.5}, {3, 1, -4}};

/// log(exp w) - w for angles toward 0 and toward pi.
report::Series round_trip(const char* label, double (*angle_of)(double)) {
  report::Series series{.name = label, .mark = report::Mark::line_scatter};
  for (double gap = 1; gap > 1e-15; gap *= 0.25) {
    const double angle = angle_of(gap);
    const Vec3<double> w = axis * angle;
    series.x.push_back(gap);
    series.y.push_back(std::max(norm(log(exp(w)) - w) / angle, 1e-17));
  }
  return series;
}

double rigid_body_invariance() {
  const Inertia<double> G{2, {0.1, 0.2, -0.3}, {1.0, 0.1, 1.2, 0.05, 0.02, 0.9}};
  const SE3<double> T = exp(Y);
  const auto force = [](const auto& G_, const auto& V, const auto& Vdot) {
    return G_ * Vdot - dual_ad(V, G_ * V);  // [Kim] (31)
  };
  const Wrench<double> in_a = force(G, X, Y);
  const Wrench<double> in_b = force(pull_back(T, G), Ad_inv(T, X), Ad_inv(T, Y));
  return size(dual_Ad(T, in_a) - in_b);
}

/// [E_1, E_2] = E_3: the second derivatives of a function on SE(3) do not commute.
double bracket_error() {
  const auto f = [](const auto& T) { return T.p.x * T.R.m.row[0].y + dot(T.p, T.p) * T.p.z; };
  const SE3<double> T = exp(X);
  const Mat6<double> H = lie_hessian(f, T);
  return std::abs(H(0, 1) - H(1, 0) - lie_gradient(f, T)(0, 2));
}

report::Figure accuracy() {
  const report::Plot plot{
      .title = "log(exp w) returns w",
      .x = {.label = "distance of the angle from 0 or pi", .unit = "rad", .log = true},
      .y = {.label = "relative error",
            .unit = "",
            .log = true,
            .range = report::Range{1e-17, 1e-14}},
      .series = {round_trip("toward 0", [](double gap) { return gap; }),
                 round_trip("toward pi", [](double gap) { return M_PI - gap; })},
  };
  return {report::both_widths(plot),
          "Rounding at either end, also where the series for small angles take over."};
}

}  // namespace

report::Chapter tour_groups() {
  const SE3<double> T = exp(X), U = exp(Y);
  const report::Checks laws{
      {report::at_most("Ad of a product is the product of Ads",
                       size(Ad(T * U, X) - Ad(T, Ad(U, X))), 1e-14),
       report::at_most("<Ad* F, V> = <F, Ad V>", std::abs(dot(dual_Ad(T, F), Y) - dot(F, Ad(T, Y))),
                       1e-14),
       report::at_most("Jacobi identity", size(ad(X, ad(Y, Z)) + ad(Y, ad(Z, X)) + ad(Z, ad(X, Y))),
                       1e-14),
       report::at_most("exp(log T) = T", distance(exp(log(T)), T), 1e-14),
       report::at_most("dexp and its inverse", size(dexp_body_inv(X, dexp_body(X, Y)) - Y), 1e-14),
       report::at_most("rigid-body equation in two frames (Kim 31)", rigid_body_invariance(),
                       1e-13),
       report::at_most("[E1, E2] f = E3 f (Xie 13)", bracket_error(), 1e-14)}};
  return {.title = "Rotations and poses",
          .id = "groups",
          .blocks = {report::Paragraph{"Twists (w, v) and wrenches (m, f) are different types; "
                                       "adjoint maps are functions, exact at angle zero and safe "
                                       "at angle pi."},
                     laws, accuracy()}};
}

}  // namespace jounce::app
