// SPDX-License-Identifier: BSD-3-Clause
// Which coordinates carry which, and pairs of them: the lists behind PathLists and PairLists.
#pragma once

#include <jounce/algorithm/curvature.hpp>
#include <jounce/algorithm/derivative_room.hpp>
#include <jounce/model/robot.hpp>

namespace jounce {

struct PathStorage {
  explicit PathStorage(const Model<double>& m);
  PathLists view() const {
    return {int(part.size()), part.data(),    at.data(),   middle.data(),
            path.data(),      straight.get(), before.get()};
  }

  std::vector<int> part, at, middle, path;
  std::unique_ptr<bool[]> straight, before;
};

struct PairStorage {
  PairStorage(int n, const std::vector<std::pair<int, int>>& pairs);
  /// Of the tree: all related pairs a <= b.
  explicit PairStorage(const PathStorage& paths);
  PairLists view() const {
    return {n, int(first.size()), first.data(), second.data(), at.data(), of.data()};
  }

  int n;
  std::vector<int> first, second, at, of;
};

/// Memory of a PairRoom.
template <class Real>
struct PairRoomStorage {
  explicit PairRoomStorage(const Model<double>& m)
      : S(size_t(m.nv)),
        E(has_custom(m) ? 6 * S.size() : 0),
        D(S.size()),
        f(S.size()),
        G(size_t(m.bodies)),
        along(8 * (S.size() + 8)),
        room{S.data(), D.data(), f.data(), G.data(), E.data(), along.data(), m.nv + 8} {}
  PairRoomStorage(const PairRoomStorage&) = delete;
  PairRoomStorage& operator=(const PairRoomStorage&) = delete;

  static bool has_custom(const Model<double>& m) {
    for (int i = 1; i < m.bodies; ++i)
      if (is_custom(m, i)) return true;
    return false;
  }

  std::vector<Twist<Real>> S, E;
  std::vector<Mat3<Real>> D;
  std::vector<Vec3<Real>> f;
  std::vector<Inertia<Real>> G;
  std::vector<Real> along;
  PairRoom<Real> room;
};

/// How pairs of the tree's coordinates add up to pairs of the robot's: X_I X_J is the sum of
/// ratio_i ratio_j X_i X_j over the coordinates that follow I and J.
struct PairFold {
  PairFold(const Coupling<double>& c, const PairStorage& tree);

  std::vector<int> to;        ///< [tree pairs]
  std::vector<double> ratio;  ///< [tree pairs]
  PairStorage own;

 private:
  static std::vector<std::pair<int, int>> own_pairs(const Coupling<double>& c,
                                                    const PairStorage& tree);
};

}  // namespace jounce
