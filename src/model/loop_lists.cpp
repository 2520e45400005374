// SPDX-License-Identifier: BSD-3-Clause
// The ways of loops through the tree.
#include "model/loop_lists.hpp"

#include <algorithm>

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

}  // namespace

LoopLists::LoopLists(const Robot& robot)
    : robot_(robot),
      on_way_(static_cast<size_t>(robot.bodies())),
      ranges_(static_cast<size_t>(robot.nv())) {
  for (const LoopDescription& loop : robot.loops()) {
    const FrameSeat<double> seat_1 = seat_of(robot, loop.link_1, loop.placement_1);
    const FrameSeat<double> seat_2 = seat_of(robot, loop.link_2, loop.placement_2);
    if (seat_1.body == seat_2.body)
      throw InputError("robot " + in_quotes(robot.name()) + ": loop " + in_quotes(loop.name) +
                       ": both ends move with one body, there is nothing to close");
    add(loop.kind, seat_1, seat_2, loop.length);
  }
  own_ = static_cast<int>(loops_.size());
  list();
  own_rows_ = view_.rows;
}

void LoopLists::set_contacts(const char* caller, std::span<const Contact> contacts) {
  if (contacts.empty() && view_.count == own_) return;
  for (const Contact& contact : contacts) {  // before anything is changed
    const FrameInfo& frame = robot_.frame_info(contact.frame);
    if (has_moving_row(contact.kind))
      throw InputError(std::string(caller) + ": contact " + in_quotes(frame.name) + ": kind " +
                       jounce::name(contact.kind) + " needs a second frame, make it a loop");
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
    contact_.push_back(contact.frame);
  }
  list();
}

std::string LoopLists::name(int loop) const {
  const auto k = static_cast<size_t>(loop);
  if (loop < own_) return "loop " + in_quotes(robot_.loops()[k].name);
  return "contact " + in_quotes(robot_.frame_info(contact_[k - static_cast<size_t>(own_)]).name);
}

void LoopLists::add(LoopKind kind, const FrameSeat<double>& seat_1, const FrameSeat<double>& seat_2,
                    double length) {
  const int* parent = robot_.model().parent;
  int one = seat_1.body, two = seat_2.body;
  const size_t first = way_.size();
  int down = 0, up = 0;
  while (one != two) {  // parents have smaller numbers
    if (two > one) {
      way_.insert(way_.begin() + static_cast<std::ptrdiff_t>(first) + down++, two);
      two = parent[two];
    } else {
      way_.insert(way_.begin() + static_cast<std::ptrdiff_t>(first) + down, one);
      ++up;
      one = parent[one];
    }
  }
  way_at_.push_back(first);
  loops_.push_back({kind, seat_1.offset, seat_2.offset, length, 0, nullptr, down, up});
}

/// The rows of a loop for the coordinates of a body and of all that carry it.
void LoopLists::extend(int body, const Loop<double>& loop) {
  const System<double>& s = robot_.system();
  const int last = loop.row + rows(loop.kind);
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
  std::fill(on_way_.begin(), on_way_.end(), false);
  std::fill(ranges_.begin(), ranges_.end(), ConstraintRange{});
  for (size_t k = 0; k < loops_.size(); ++k) {
    Loop<double>& loop = loops_[k];
    loop.way = way_.data() + way_at_[k];
    loop.row = view_.rows;
    view_.rows += rows(loop.kind);
    int velocities = 0;
    for (int b = 0; b < loop.down + loop.up; ++b) {
      on_way_[static_cast<size_t>(loop.way[b])] = true;
      velocities += m.v_at[loop.way[b] + 1] - m.v_at[loop.way[b]];
    }
    if (loop.down > 0) extend(loop.way[0], loop);
    if (loop.up > 0) extend(loop.way[loop.down + loop.up - 1], loop);
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
