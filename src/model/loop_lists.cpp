// SPDX-License-Identifier: BSD-3-Clause
// The ways of loops through the tree.
#include "model/loop_lists.hpp"

#include <algorithm>

#include "model/body_way.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

/// The seat of one end of a loop; an empty link is the world.
FrameSeat<double> seat_of(const Robot& robot, const std::string& link,
                          const SE3<double>& placement) {
  if (link.empty()) return {0, placement};
  const FrameInfo& frame = robot.frame_info(robot.frame(link));
  return {frame.body, frame.offset * placement};
}

bool same(const Contact& a, const Contact& b) { return a.frame == b.frame && a.kind == b.kind; }

}  // namespace

LoopLists::LoopLists(const Robot& robot)
    : robot_(robot),
      ratios_(gear_ratios()),
      on_way_(static_cast<size_t>(robot.bodies())),
      ranges_(static_cast<size_t>(robot.nv())) {
  for (const LoopDescription& loop : robot.loops()) {
    if (!has_frames(loop.kind)) {
      tie(loop);
      continue;
    }
    const FrameSeat<double> seat_1 = seat_of(robot, loop.link_1, loop.placement_1);
    const FrameSeat<double> seat_2 = seat_of(robot, loop.link_2, loop.placement_2);
    if (seat_1.body == seat_2.body)
      throw InputError("robot " + in_quotes(robot.name()) + ": loop " + in_quotes(loop.name) +
                       ": both ends move with one body, there is nothing to close");
    add(loop.kind, seat_1, seat_2, loop.length);
    loops_.back().radius = loop.radius;
  }
  own_ = static_cast<int>(loops_.size());
  list();
  own_rows_ = view_.rows;
}

void LoopLists::set_contacts(const char* caller, std::span<const Contact> contacts) {
  if (std::equal(contacts.begin(), contacts.end(), contact_.begin(), contact_.end(), same)) return;
  for (const Contact& contact : contacts) {  // before anything is changed
    const FrameInfo& frame = robot_.frame_info(contact.frame);
    if (has_moving_row(contact.kind) || !has_frames(contact.kind) ||
        contact.kind == LoopKind::rolling)
      throw InputError(std::string(caller) + ": contact " + in_quotes(frame.name) + ": kind " +
                       jounce::name(contact.kind) + " needs " +
                       (has_frames(contact.kind) ? "a second frame" : "joints") +
                       ", make it a loop");
    if (frame.body == 0)
      throw InputError(std::string(caller) + ": contact " + in_quotes(frame.name) +
                       " does not move: it is part of the ground");
  }
  const auto own = static_cast<size_t>(own_);
  loops_.resize(own);
  way_.resize(way_at_.size() > own ? way_at_[own] : way_.size());
  way_at_.resize(own);
  contact_.clear();
  for (const Contact& contact : contacts) {
    const FrameInfo& frame = robot_.frame_info(contact.frame);
    add(contact.kind, {}, {frame.body, frame.offset}, 0);
    contact_.push_back(contact);
  }
  list();
}

std::string LoopLists::name(int loop) const {
  const auto k = static_cast<size_t>(loop);
  if (loop < own_) return "loop " + in_quotes(robot_.loops()[k].name);
  return "contact " +
         in_quotes(robot_.frame_info(contact_[k - static_cast<size_t>(own_)].frame).name);
}

void LoopLists::add(LoopKind kind, const FrameSeat<double>& seat_1, const FrameSeat<double>& seat_2,
                    double length) {
  way_at_.push_back(way_.size());
  const auto [down, up] = add_way(robot_.model().parent, seat_1.body, seat_2.body, way_);
  loops_.push_back({kind, seat_1.offset, seat_2.offset, length, 0, nullptr, down, up});
}

/// A loop of joints instead of frames: their bodies, in its order.
void LoopLists::tie(const LoopDescription& loop) {
  way_at_.push_back(way_.size());
  Loop<double> to{.kind = loop.kind, .down = static_cast<int>(loop.joints.size())};
  to.offset = loop.offset;
  if (loop.kind == LoopKind::custom) to.custom = loop.custom.get();
  for (const TiedJoint& joint : loop.joints) way_.push_back(robot_.joint(joint.name).body);
  loops_.push_back(to);
}
std::vector<double> LoopLists::gear_ratios() const {
  std::vector<double> ratios;
  for (const LoopDescription& loop : robot_.loops())
    for (const TiedJoint& joint : loop.joints) ratios.push_back(joint.ratio);
  return ratios;
}

/// The rows of a loop for the coordinates of a body and of all that carry it.
void LoopLists::extend(int body, const Loop<double>& loop) {
  const System<double>& s = robot_.system();
  const int last = loop.row + rows(loop);
  for (int i = body; i > 0; i = s.tree.parent[i])
    for (int t = s.tree.v_at[i]; t < s.tree.v_at[i + 1]; ++t) {
      ConstraintRange& range = ranges_[static_cast<size_t>(s.coupling.v_source[t])];
      range = range.first == range.last
                  ? ConstraintRange{loop.row, last}
                  : ConstraintRange{std::min(range.first, loop.row), std::max(range.last, last)};
    }
}

/// Rows, ways and the bodies on them, once all loops are known.
void LoopLists::list() {
  const Model<double>& m = robot_.model();
  view_ = {loops_.data(), static_cast<int>(loops_.size()), 0, nullptr, 0, 0};
  const double* ratio = ratios_.data();
  std::fill(on_way_.begin(), on_way_.end(), false);
  std::fill(ranges_.begin(), ranges_.end(), ConstraintRange{});
  for (size_t k = 0; k < loops_.size(); ++k) {
    Loop<double>& loop = loops_[k];
    loop.way = way_.data() + way_at_[k];
    loop.row = view_.rows;
    view_.rows += rows(loop);
    if (!has_frames(loop.kind)) loop.ratio = ratio, ratio += loop.down;
    int velocities = 0;
    for (int b = 0; b < loop.down + loop.up; ++b) {
      on_way_[static_cast<size_t>(loop.way[b])] = true;
      velocities += m.v_at[loop.way[b] + 1] - m.v_at[loop.way[b]];
    }
    if (has_frames(loop.kind)) {
      if (loop.down > 0) extend(loop.way[0], loop);
      if (loop.up > 0) extend(loop.way[loop.down + loop.up - 1], loop);
    } else {
      for (int b = 0; b < loop.down; ++b) extend(loop.way[b], loop);
    }
    view_.longest = std::max(view_.longest, velocities);
  }
  bodies_.clear();
  for (size_t i = 0; i < on_way_.size(); ++i)
    if (on_way_[i]) bodies_.push_back(static_cast<int>(i));
  if (robot_.has_mimic())  // factors fill more than the tree has
    std::fill(ranges_.begin(), ranges_.end(), ConstraintRange{0, view_.rows});
  view_.body = bodies_.data();
  view_.bodies = static_cast<int>(bodies_.size());
}

}  // namespace jounce
