// SPDX-License-Identifier: BSD-3-Clause
// Roots of functions of the motion on the dense output of a step.
//
// A function is looked at in Chebyshev's points of the step. Where its sign changes between two of
// them there is a root; where it comes near zero between three and goes back, the place where it is
// nearest is searched, which finds the two roots of a sign that changes there and back. Of all
// functions the first root counts.
#include "simulation/events.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace jounce {
namespace {

constexpr int points = 20;

int sign_of(double x) { return (x > 0) - (x < 0); }
double point_of_step(int k) { return 0.5 - 0.5 * std::cos(std::numbers::pi * k / points); }

/// A root of g between lo and hi by the Illinois method; returns the end after the change of sign.
template <class G>
double refine(G g, double lo, double g_lo, double hi, double g_hi) {
  int side = 0;
  for (int i = 0; i < 100 && hi - lo > 4e-16 * hi; ++i) {
    const bool halve = i % 4 == 3;  // no end of the bracket stays for long
    double x = halve ? 0.5 * (lo + hi) : (lo * g_hi - hi * g_lo) / (g_hi - g_lo);
    if (!(x > lo) || !(x < hi)) x = 0.5 * (lo + hi);
    if (!(x > lo) || !(x < hi)) break;
    const double y = g(x);
    if (y * g_lo > 0) {
      lo = x, g_lo = y;
      if (side == -1) g_hi *= 0.5;
      side = -1;
    } else {
      hi = x, g_hi = y;
      if (y == 0) break;
      if (side == 1) g_lo *= 0.5;
      side = 1;
    }
  }
  return hi;
}

/// Where g, which has this sign at lo and hi, has the other between them; or where it is nearest.
template <class G>
double nearest_to_zero(G g, int sign, double lo, double hi) {
  constexpr double golden = 0.3819660112501051;
  double x = lo + golden * (hi - lo), y = hi - golden * (hi - lo);
  double g_x = sign * g(x), g_y = sign * g(y);
  for (int i = 0; i < 40 && g_x > 0 && g_y > 0; ++i) {
    if (g_x < g_y) {
      hi = y, y = x, g_y = g_x;
      x = lo + golden * (hi - lo), g_x = sign * g(x);
    } else {
      lo = x, x = y, g_x = g_y;
      y = hi - golden * (hi - lo), g_y = sign * g(y);
    }
  }
  return g_x < g_y ? x : y;
}

/// Between a start at zero, or just after it, and a point of the other sign: the function may have
/// come back, or not have left.
template <class G>
double leaves_until(G g, int sign, double hi) {
  const double m = nearest_to_zero(g, -sign, 0, hi);
  return g(m) * sign > 0 ? m : 0;
}

/// Whether a parabola through three values comes to less than half of the middle one.
bool comes_near(const double* t, const double* g) {
  const double a = (g[1] - g[0]) / (t[1] - t[0]), b = (g[2] - g[1]) / (t[2] - t[1]);
  const double bend = (b - a) / (t[2] - t[0]);
  if (!(std::abs(g[1]) <= std::abs(g[0])) || !(std::abs(g[1]) <= std::abs(g[2])) || bend == 0)
    return false;
  const double slope = a + bend * (t[1] - t[0]);  // at the middle
  const double least = g[1] - slope * slope / (4 * bend);
  return least * g[1] < 0.5 * g[1] * g[1];
}

}  // namespace

double EventTable::value(int e, const SimulationState& x) {
  return entries_[size_t(e)].g(Moment(x.t, x.q, x.v, f_));
}
double EventTable::inside(int e, const SimulationState& x, double h, double theta,
                          Stepper& stepper) {
  stepper.inside(x, h, theta, q_.data(), v_.data());
  return entries_[size_t(e)].g(Moment(x.t + theta * h, q_, v_, f_));
}

void EventTable::begin(const SimulationState& x) {
  q_.resize(x.q.size()), v_.resize(x.v.size());
  signs_.assign(entries_.size(), 0);
  active_.assign(entries_.size(), false);
  for (size_t e = 0; e < entries_.size(); ++e) {
    active_[e] = !entries_[e].active || entries_[e].active(x);
    if (!active_[e]) continue;
    const double now = value(int(e), x);
    signs_[e] = entries_[e].zero_is_positive && now > -at_stop ? 1 : sign_of(now);
  }
}

