// SPDX-License-Identifier: BSD-3-Clause
// Another link as root: the joints between the old root and the new one turn round.
#include <algorithm>

#include "model/reverse.hpp"

namespace jounce {
namespace {

class Rerooting {
 public:
  Rerooting(const Robot& robot, std::string_view link, const RerootOptions& options)
      : old_(robot),
        options_(options),
        target_(detail::find_link("reroot", robot, link)),
        tree_(robot.description()),
        path_(tree_.path_up(robot.description(), target_)),
        description_(robot.description()) {}

  Rerooted run() {
    if (options_.placement) detail::check_placement("reroot", *options_.placement);
    for (const size_t k : path_) turn_round(description_.joints[k]);
    if (tree_.base() < 0 && target_ != tree_.root) hold_by_old_root();
    if (tree_.base() >= 0) move_base(description_.joints[static_cast<size_t>(tree_.base())]);
    Robot robot(std::move(description_));
    if (tree_.base() < 0 && options_.placement)
      robot = with_base(robot, fixed_joint(*options_.placement));
    CoordinateMap coordinates = map_to(robot);
    return {std::move(robot), std::move(coordinates), std::move(dropped_)};
  }

 private:
  /// What the world held of a robot without a base, its root did: the world goes with the new one.
  void hold_by_old_root() {
    const auto is_tied = [](const auto& one) {
      if constexpr (requires { one.joints; }) return !one.joints.empty();
      return false;
    };
    const auto hold = [&](auto& ends) {
      for (auto& one : ends)
        for (std::string* link : {&one.link_1, &one.link_2})
          if (link->empty() && !is_tied(one)) *link = description_.links[tree_.root].name;
    };
    hold(description_.loops);
    hold(description_.bushings);
  }
  void turn_round(JointDescription& joint) {
    if (is_custom(joint.geometry))
      throw InputError("reroot: " + detail::quoted("joint", joint.name) +
                       " is custom and cannot turn round; it lies between links \"" + joint.parent +
                       "\" and \"" + joint.child + "\"");
    for (const LoopDescription& loop : description_.loops)
      for (const TiedJoint& tied : loop.joints)
        if (loop.kind == LoopKind::custom && tied.name == joint.name &&
            joint_nq(joint.geometry) > 1)
          throw InputError("reroot: " + detail::quoted("loop", loop.name) + " is a function of " +
                           detail::quoted("joint", joint.name) +
                           ", whose coordinates change as it turns round");
    drop(joint.name, detail::reverse(joint));
  }

  void move_base(JointDescription& base) {
    const bool fixed = joint_nq(base.geometry) == 0;
    if (options_.placement && !fixed)
      throw InputError("reroot: a placement needs a fixed base, " +
                       detail::quoted("joint", base.name) + " is " + name(base.geometry.kind));
    base.child = description_.links[target_].name;
    if (fixed && (target_ != tree_.root || options_.placement)) {
      base.geometry = fixed_joint(options_.placement.value_or(SE3<double>{}));
      base.child_placement = {};
    }
    if (moves_free_base()) drop(base.name, detail::clear_properties(base.properties));
  }
  bool moves_free_base() const {
    return tree_.base() >= 0 && target_ != tree_.root &&
           is_free(old_.description().joints[static_cast<size_t>(tree_.base())].geometry);
  }

  void drop(const std::string& joint, const std::vector<std::string>& lost) {
    for (const std::string& what : lost) {
      dropped_.push_back(detail::quoted("joint", joint) + ": " + what);
      if (!options_.drop_properties)
        throw InputError("reroot: " + dropped_.back() +
                         " has no equal in the new robot; set drop_properties to drop it");
    }
  }

  CoordinateMap map_to(const Robot& robot) const {
    std::vector<CoordinateMap::Run> runs;
    std::optional<CoordinateMap::FreeBase> base;
    for (const JointInfo& now : robot.joints()) {
      if (now.mimic) continue;
      const JointInfo& before = old_.joint(now.name);
      const JointDescription& joint =
          old_.description().joints[static_cast<size_t>(before.description)];
      const auto place = static_cast<size_t>(before.description);
      if (std::find(path_.begin(), path_.end(), place) != path_.end()) {
        for (CoordinateMap::Run run : detail::reversed_runs(joint.geometry)) {
          run.old.q += before.q, run.old.v += before.v, run.q_new += now.q, run.v_new += now.v;
          runs.push_back(run);
        }
      } else if (moves_free_base() && before.description == tree_.base()) {
        base = {FrameId(static_cast<int>(target_)), joint.geometry.placement, joint.child_placement,
                now.q, now.v};
      } else {
        const Factor whole{.q = before.q, .v = before.v, .nq = now.nq, .nv = now.nv};
        runs.push_back({whole, now.q, now.v});
      }
    }
    return {old_, std::move(runs), base};
  }

  const Robot& old_;
  const RerootOptions& options_;
  size_t target_;
  detail::Tree tree_;
  std::vector<size_t> path_;
  RobotDescription description_;
  std::vector<std::string> dropped_;
};

}  // namespace

Rerooted reroot(const Robot& robot, std::string_view link, const RerootOptions& options) {
  return Rerooting(robot, link, options).run();
}

CoordinateMap::CoordinateMap(Robot old_robot, std::vector<Run> runs, std::optional<FreeBase> base)
    : old_(std::move(old_robot)), runs_(std::move(runs)), base_(base) {}

std::vector<double> CoordinateMap::q(const VectorArg& old_q) const {
  const std::span<const double> q = old_q;
  old_.check_q("CoordinateMap", "q", q);
  const std::vector<double> still(static_cast<size_t>(old_.nv()), 0.0);
  std::vector<double> new_q(q.size()), new_v(still.size());
  convert(q.data(), still.data(), new_q.data(), new_v.data());
  return new_q;
}

std::vector<double> CoordinateMap::v(const VectorArg& old_q, const VectorArg& old_v) const {
  const std::span<const double> q = old_q, v = old_v;
  old_.check_q("CoordinateMap", "q", q);
  old_.check_v("CoordinateMap", "v", v);
  std::vector<double> new_q(q.size()), new_v(v.size());
  convert(q.data(), v.data(), new_q.data(), new_v.data());
  return new_v;
}

void CoordinateMap::convert(const double* q, const double* v, double* new_q, double* new_v) const {
  for (const Run& run : runs_) detail::convert_run(run, q, v, new_q, new_v);
  if (!base_) return;
  const detail::LinkMotion link = detail::link_motion(old_, base_->link, q, v);
  const SE3<double> M =  // pose of the link = placement M child_placement
      inverse_times(base_->placement, link.pose) * inverse(base_->child_placement);
  const Twist<double> V = Ad(base_->child_placement, link.twist);
  const Quaternion<double> r = to_quaternion(M.R);
  const double pose[7] = {M.p.x, M.p.y, M.p.z, r.x, r.y, r.z, r.w};
  const double twist[6] = {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z};
  std::copy(pose, pose + 7, new_q + base_->q);
  std::copy(twist, twist + 6, new_v + base_->v);
}

}  // namespace jounce
