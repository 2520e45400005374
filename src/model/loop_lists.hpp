// SPDX-License-Identifier: BSD-3-Clause
// The loops of a robot and the contacts of one call as plain views: which bodies lie on their way.
#pragma once

#include <jounce/algorithm/constrained_solve.hpp>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/equations/loops.hpp>

namespace jounce {

class LoopLists {
 public:
  /// InputError where both ends of a loop move together.
  explicit LoopLists(const Robot& robot);

  /// The contacts that follow the robot's own loops. Takes memory only for more than ever before.
  void set_contacts(const char* caller, std::span<const Contact> contacts);

  const Loops<double>& view() const { return view_; }
  int own() const { return own_; }            ///< loops of the robot
  int own_rows() const { return own_rows_; }  ///< and their rows
  std::string name(int loop) const;           ///< loop "tip", contact "left_foot"
  /// [nv] the rows that a coordinate, or one that it carries, has a part in.
  const std::vector<ConstraintRange>& ranges() const { return ranges_; }

 private:
  void add(LoopKind kind, const FrameSeat<double>& seat_1, const FrameSeat<double>& seat_2,
           double length);
  void tie(const LoopDescription& loop);
  std::vector<double> gear_ratios() const;
  void list();
  void extend(int body, const Loop<double>& loop);

  Robot robot_;
  std::vector<Loop<double>> loops_;
  std::vector<size_t> way_at_;  ///< [loops] where its way starts
  std::vector<int> way_;        ///< of all loops
  std::vector<double> ratios_;  ///< of the joints that loops tie, one loop after the other
  std::vector<int> bodies_;
  std::vector<bool> on_way_;  ///< [bodies]
  std::vector<Contact> contact_;
  std::vector<ConstraintRange> ranges_;
  int own_ = 0, own_rows_ = 0;
  Loops<double> view_;
};

}  // namespace jounce
