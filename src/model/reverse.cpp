// SPDX-License-Identifier: BSD-3-Clause
// A joint seen from its child.
//
// A joint is T = P_1 M_1(q) P_2 M_2(q) ... P_n M_n(q) C with placements P_k, motions M_k and the
// child's placement C, so
//   T^-1 = C^-1 M_n^-1 P_n^-1 ... M_2^-1 P_2^-1 M_1^-1 P_1^-1.
// About or along a turned axis M^-1 is M of the same coordinates; a translation changes sign; for a
// planar, spherical or free motion with body twist V, M^-1 has the body twist -Ad_M V.
#include "model/reverse.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/model/joint.hpp>
#include <jounce/model/manifold.hpp>

#include "numbers.hpp"

namespace jounce::detail {
namespace {

/// A joint as a plain chain of moving parts, and the pose behind the last one.
struct Chain {
  std::vector<JointGeometry> parts;
  SE3<double> rest;

  void add(const JointGeometry& joint) {
    rest = rest * joint.placement;
    if (is_composite(joint))
      for (const JointGeometry& part : joint.parts) add(part);
    if (is_fixed(joint) || is_composite(joint)) return;
    parts.push_back(joint);
    parts.back().placement = rest;
    rest = {};
  }
};

/// M^-1: axes turned round, the last one first. A planar joint keeps its axis.
JointGeometry reversed_motion(JointGeometry part) {
  if (is_planar(part)) return part;
  std::reverse(part.axes.begin(), part.axes.end());
  for (Vec3<double>& axis : part.axes) axis = Vec3<double>{} - axis;
  return part;
}

void reverse_geometry(JointDescription& joint) {
  Chain chain;
  chain.add(joint.geometry);
  const bool composite = is_composite(joint.geometry) && !chain.parts.empty();
  SE3<double> before = inverse(chain.rest * joint.child_placement);
  JointGeometry turned;
  std::reverse(chain.parts.begin(), chain.parts.end());
  for (const JointGeometry& part : chain.parts) {
    turned.parts.push_back(reversed_motion(part));
    turned.parts.back().placement = before;
    before = inverse(part.placement);
  }
  if (composite) turned.kind = JointKind::composite;
  else if (!chain.parts.empty()) turned = JointGeometry(turned.parts[0]);
  joint.geometry = std::move(turned);
  joint.child_placement = before;
  std::swap(joint.parent, joint.child);
}

void list_elementary(const JointGeometry& joint, std::vector<JointKind>& kinds) {
  if (is_composite(joint))
    for (const JointGeometry& part : joint.parts) list_elementary(part, kinds);
  if (joint.kind == JointKind::universal || joint.kind == JointKind::euler_ball)
    kinds.insert(kinds.end(), joint.axes.size(), JointKind::revolute);
  else if (elementary_nq(joint.kind) > 0) kinds.push_back(joint.kind);
}

/// What a value per velocity coordinate means where velocities mix.
enum class Law : unsigned char { bound_v, bound_tau, quadratic, each };

/// Whether the reversed coordinate k has the value of the joint's own.
bool keeps(const CoordinateMap::Run& run, int k, Law law, const std::vector<double>& values) {
  const double* x = values.data() + run.old.v;
  if (is_planar(run.old))  // omega only changes sign, but forces in the plane turn the link
    return k == 0 && law != Law::bound_tau;
  if (is_spherical(run.old)) return law == Law::quadratic && x[0] == x[1] && x[1] == x[2];
  return !is_free(run.old);
}

/// The velocity-sized properties of a joint and what each means.
struct Property {
  const char* name;
  std::vector<double> JointProperties::*values;
  double none;
  Law law;
};
constexpr Property properties[] = {
    {"velocity limit", &JointProperties::velocity_limit, infinity, Law::bound_v},
    {"effort limit", &JointProperties::effort_limit, infinity, Law::bound_tau},
    {"armature", &JointProperties::armature, 0, Law::quadratic},
    {"stiffness", &JointProperties::stiffness, 0, Law::quadratic},
};

/// f(property) for these and all that resists velocities.
template <class F>
void for_each_property(F f) {
  for (const Property& one : properties) f(one);
  for (const ResistanceInfo& one : resistances)  // of power 1: what it takes is quadratic
    f(Property{one.name, one.of_joint, 0, one.power == 1 ? Law::quadratic : Law::each});
}

size_t place(int first, int k) { return static_cast<size_t>(first) + static_cast<size_t>(k); }

/// False where a value has to be left out.
bool reverse_values(const std::vector<CoordinateMap::Run>& runs, double none, Law law,
                    std::vector<double>& values) {
  if (values.empty()) return true;
  bool all = true;
  std::vector<double> turned(values.size(), none);
  for (const CoordinateMap::Run& run : runs)
    for (int k = 0; k < run.old.nv; ++k) {
      const double x = values[place(run.old.v, k)];
      if (keeps(run, k, law, values)) turned[place(run.v_new, k)] = x;
      else all = all && x == none;
    }
  values = std::move(turned);
  return all;
}

/// Position limits; false where one has to be left out. Only called where q and v match.
bool reverse_limits(const std::vector<CoordinateMap::Run>& runs, JointProperties& p) {
  const size_t n = std::max(p.lower.size(), p.upper.size());
  if (p.lower.empty()) p.lower.assign(n, -infinity);
  if (p.upper.empty()) p.upper.assign(n, infinity);
  std::vector<double> lower(n, -infinity), upper(n, infinity);
  bool all = true;
  for (const CoordinateMap::Run& run : runs)
    for (int k = 0; k < run.old.nq && n > 0; ++k) {
      const size_t from = place(run.old.q, k), to = place(run.q_new, k);
      if (is_planar(run.old) && k < 2) {
        all = all && std::isinf(p.lower[from]) && std::isinf(p.upper[from]);
      } else if (is_planar(run.old) || run.old.kind == JointKind::translational) {
        lower[to] = -p.upper[from];
        upper[to] = -p.lower[from];
      } else {
        lower[to] = p.lower[from];
        upper[to] = p.upper[from];
      }
    }
  const auto none = [](double x) { return std::isinf(x); };
  p.lower = std::all_of(lower.begin(), lower.end(), none) ? std::vector<double>{} : lower;
  p.upper = std::all_of(upper.begin(), upper.end(), none) ? std::vector<double>{} : upper;
  return all;
}

/// Coordinates of a joint, where they are given.
void reverse_position(const std::vector<CoordinateMap::Run>& runs, std::vector<double>& q) {
  if (q.empty()) return;
  const std::vector<double> old = q, still(6, 0.0);
  double unused[6];
  for (const CoordinateMap::Run& run : runs)
    convert_run(run, old.data(), still.data(), q.data(), unused);
}

std::vector<std::string> reverse_properties(const std::vector<CoordinateMap::Run>& runs,
                                            JointProperties& p) {
  std::vector<std::string> lost;
  if (!reverse_limits(runs, p)) lost.emplace_back("position limit");
  for_each_property([&](const Property& property) {
    if (!reverse_values(runs, property.none, property.law, p.*property.values))
      lost.emplace_back(property.name);
  });
  reverse_position(runs, p.rest);
  return lost;
}

}  // namespace

std::vector<CoordinateMap::Run> reversed_runs(const JointGeometry& joint) {
  std::vector<JointKind> kinds;
  list_elementary(joint, kinds);
  int q = joint_nq(joint), v = joint_nv(joint), q_new = 0, v_new = 0;
  std::vector<CoordinateMap::Run> runs;
  std::reverse(kinds.begin(), kinds.end());
  for (const JointKind kind : kinds) {
    const int nq = elementary_nq(kind), nv = elementary_nv(kind);
    q -= nq, v -= nv;
    runs.push_back({{kind, q, v, nq, nv}, q_new, v_new, true});
    q_new += nq, v_new += nv;
  }
  return runs;
}

void convert_run(const CoordinateMap::Run& run, const double* q, const double* v, double* new_q,
                 double* new_v) {
  const Factor& f = run.old;
  q += f.q, v += f.v, new_q += run.q_new, new_v += run.v_new;
  if (run.reversed) return reverse_motion(f, q, v, new_q, new_v);
  std::copy_n(q, f.nq, new_q);
  std::copy_n(v, f.nv, new_v);
}

std::vector<std::string> reverse(JointDescription& joint) {
  const std::vector<CoordinateMap::Run> runs = reversed_runs(joint.geometry);
  reverse_geometry(joint);
  reverse_position(runs, joint.closed);
  return reverse_properties(runs, joint.properties);
}

std::vector<std::string> clear_properties(JointProperties& p) {
  std::vector<std::string> lost;
  for_each_property([&](const Property& property) {
    const std::vector<double>& values = p.*property.values;
    const auto none = [&](double x) { return x == property.none; };
    if (!std::all_of(values.begin(), values.end(), none)) lost.emplace_back(property.name);
  });
  p = {};
  return lost;
}

}  // namespace jounce::detail
