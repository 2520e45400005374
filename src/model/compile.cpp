// SPDX-License-Identifier: BSD-3-Clause
// From a checked description to the form that algorithms run on.
#include <algorithm>
#include <cmath>
#include <jounce/model/manifold.hpp>
#include <unordered_map>

#include "model/body_way.hpp"
#include "model/robot_data.hpp"
#include "numbers.hpp"

namespace jounce {
namespace {

/// Where a link sits while the tree is being compiled.
struct Seat {
  int body = 0;
  SE3<double> offset;
};

class Compiler {
 public:
  Compiler(const std::vector<int>& order, Robot::Data& data) : order_(order), d_(data) {
    for (size_t k = 0; k < d_.description.links.size(); ++k)
      link_[d_.description.links[k].name] = static_cast<int>(k);
    seats_.resize(d_.description.links.size());
    d_.parent = {0};
    d_.part_at = d_.v_at = d_.q_at = {0, 0};
    d_.custom = {nullptr};
    d_.G.resize(1);
  }

  void run() {
    for (const int k : order_) place(k);
    seat_links_and_frames();
    couple_mimics();
    view_model();
    find_anchors(d_);
    for (size_t i = 1; i < d_.G.size(); ++i) d_.mass += d_.G[i].mass;
    list_factors();
    list_unit_places();
    list_motors();
    list_bushings();
    view_system();
  }

 private:
  void view_model() {
    const size_t bodies = d_.parent.size();
    list_kinds(d_);
    d_.branching = std::make_unique<bool[]>(bodies);
    for (size_t i = 1; i < bodies; ++i)
      if (d_.parent[i] + 1 != static_cast<int>(i))
        d_.branching[static_cast<size_t>(d_.parent[i])] = true;
    Model<double>& m = d_.system.tree;
    m.bodies = static_cast<int>(bodies);
    m.nq = d_.q_at.back();
    m.nv = d_.v_at.back();
    m.angles = static_cast<int>(d_.angle_q.size());
    m.parent = d_.parent.data();
    m.kind = d_.kind.data();
    m.branching = d_.branching.get();
    m.part_at = d_.part_at.data();
    m.v_at = d_.v_at.data();
    m.q_at = d_.q_at.data();
    m.angle_q = d_.angle_q.data();
    m.part = d_.part.data();
    m.custom = d_.custom.data();
    m.G = d_.G.data();
    m.armature = d_.tree_armature.data();
    m.gravity = d_.description.gravity;
  }

  void place(int k) {
    const JointDescription& joint = d_.description.joints[static_cast<size_t>(k)];
    const Seat parent = joint.parent.empty() ? Seat{} : seats_[at(joint.parent)];
    PartList list{{}, parent.offset};
    list.add(joint.geometry);
    Seat& child = seats_[at(joint.child)];
    child.body = list.parts.empty() ? parent.body : add_body(parent.body, joint, k, list.parts);
    child.offset = list.rest * joint.child_placement;
  }

  int add_body(int parent, const JointDescription& joint, int k,
               const std::vector<Part<double>>& parts) {
    const int body = static_cast<int>(d_.parent.size());
    int q = d_.q_at.back(), v = d_.v_at.back();
    d_.joints.push_back({joint.name, joint.geometry.kind, q, joint_nq(joint.geometry), v,
                         joint_nv(joint.geometry), body, k, joint.mimic.has_value()});
    for (Part<double> part : parts) {
      part.q = q;
      part.v = v;
      if (elementary_angle(part.kind) >= 0) {
        part.angle = static_cast<int>(d_.angle_q.size());
        d_.angle_q.push_back(q + elementary_angle(part.kind));
      }
      q += elementary_nq(part.kind);
      v += elementary_nv(part.kind);
      d_.part.push_back(part);
    }
    append(d_.tree_armature, joint.properties.armature, joint_nv(joint.geometry), 0);
    if (const CustomJoint* custom = joint.geometry.custom.get()) q += custom->dof, v += custom->dof;
    d_.parent.push_back(parent);
    d_.custom.push_back(joint.geometry.custom.get());
    d_.part_at.push_back(static_cast<int>(d_.part.size()));
    d_.q_at.push_back(q);
    d_.v_at.push_back(v);
    d_.G.emplace_back();
    return body;
  }

  void seat_links_and_frames() {
    for (size_t k = 0; k < seats_.size(); ++k) {
      const LinkDescription& link = d_.description.links[k];
      const Seat& seat = seats_[k];
      d_.frames.push_back({link.name, seat.body, seat.offset, static_cast<int>(k)});
      Inertia<double>& G = d_.G[static_cast<size_t>(seat.body)];
      G = G + push_forward(seat.offset, link_inertia(link));
    }
    for (const FrameDescription& frame : d_.description.frames) {
      const Seat& seat = seats_[at(frame.link)];
      d_.frames.push_back(
          {frame.name, seat.body, seat.offset * frame.placement, link_.at(frame.link)});
    }
  }

