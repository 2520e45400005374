// SPDX-License-Identifier: BSD-3-Clause
// All assemblies of closed mechanisms: planar triangles in closed form, others by many starts.
#include <algorithm>
#include <cmath>
#include <jounce/algorithm/kinematics.hpp>
#include <jounce/assemblies.hpp>
#include <jounce/model/workspace.hpp>
#include <numbers>
#include <optional>

#include "doors/planar_meeting.hpp"
#include "linear_algebra/vectors.hpp"
#include "model/loop_lists.hpp"
#include "numbers.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

constexpr double parallel = 1e-9;        ///< sine of the angle between hinges
constexpr double closed_form_to = 1e-9;  ///< m, of a closed form
constexpr double same_poses = 1e-6;      ///< m, or entries of rotations
constexpr int most_closed_forms = 12;    ///< loops: two assemblies each

/// A step along coordinates that closes loops, or one of them.
using Step = std::vector<double>;

class Mechanism {
 public:
  Mechanism(const Robot& robot, std::span<const double> q)
      : robot_(robot), q_(q.begin(), q.end()), lists_(robot), storage_(robot.model()) {
    move(q_);
  }

  const Loops<double>& loops() const { return lists_.view(); }
  std::string name(int loop) const { return lists_.name(loop); }

  /// Poses of all bodies.
  const SE3<double>* move(const std::vector<double>& q) {
    const Model<double>& m = robot_.model();
    const Coupling<double>& c = robot_.system().coupling;
    tree_q_.resize(size_t(m.nq));
    expand_positions(c, q.data(), tree_q_.data());
    const std::vector<double> still(size_t(m.nv));
    forward_poses(m, {tree_q_.data(), still.data(), still.data()}, storage_.view());
    return storage_.view().pose;
  }
  /// The robot's coordinates on the ways of the loops, in no order.
  std::vector<int> coordinates(const Loop<double>& loop) const {
    const Model<double>& m = robot_.model();
    std::vector<int> found;
    for (int k = 0; k < loop.down + loop.up; ++k)
      for (int v = m.v_at[loop.way[k]]; v < m.v_at[loop.way[k] + 1]; ++v)
        found.push_back(robot_.system().coupling.v_source[v]);
    return found;
  }

  /// The joints on the way of a loop that are not kept, seen along the hinge that closes it;
  /// nothing where they are not hinges parallel to it or slides across. Leaves the ends of the loop
  /// in end_1 and end_2.
  std::optional<std::vector<PlanarJoint>> free_joints(const Loop<double>& loop,
                                                      std::span<const bool> kept) {
    const Model<double>& m = robot_.model();
    if (robot_.has_mimic() || !closed_by_hinge(loop.kind)) return std::nullopt;
    std::vector<int> places;
    for (int k = 0; k < loop.down + loop.up; ++k) {
      const int i = loop.way[k];
      if (all_kept(kept, m.v_at[i], m.v_at[i + 1])) continue;
      if (m.v_at[i + 1] - m.v_at[i] != 1 || !m.constant_screws(i)) return std::nullopt;
      places.push_back(k);
    }
    const auto turns = [&](int k) { return norm(storage_.view().S[m.v_at[loop.way[k]]].w) > 0.5; };
    const auto first = std::find_if(places.begin(), places.end(), turns);
    if (first == places.end()) return std::nullopt;
    look_along(loop.way[*first]);
    std::vector<PlanarJoint> found;
    for (const int k : places) {
      const std::optional<PlanarJoint> one = joint_at(loop.way[k]);
      if (!one) return std::nullopt;
      found.push_back(*one);
      found.back().ends_at_2 = k < loop.down;
    }
    if (!ends_fit(loop)) return std::nullopt;
    end_1 = seen(end(loop, false).p), end_2 = seen(end(loop, true).p);
    return found;
  }
  /// A point of the world in the plane of the last hinges.
  Point seen(const Vec3<double>& p) const { return direction(p - origin_); }

  /// How far a point of the world is from the plane in which the loop closes.
  double off_plane(const Loop<double>& loop, const Vec3<double>& p) const {
    return std::abs(dot(normal_, p - end(loop, true).p));
  }

  Point end_1, end_2;  ///< of the last loop whose hinges were asked for

  /// q, moved, with angles brought near zero.
  std::vector<double> moved(const Step& step) const {
    std::vector<double> to(q_.size());
    robot_.integrate(q_, step, to);
    for (const JointInfo& joint : robot_.joints())
      if (joint.kind == JointKind::revolute && !joint.mimic && step[size_t(joint.v)] != 0)
        to[size_t(joint.q)] = std::remainder(to[size_t(joint.q)], 2 * std::numbers::pi);
    return to;
  }
  double distance(const std::vector<double>& to) const {
    std::vector<double> dv(size_t(robot_.nv()));
    robot_.difference(q_, to, dv);
    for (double& x : dv) x = std::remainder(x, 2 * std::numbers::pi);
    return dense::norm(robot_.nv(), dv.data());
  }
  Step no_step() const { return Step(size_t(robot_.nv())); }