EventTable::Root EventTable::search(int e, const SimulationState& x, double h, double up_to,
                                    Stepper& stepper) {
  const EventEntry& entry = entries_[size_t(e)];
  const auto g = [&](double theta) { return inside(e, x, h, theta, stepper); };
  const size_t nq = q_.size(), n = nq + v_.size();
  std::array<double, points + 1> t{}, y{};
  for (size_t k = 0; k <= points; ++k) {
    const double* at = grid_.data() + n * k;
    t[k] = up_to * point_of_step(int(k));
    y[k] = entry.g(Moment(x.t + t[k] * h, {at, nq}, {at + nq, n - nq}, f_));
  }
  const auto root = [&](double lo, double g_lo, double hi, double g_hi, int from) {
    const double theta = refine(g, lo, g_lo, hi, g_hi), near = std::max(0.0, theta - 1e-6);
    return Root{e, theta, (g(near + 1e-6) - g(near)) / 1e-6, from};
  };
  int sign = signs_[size_t(e)];
  for (size_t k = 1; k <= points; ++k) {
    if (sign == 0) sign = sign_of(y[k]);
    else if (y[k] * sign < 0) {
      double lo = t[k - 1], g_lo = y[k - 1];
      if (k == 1) lo = leaves_until(g, sign, t[1]), g_lo = g(lo);
      if (!(g_lo * sign > 0)) g_lo = sign * 1e-300;
      if (entry.crosses(sign, y[k])) {
        const Root found = root(lo, g_lo, t[k], y[k], sign);
        if (found.theta * h > own_ || entry.zero_is_positive) return found;
      }
      sign = sign_of(y[k]);
    } else if (k >= 2 && y[k - 2] * sign > 0 && comes_near(&t[k - 2], &y[k - 2])) {
      const double m = nearest_to_zero(g, sign, t[k - 2], t[k]), g_m = g(m);
      if (g_m * sign > 0) continue;
      if (entry.crosses(sign, g_m)) return root(t[k - 2], y[k - 2], m, g_m, sign);
      return root(m, g_m, t[k], y[k], -sign);
    }
  }
  return {};
}
EventTable::Root EventTable::first_until(const SimulationState& x, double h, double up_to,
                                         Stepper& stepper) {
  const size_t nq = q_.size(), n = nq + v_.size();
  grid_.resize(n * (points + 1));
  std::copy(x.q.begin(), x.q.end(), grid_.begin());
  std::copy(x.v.begin(), x.v.end(), grid_.begin() + std::ptrdiff_t(nq));
  for (size_t k = 1; k <= points; ++k)
    stepper.inside(x, h, up_to * point_of_step(int(k)), grid_.data() + n * k,
                   grid_.data() + n * k + nq);
  Root best;
  for (int e = 0; e < int(entries_.size()); ++e) {
    if (!active_[size_t(e)]) continue;
    const Root found = search(e, x, h, up_to, stepper);
    if (found.entry >= 0 && (best.entry < 0 || found.theta < best.theta)) best = found;
  }
  return best;
}
EventTable::Root EventTable::first(const SimulationState& x, double h, double own,
                                   Stepper& stepper) {
  own_ = own;
  Root best = first_until(x, h, 1, stepper);
  while (best.entry >= 0 && best.theta * h > own) {  // points lie closer before it
    const Root earlier = first_until(x, h, best.theta * (1 - 1e-9), stepper);
    if (earlier.entry < 0) break;
    best = earlier;
  }
  return best;
}

std::vector<int> EventTable::crossed(const SimulationState& x, double h, double theta, int found,
                                     Stepper& stepper) {
  std::vector<int> all;
  for (int e = 0; e < int(entries_.size()); ++e)
    if (active_[size_t(e)] &&
        (e == found ||
         entries_[size_t(e)].crosses(signs_[size_t(e)], inside(e, x, h, theta, stepper))))
      all.push_back(e);
  return all;
}

void Moment::evaluate() const {
  if (known_) return;
  equations_->evaluate_at(t, q, v);
  known_ = true;
}
std::span<const double> Moment::a() const {
  evaluate();
  return equations_->acceleration_there();
}
std::span<const double> Moment::forces() const {
  evaluate();
  return equations_->forces();
}
Wrench<double> Moment::contact_wrench(FrameId frame) const {
  evaluate();
  return equations_->contact_wrench(frame, q.data());
}
SE3<double> Moment::pose(FrameId frame) const { return equations_->pose(frame, q.data()); }

}  // namespace jounce