  /// Numbers the robot's own coordinates: those of all joints but the mimics'.
  void couple_mimics() {
    std::unordered_map<std::string, const JointInfo*> by_name;
    for (JointInfo& joint : d_.joints) {
      if (joint.mimic) continue;
      joint.q = d_.nq;
      joint.v = d_.nv;
      by_name[joint.name] = &joint;
      d_.nq += joint.nq;
      d_.nv += joint.nv;
      add_properties(joint);
    }
    for (JointInfo& joint : d_.joints) {
      const JointDescription& from = d_.description.joints[static_cast<size_t>(joint.description)];
      double ratio = 1, offset = 0;
      if (joint.mimic) {
        const JointInfo& leader = *by_name.at(from.mimic->leader);
        joint.q = leader.q;
        joint.v = leader.v;
        ratio = from.mimic->multiplier;
        offset = from.mimic->offset;
        has_mimic_ = true;
        add_to_leader(leader, from);
      }
      d_.coupling.add(joint.q, joint.nq, joint.v, joint.nv, ratio, offset);
    }
  }

  /// Joints without mimics, part by part, with coordinates numbered as the robot's.
  void list_factors() {
    for (size_t k = 0; k < d_.joints.size(); ++k) {
      const JointInfo& joint = d_.joints[k];
      if (joint.mimic) continue;
      const Model<double>& m = d_.system.tree;
      for (int p = m.part_at[joint.body]; p < m.part_at[joint.body + 1]; ++p) {
        Factor factor = part_factor(m, joint.body, p);
        factor.q += joint.q - m.q_at[joint.body];
        factor.v += joint.v - m.v_at[joint.body];
        factor.joint = static_cast<int>(k);
        d_.factor.push_back(factor);
      }
    }
  }

  /// Where the robot's coordinates have length 1 together, for the checks of arguments.
  void list_unit_places() {
    for (const Factor& factor : d_.factor) {
      const UnitCoordinates unit = unit_coordinates(factor.kind);
      if (unit.count == 0) continue;
      d_.unit_places.push_back({factor.q + unit.first, unit.count, factor.joint});
      const auto description =
          static_cast<size_t>(d_.joints[static_cast<size_t>(factor.joint)].description);
      double* rest = d_.passive.rest.data() + factor.q + unit.first;
      if (d_.description.joints[description].properties.rest.empty()) rest[unit.one] = 1;
      const double scale = 1 / std::sqrt(squared_length(rest, unit.count));
      for (int k = 0; k < unit.count; ++k) rest[k] *= scale;
    }
  }

  void list_motors() {
    const bool named = names_motors(d_.description);
    d_.actuated = std::make_unique<bool[]>(static_cast<size_t>(d_.nv));
    for (const JointInfo& joint : d_.joints) {
      const auto from = static_cast<size_t>(joint.description);
      if (joint.mimic) continue;
      std::fill_n(d_.actuated.get() + joint.v, joint.nv,
                  has_motor(d_.description.joints[from], named));
    }
  }

  void list_bushings() {
    const Model<double>& m = d_.system.tree;
    std::vector<bool> on_way(d_.parent.size()), moving(static_cast<size_t>(d_.nv));
    for (const BushingDescription& one : d_.description.bushings) {
      const Seat first = seat_of(one.link_1), second = seat_of(one.link_2);
      Bushing<double> to{.seat_1 = first.offset * one.placement_1,
                         .seat_2 = second.offset * one.placement_2,
                         .body_1 = first.body,
                         .body_2 = second.body};
      std::copy_n(one.stiffness.begin(), 6, to.stiffness);
      std::copy_n(one.damping.begin(), 6, to.damping);
      const size_t start = d_.bushing_way.size();
      const auto [down, up] = add_way(m.parent, first.body, second.body, d_.bushing_way);
      to.down = down, to.up = up;
      d_.bushing.push_back(to);
      for (size_t k = start; k < d_.bushing_way.size(); ++k)
        on_way[static_cast<size_t>(d_.bushing_way[k])] = true;
    }
    for (const JointInfo& joint : d_.joints) {
      if (!on_way[static_cast<size_t>(joint.body)]) continue;
      d_.bushing_body.push_back(joint.body);
      std::fill_n(moving.begin() + joint.v, joint.nv, true);
    }
    for (int k = 0; k < d_.nv; ++k)
      if (moving[static_cast<size_t>(k)]) d_.bushing_velocity.push_back(k);
    const int* way = d_.bushing_way.data();
    for (Bushing<double>& one : d_.bushing) one.way = way, way += one.down + one.up;
  }
  /// Of a link; an empty one is the world.
  Seat seat_of(const std::string& link) const { return link.empty() ? Seat{} : seats_[at(link)]; }
  Bushings<double> view_bushings() const {
    Bushings<double> all{.bushing = d_.bushing.data(),
                         .count = static_cast<int>(d_.bushing.size()),
                         .body = d_.bushing_body.data(),
                         .bodies = static_cast<int>(d_.bushing_body.size()),
                         .velocity = d_.bushing_velocity.data(),
                         .velocities = static_cast<int>(d_.bushing_velocity.size())};
    for (const Bushing<double>& one : d_.bushing) {
      int velocities = 0;
      for (int k = 0; k < one.down + one.up; ++k)
        velocities +=
            d_.v_at[static_cast<size_t>(one.way[k] + 1)] - d_.v_at[static_cast<size_t>(one.way[k])];
      all.longest = std::max(all.longest, velocities);
    }
    return all;
  }

