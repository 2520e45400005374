// SPDX-License-Identifier: BSD-3-Clause
// Which command drives which coordinate when.
#pragma once

#include <jounce/command.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

class CommandTable {
 public:
  explicit CommandTable(Robot robot);

  void add(std::string_view joint, Command command, double from);
  /// Takes what holds from time t on until something jumps; from then on as just before, so that a
  /// step that ends there sees nothing of it.
  void select(double t);

  bool any() const { return !entries_.empty(); }
  /// Whether accelerations of any coordinate are prescribed, and of which.
  bool prescribes() const { return prescribes_; }
  std::span<const bool> prescribed() const { return {prescribed_.get(), active_.size()}; }
  /// Whether forces or laws change with time.
  bool changes() const { return changes_; }
  bool has_series() const { return has_series_; }

  /// The forces, zero where none are given.
  void forces(double t, double* tau) const;
  /// The accelerations where prescribed; q and v where trajectories are.
  void prescribe(double t, double* q, double* v, double* a) const;
  /// Derivatives 0 to order of forces, and of the prescribed velocities 0 to order + 1; columns of
  /// nv numbers. Others are left as they are.
  void series(double t, int order, double* taus, double* motion) const;
  /// The first time after t at which a law jumps or another command takes over.
  double next_break(double t) const;

 private:
  struct Entry {
    int joint, q, nq, v, nv;  ///< the coordinates it is about
    Command command;
    double from;
  };
  void require_fits(const Entry& entry, bool whole) const;
  template <class F>
  void for_each_active(F f) const {
    for (size_t k = 0; k < active_.size(); ++k) {
      if (active_[k] < 0) continue;
      const Entry& entry = entries_[size_t(active_[k])];
      if (int(k) == entry.v) f(entry);
    }
  }

  Robot robot_;
  std::vector<Entry> entries_;  ///< in the order of their times
  std::vector<int> active_;     ///< [nv] entry, or -1
  std::unique_ptr<bool[]> prescribed_;
  double last_ = std::numeric_limits<double>::max();  ///< before the next jump
  bool prescribes_ = false, changes_ = false, has_series_ = true;
};

}  // namespace jounce
