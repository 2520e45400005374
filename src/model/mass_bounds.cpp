// SPDX-License-Identifier: BSD-3-Clause
// Upper bounds of the diagonal of a mass matrix, over all configurations where there is one.
//
// A body b with inertia I about its origin and centre of mass at c, moved by the screw (w, v) from
// a distance r, has twice the kinetic energy w^T I_c w + m |v + w x (r + c)|^2. With r at most the
// sum of the distances of body origins on the way and `slid`, the sum of those that joints change,
//   M_kk <= armature + |w|^2 (sum tr I + 3 m (r + |c|)^2 + 3 m slid^2) + 3 m |v|^2.
#include <jounce/model/joint.hpp>
#include <jounce/model/singular_mass.hpp>

namespace jounce {
namespace {

/// How far a screw turns and moves at most.
struct ScrewSize {
  double angular = 0, linear = 0;
};

/// What hangs on a body: mass, sums of m r and m r^2 over it, and of the traces of its inertias.
struct Hanging {
  double mass = 0, first = 0, second = 0, trace = 0;
  bool slides = false;  ///< a joint below changes distances

  double fixed() const { return trace + 3 * second; }
  /// The same, seen from a distance.
  Hanging from(double distance) const {
    Hanging far = *this;
    far.first += mass * distance;
    far.second += distance * (2 * first + mass * distance);
    return far;
  }
  void operator+=(const Hanging& other) {
    mass += other.mass, first += other.first, second += other.second, trace += other.trace;
    slides = slides || other.slides;
  }
};

Hanging own(const Inertia<double>& G) {
  const double h = norm(G.h);
  return {G.mass, h, G.mass > 0 ? h * h / G.mass : 0, G.I.xx + G.I.yy + G.I.zz};
}

/// Whether all parts of a joint turn about one place each.
bool only_turns(const Model<double>& m, int i) {
  if (is_custom(m, i)) return false;
  for (int r = m.part_at[i]; r < m.part_at[i + 1]; ++r)
    for (int k = 0; k < elementary_nv(m.part[r].kind); ++k)
      if (norm(part_screw<double>(m.part[r], k).v) > 0) return false;
  return true;
}

/// The distances between the places of a joint's parts, from the given one on.
double path_length(const Model<double>& m, int i, int first) {
  double sum = 0;
  for (int r = m.part_at[i] + first; r < m.part_at[i + 1]; ++r) sum += norm(m.part[r].placement.p);
  return sum;
}

ScrewSize screw_size(const Model<double>& m, int i, int k) {
  if (!m.constant_screws(i)) return {1, path_length(m, i, 1)};
  const Twist<double> S = part_screw<double>(m.part[m.part_at[i]], k);
  return {norm(S.w), norm(S.v)};
}

}  // namespace

MassBounds::MassBounds(const Robot& robot) {
  const Model<double>& m = robot.model();
  const auto size = static_cast<size_t>(m.bodies);
  std::vector<Hanging> hanging(size);
  std::vector<char> leaf(size, 1);
  place_.resize(static_cast<size_t>(m.nv));
  floor_.resize(place_.size());
  inverse_bound_.resize(place_.size(), std::numeric_limits<double>::infinity());
  for (int i = m.bodies - 1; i > 0; --i) {
    Hanging& all = hanging[static_cast<size_t>(i)];
    const Hanging body = own(m.G[i]);
    all += body;
    const bool turns = only_turns(m, i);
    for (int k = m.v_at[i]; k < m.v_at[i + 1]; ++k) {
      const auto at = static_cast<size_t>(k);
      place_[at] = 6 * k + k - m.v_at[i];
      if (all.slides || (!m.constant_screws(i) && !turns)) {
        moving_.push_back(
            {k, m.armature[k], all.fixed(), all.slides ? 3 * all.mass : 0, 3 * all.mass});
        continue;
      }
      const ScrewSize S = screw_size(m, i, k - m.v_at[i]);
      const double angular = S.angular * S.angular, linear = S.linear * S.linear;
      inverse_bound_[at] = 1 / (m.armature[k] + angular * all.fixed() + 3 * linear * all.mass);
      if (leaf[static_cast<size_t>(i)] != 0 && !robot.has_mimic())
        floor_[at] = 4e-15 * (angular * body.trace + linear * body.mass);
    }
    if (m.parent[i] == 0) continue;
    leaf[static_cast<size_t>(m.parent[i])] = 0;
    Hanging seen = all.from(turns ? path_length(m, i, 0) : 0);
    seen.slides = seen.slides || !turns;
    if (!turns) slides_.push_back(i);
    hanging[static_cast<size_t>(m.parent[i])] += seen;
  }
}

bool MassBounds::beyond_doubt(const Workspace<double>& w) const {
  bool good = true;
  const int* places = place_.data();
  const double* bounds = inverse_bound_.data();
  for (size_t k = 0, n = place_.size(); k < n; ++k) good &= beyond(w.D[places[k]], bounds[k], {});
  if (!good || moving_.empty()) return good;
  double slid = 0;
  for (const int i : slides_) slid += norm(w.T[i].p);
  constexpr PivotLimits limits;
  for (const Moving& one : moving_) {
    const Twist<double>& S = w.S[one.coordinate];
    const double bound = one.armature + dot(S.w, S.w) * (one.fixed + one.sliding * slid * slid) +
                         one.linear * dot(S.v, S.v);
    good = good && w.D[place(one.coordinate)] * limits.doubtful * bound < 1;
  }
  return good;
}

}  // namespace jounce