  void view_system() {
    const auto some = [](const double* first, int n) {
      return std::any_of(first, first + n, [](double x) { return x != 0; });
    };
    for (const Factor& factor : d_.factor)
      if (some(d_.passive.stiffness.data() + factor.v, factor.nv)) d_.spring.push_back(factor);
    for (const FrameInfo& frame : d_.frames) d_.seat.push_back({frame.body, frame.offset});
    const PassiveData& p = d_.passive;
    System<double>& s = d_.system;
    s.nq = d_.nq;
    s.nv = d_.nv;
    s.factors = static_cast<int>(d_.factor.size());
    s.frames = static_cast<int>(d_.frames.size());
    s.coupling = d_.coupling.view(!has_mimic_, d_.nq, d_.nv);
    s.passive = {.stiffness = p.stiffness.data(),
                 .rest = p.rest.data(),
                 .spring = d_.spring.data(),
                 .springs = static_cast<int>(d_.spring.size()),
                 .bushings = view_bushings(),
                 .any = !d_.spring.empty() || !d_.bushing.empty()};
    for (const ResistanceInfo& one : resistances) {
      const double* coefficients = (p.*one.of_robot).data();
      s.passive.resistance[static_cast<size_t>(one.law)] = coefficients;
      s.passive.any = s.passive.any || some(coefficients, d_.nv);
    }
    s.factor = d_.factor.data();
    s.frame = d_.seat.data();
  }

  /// What acts in and bounds a mimic joint, q = ratio x + offset, as felt by its leader x.
  void add_to_leader(const JointInfo& leader, const JointDescription& from) {
    const double ratio = from.mimic->multiplier, offset = from.mimic->offset;
    const JointProperties& p = from.properties;
    const auto q = static_cast<size_t>(leader.q), v = static_cast<size_t>(leader.v);
    const auto of = [](const std::vector<double>& x) { return x.empty() ? 0 : x[0]; };
    PassiveData& to = d_.passive;
    to.armature[v] += ratio * ratio * of(p.armature);
    for (const ResistanceInfo& one : resistances)  // power is taken, at `ratio` times the speed
      (to.*one.of_robot)[v] += std::pow(std::abs(ratio), one.power + 1) * of(p.*one.of_joint);
    const double added = ratio * ratio * of(p.stiffness), sum = to.stiffness[v] + added;
    if (added > 0) {  // two springs in parallel: one that is free where they cancel
      to.rest[q] += added / sum * ((of(p.rest) - offset) / ratio - to.rest[q]);
      to.stiffness[v] = sum;
    }
    if (ratio != 0) bound_leader(v, p, ratio, offset);
  }
  void bound_leader(size_t v, const JointProperties& p, double ratio, double offset) {
    Limits& to = d_.limits;
    const double first = p.lower.empty() ? -infinity : p.lower[0];
    const double last = p.upper.empty() ? infinity : p.upper[0];
    const double a = (first - offset) / ratio, b = (last - offset) / ratio;
    const double lower = std::max(to.lower[v], std::min(a, b));
    const double upper = std::min(to.upper[v], std::max(a, b));
    if (lower <= upper) to.lower[v] = lower, to.upper[v] = upper;  // else they contradict
    if (!p.velocity_limit.empty())
      to.velocity[v] = std::min(to.velocity[v], p.velocity_limit[0] / std::abs(ratio));
  }

  static void append(std::vector<double>& to, const std::vector<double>& from, int n, double none) {
    if (from.empty()) to.insert(to.end(), static_cast<size_t>(n), none);
    else to.insert(to.end(), from.begin(), from.end());
  }
  void add_properties(const JointInfo& joint) {
    const JointProperties& p =
        d_.description.joints[static_cast<size_t>(joint.description)].properties;
    append(d_.limits.lower, p.lower, joint.nv, -infinity);
    append(d_.limits.upper, p.upper, joint.nv, infinity);
    append(d_.limits.velocity, p.velocity_limit, joint.nv, infinity);
    append(d_.limits.effort, p.effort_limit, joint.nv, infinity);
    append(d_.passive.armature, p.armature, joint.nv, 0);
    for (const ResistanceInfo& one : resistances)
      append(d_.passive.*one.of_robot, p.*one.of_joint, joint.nv, 0);
    append(d_.passive.stiffness, p.stiffness, joint.nv, 0);
    append(d_.passive.rest, p.rest, joint.nq, 0);
  }

  size_t at(const std::string& link) const { return static_cast<size_t>(link_.at(link)); }

  const std::vector<int>& order_;
  Robot::Data& d_;
  std::unordered_map<std::string, int> link_;
  std::vector<Seat> seats_;
  bool has_mimic_ = false;
};

}  // namespace

void compile(const std::vector<int>& order, Robot::Data& data) { Compiler(order, data).run(); }

}  // namespace jounce