 private:
  static bool closed_by_hinge(LoopKind kind) {
    return kind == LoopKind::revolute || kind == LoopKind::spherical || kind == LoopKind::point ||
           kind == LoopKind::cylindrical;
  }
  static bool all_kept(std::span<const bool> kept, int first, int last) {
    return std::all_of(kept.begin() + first, kept.begin() + last, [](bool x) { return x; });
  }
  static Vec3<double> any_normal(const Vec3<double>& n) {
    const Vec3<double> other = std::abs(n.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    const Vec3<double> across = cross(n, other);
    return across * (1 / norm(across));
  }
  Point direction(const Vec3<double>& a) const { return {dot(plane_[0], a), dot(plane_[1], a)}; }

  /// The axis of a body's hinge and the point of it that is nearest to the body's origin.
  Vec3<double> axis(int body) const {
    const Vec3<double>& w = storage_.view().S[robot_.model().v_at[body]].w;
    return storage_.view().pose[body].R * w * (1 / norm(w));
  }
  Vec3<double> pivot(int body) const {
    const Twist<double>& S = storage_.view().S[robot_.model().v_at[body]];
    return storage_.view().pose[body] * (cross(S.w, S.v) * (1 / dot(S.w, S.w)));
  }
  void look_along(int body) {
    normal_ = axis(body), origin_ = pivot(body);
    plane_[0] = any_normal(normal_), plane_[1] = cross(normal_, plane_[0]);
  }
  std::optional<PlanarJoint> joint_at(int body) const {
    const int v = robot_.model().v_at[body];
    const Twist<double>& S = storage_.view().S[v];
    if (norm(S.w) > 0.5) {
      const bool helical = std::abs(dot(S.w, S.v)) > parallel;
      const Vec3<double> n = axis(body);
      if (helical || norm(cross(normal_, n)) > parallel) return std::nullopt;
      return PlanarJoint{.at = seen(pivot(body)), .sign = dot(normal_, n) > 0 ? 1.0 : -1.0, .v = v};
    }
    const Vec3<double> along = storage_.view().pose[body].R * S.v;
    if (norm(S.w) > parallel || std::abs(dot(normal_, along)) > parallel) return std::nullopt;
    return PlanarJoint{.slides = true, .along = direction(along), .v = v};
  }
  SE3<double> end(const Loop<double>& loop, bool second) const {
    const int first_up = loop.down, last = loop.down + loop.up - 1;
    const Model<double>& m = robot_.model();
    int body = 0;
    if (second) body = loop.down > 0 ? loop.way[0] : m.parent[loop.way[first_up]];
    else body = loop.up > 0 ? loop.way[last] : m.parent[loop.way[loop.down - 1]];
    return storage_.view().pose[body] * (second ? loop.seat_2 : loop.seat_1);
  }
  /// Whether the axes of the loop lie along the hinges, and point one way.
  bool ends_fit(const Loop<double>& loop) const {
    if (loop.kind == LoopKind::spherical || loop.kind == LoopKind::point) return true;
    const Vec3<double> z{0, 0, 1}, one = end(loop, false).R * z, two = end(loop, true).R * z;
    return norm(cross(normal_, one)) <= parallel && norm(cross(normal_, two)) <= parallel &&
           dot(one, two) > 0;
  }

  Robot robot_;
  std::vector<double> q_, tree_q_;
  LoopLists lists_;
  WorkspaceStorage<double> storage_;
  Vec3<double> normal_, origin_, plane_[2];
};

/// What two joints and the hinge that closes the loop leave: the first moves the piece at end 2,
/// the second that at end 1.
std::vector<Step> close_triangle(const Mechanism& mechanism, const std::vector<PlanarJoint>& joints,
                                 Meeting& found) {
  const PlanarJoint &one = joints[0], &two = joints[1];
  const Point &end_1 = mechanism.end_1, &end_2 = mechanism.end_2;
  if (one.slides) found = meet_line(two.at, length(end_1 - two.at), end_2, one.along);
  else if (two.slides) found = meet_line(one.at, length(end_2 - one.at), end_1, two.along);
  else found = meet(one.at, length(end_2 - one.at), two.at, length(end_1 - two.at));
  std::vector<Step> steps;
  for (int i = 0; i < found.count; ++i) {
    const double way_2 = way_of(one, end_2, found.at[i]), way_1 = way_of(two, end_1, found.at[i]);
    Step step = mechanism.no_step();
    step[size_t(one.v)] = one.ends_at_2 ? way_2 : -way_2;
    step[size_t(two.v)] = two.ends_at_2 ? -way_1 : way_1;
    steps.push_back(std::move(step));
  }
  return steps;
}

/// An arm of two hinges, the one nearer to its root first, that brings its end to a point.
std::vector<Step> reach(const Mechanism& mechanism, const PlanarJoint& root,
                        const PlanarJoint& elbow, const Point& end, const Point& target,
                        Meeting& found) {
  const Point upper = elbow.at - root.at, lower = end - elbow.at;
  found = meet(root.at, length(upper), target, length(lower));
  std::vector<Step> steps;
  for (int i = 0; i < found.count; ++i) {
    const double turn = angle(upper, found.at[i] - root.at);
    const double turn_lower = angle(lower, target - found.at[i]);
    Step step = mechanism.no_step();
    step[size_t(root.v)] = root.sign * turn;
    step[size_t(elbow.v)] = elbow.sign * (turn_lower - turn);
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Every sum of one step of each list.
std::vector<Step> sums(const std::vector<Step>& one, const std::vector<Step>& other) {
  std::vector<Step> found;
  for (const Step& a : one)
    for (const Step& b : other) {
      found.push_back(a);
      for (size_t k = 0; k < a.size(); ++k) found.back()[k] += b[k];
    }
  return found;
}

void note(Assemblies& found, const Meeting& meeting, int loop) {
  if (found.worst_loop >= 0 && meeting.discriminant >= found.discriminant) return;
  found.discriminant = meeting.discriminant;
  found.worst_loop = loop;
}

void keep_closed(ConstrainedDynamics& dyn, const Mechanism& mechanism,
                 const std::vector<Step>& steps, Assemblies& found) {
  std::vector<double> open(size_t(dyn.rows()));
  for (const Step& step : steps) {
    std::vector<double> q = mechanism.moved(step);
    dyn.closure(q, into(open));
    double most = 0;
    for (const double x : open) most = std::max(most, std::abs(x));
    if (most <= closed_form_to) found.q.push_back(std::move(q));
  }
}

/// The closed form, where every loop is a triangle of its own.
bool by_triangles(ConstrainedDynamics& dyn, Mechanism& mechanism, std::span<const bool> kept,
                  Assemblies& found) {
  const Loops<double>& loops = mechanism.loops();
  if (loops.count > most_closed_forms) return false;
  std::vector<Step> steps{mechanism.no_step()};
  std::vector<bool> taken(kept.size());
  for (int k = 0; k < loops.count; ++k) {
    const auto joints = mechanism.free_joints(loops.loop[k], kept);
    if (!joints || joints->size() != 2) return false;
    const PlanarJoint &one = (*joints)[0], &two = (*joints)[1];
    for (const PlanarJoint* joint : {&one, &two}) {
      if (taken[size_t(joint->v)]) return false;
      taken[size_t(joint->v)] = true;
    }
    if (one.slides && two.slides) return false;
    const bool apart = length(two.at - one.at) > 1e-9 * length(mechanism.end_2 - one.at);
    if (!one.slides && !two.slides && !apart) return false;  // any angle, or none
    Meeting meeting;
    steps = sums(steps, close_triangle(mechanism, *joints, meeting));
    note(found, meeting, k);
  }
  found.complete = true;
  keep_closed(dyn, mechanism, steps, found);
  return true;
}

/// Newton's method from q and from random places; poses tell which are the same.
void by_many_starts(ConstrainedDynamics& dyn, Mechanism& mechanism, std::span<const double> start,
                    std::span<const bool> kept, const AssemblyOptions& options, Assemblies& found) {
  const Robot& robot = dyn.robot();
  const int bodies = robot.model().bodies;
  std::vector<bool> moves(kept.size());
  for (const Loop<double>& loop : list(mechanism.loops()))
    for (const int v : mechanism.coordinates(loop)) moves[size_t(v)] = !kept[size_t(v)];
  std::vector<std::vector<SE3<double>>> known;
  std::vector<double> q(start.size()), guess(start.begin(), start.end()), dv(kept.size());
  const auto same = [&](const std::vector<SE3<double>>& other, const SE3<double>* pose) {
    for (int i = 1; i < bodies; ++i) {
      const SE3<double> between = inverse_times(other[size_t(i)], pose[i]);
      const auto& [x, y, z] = between.R.m.row;
      const double turned = std::sqrt(std::max(0.0, 3 - x.x - y.y - z.z));
      if (norm(between.p) > same_poses || turned > same_poses) return false;
    }
    return true;
  };
  for (; found.starts < options.starts; ++found.starts) {
    if (found.starts > 0) {
      robot.difference(start, robot.random(options.seed + std::uint64_t(found.starts)), dv);
      for (size_t k = 0; k < dv.size(); ++k)
        if (!moves[k]) dv[k] = 0;
      robot.integrate(start, dv, guess);
    }
    if (!dyn.assemble(guess, kept, into(q)).converged) continue;
    const SE3<double>* pose = mechanism.move(q);
    if (std::any_of(known.begin(), known.end(), [&](const auto& x) { return same(x, pose); }))
      continue;
    known.emplace_back(pose, pose + bodies);
    robot.difference(start, q, dv);
    found.q.push_back(mechanism.moved(dv));
  }
}

void sort_by_distance(const Mechanism& mechanism, Assemblies& found) {
  std::stable_sort(found.q.begin(), found.q.end(), [&](const auto& a, const auto& b) {
    return mechanism.distance(a) < mechanism.distance(b);
  });
}

/// Refuses what leaves more than single configurations.
void require_isolated(const ConstrainedDynamics& dyn, const Mechanism& mechanism,
                      std::span<const bool> kept) {
  std::vector<bool> moves(kept.size());
  for (const Loop<double>& loop : list(mechanism.loops()))
    for (const int v : mechanism.coordinates(loop)) moves[size_t(v)] = !kept[size_t(v)];
  const auto passive = int(std::count(moves.begin(), moves.end(), true));
  if (dyn.rank() >= 0 && passive > dyn.rank())
    throw InputError("assemblies: the loops of robot " + in_quotes(dyn.robot().name()) + " leave " +
                     std::to_string(passive - dyn.rank()) +
                     " more coordinates free than are kept: keep as many more");
}

}  // namespace

Assemblies assemblies(ConstrainedDynamics& dyn, const VectorArg& q, std::span<const bool> kept,
                      const AssemblyOptions& options) {
  const Robot& robot = dyn.robot();
  const std::span<const double> start = q;
  robot.check_q("assemblies", "q", start);
  if (robot.loops().empty())
    throw InputError("assemblies: robot " + in_quotes(robot.name()) + " has no loops");
  if (options.starts < 1)
    throw InputError("assemblies: starts is " + std::to_string(options.starts) +
                     ", needs at least 1");
  if (kept.empty()) kept = robot.actuated();
  if (kept.size() != size_t(robot.nv()))
    throw InputError("assemblies: kept has " + std::to_string(kept.size()) + " elements, robot " +
                     in_quotes(robot.name()) + " needs " + std::to_string(robot.nv()));
  Mechanism mechanism(robot, start);
  require_isolated(dyn, mechanism, kept);
  Assemblies found;
  if (!by_triangles(dyn, mechanism, kept, found)) {
    found = {};
    by_many_starts(dyn, mechanism, start, kept, options, found);
  }
  sort_by_distance(mechanism, found);
  return found;
}

Assemblies working_modes(ConstrainedDynamics& dyn, int loop, const Vec3<double>& point,
                         const VectorArg& q) {
  const Robot& robot = dyn.robot();
  const std::span<const double> start = q;
  robot.check_q("working_modes", "q", start);
  if (loop < 0 || size_t(loop) >= robot.loops().size())
    throw InputError("working_modes: robot " + in_quotes(robot.name()) + " has no loop number " +
                     std::to_string(loop) + ", it has " + std::to_string(robot.loops().size()));
  if (!is_finite(point))
    throw InputError("working_modes: point is not finite: " + short_text(point));
  Mechanism mechanism(robot, start);
  const auto none = std::make_unique<bool[]>(size_t(robot.nv()));
  const Loop<double>& arms = mechanism.loops().loop[loop];
  const auto joints = mechanism.free_joints(arms, {none.get(), size_t(robot.nv())});
  const auto slides = [](const PlanarJoint& one) { return one.slides; };
  if (!joints || arms.down != 2 || arms.up != 2 ||
      std::any_of(joints->begin(), joints->end(), slides))
    throw InputError("working_modes: " + mechanism.name(loop) +
                     " is not closed by two arms of two parallel hinges each");
  const auto& h = *joints;
  const Point target = mechanism.seen(point);
  Assemblies found;
  Meeting second, first;
  auto steps = sums(reach(mechanism, h[1], h[0], mechanism.end_2, target, second),
                    reach(mechanism, h[2], h[3], mechanism.end_1, target, first));
  if (mechanism.off_plane(arms, point) > closed_form_to) steps.clear();
  note(found, second, loop), note(found, first, loop);
  found.complete = true;
  keep_closed(dyn, mechanism, steps, found);
  sort_by_distance(mechanism, found);
  return found;
}

}  // namespace jounce
