// SPDX-License-Identifier: BSD-3-Clause
// Rows of loops on another kind of number: dual numbers for derivatives, Taylor numbers for series.
#pragma once

#include <jounce/equations/loops.hpp>
#include <jounce/model/robot.hpp>
#include <jounce/model/workspace.hpp>

namespace jounce {

template <class Number>
struct LoopNumbers {
  explicit LoopNumbers(const Robot& robot)
      : system(robot.system()),
        storage(robot.model()),
        q(size_t(robot.nq())),
        v(size_t(robot.nv())),
        a(v.size()),
        tree_q(robot.has_mimic() ? size_t(robot.model().nq) : 0),
        tree_v(robot.has_mimic() ? size_t(robot.model().nv) : 0),
        tree_a(tree_v) {}

  /// Room for these loops; takes memory only for more than ever before. A may be narrower than all
  /// rows are.
  void resize(const Loops<double>& all, int width_, int rows = 0) {
    width = width_;
    rows = std::max(rows, width);
    const auto grow = [](auto& x, size_t size) {
      if (x.size() < size) x.resize(size);
    };
    grow(A, v.size() * size_t(width));
    grow(rate, size_t(rows));
    grow(drift, size_t(rows));
    grow(motion, size_t(all.count));
    grow(column, size_t(all.longest));
  }
  /// q, v and a, which the caller has written, as the tree has them.
  State<Number> tree_state() {
    const Coupling<double>& c = system.coupling;
    if (c.identity) return {q.data(), v.data(), a.data(), nullptr, nullptr};
    expand_positions(c, q.data(), tree_q.data());
    expand(c, v.data(), tree_v.data());
    expand(c, a.data(), tree_a.data());
    return {tree_q.data(), tree_v.data(), tree_a.data(), nullptr, nullptr};
  }
  /// Moves the joints on the ways of loops there.
  template <class Own>
  State<Number> move(const Loops<Own>& all) {
    const State<Number> x = tree_state();
    move_loops(system.tree, all, x, storage.view());
    return x;
  }
  /// A and A a + Adot v where they have moved, and what time adds to A v.
  template <class Own>
  void run_moved(const Loops<Own>& all, const State<Number>& x) {
    std::fill(drift.begin(), drift.end(), Number(0));
    moved_loop_rows(
        system, all, x, storage.view(),
        {A.data(), width, rate.data(), motion.data(), column.data(), time, drift.data()});
  }
  void run(const Loops<double>& all) { run_moved(all, move(all)); }

  const System<double>& system;
  WorkspaceStorage<Number> storage;
  int width = 0;
  Number time{};  ///< the instant
  std::vector<Number> q, v, a, tree_q, tree_v, tree_a;
  std::vector<Number> A, rate, drift;  ///< [nv][width], [width], [width]
  std::vector<LoopMotion<Number>> motion;
  std::vector<Twist<Number>> column;
};

}  // namespace jounce
