// SPDX-License-Identifier: BSD-3-Clause
// The constants of a robot in another kind of number: float for fast lanes, dual numbers for
// derivatives with respect to masses.
#pragma once

#include <algorithm>
#include <jounce/model/model_storage.hpp>
#include <jounce/model/system.hpp>

namespace jounce {

/// Owns what a Coupling points to.
template <class P>
struct CouplingStorage {
  std::vector<int> q_source, v_source;
  std::vector<P> q_ratio, q_offset, v_ratio;

  /// The next joint of the tree: ratio times the robot's coordinates from q and v on.
  void add(int q, int nq, int v, int nv, const P& ratio, const P& offset) {
    for (int k = 0; k < nq; ++k) {
      q_source.push_back(q + k);
      q_ratio.push_back(ratio);
      q_offset.push_back(offset);
    }
    for (int k = 0; k < nv; ++k) {
      v_source.push_back(v + k);
      v_ratio.push_back(ratio);
    }
  }
  Coupling<P> view(bool identity, int nq, int nv) const {
    return {identity,
            static_cast<int>(q_source.size()),
            static_cast<int>(v_source.size()),
            nq,
            nv,
            q_source.data(),
            v_source.data(),
            q_ratio.data(),
            q_offset.data(),
            v_ratio.data()};
  }
};

/// Owns what a System<P> points to but for the lists of integers, which stay the robot's: it must
/// outlive this.
template <class P>
class SystemStorage {
 public:
  explicit SystemStorage(const System<double>& s)
      : tree_(s.tree),
        q_ratio_(s.coupling.q_ratio, s.coupling.q_ratio + s.tree.nq),
        q_offset_(s.coupling.q_offset, s.coupling.q_offset + s.tree.nq),
        v_ratio_(s.coupling.v_ratio, s.coupling.v_ratio + s.tree.nv),
        stiffness_(s.passive.stiffness, s.passive.stiffness + s.nv),
        rest_(s.passive.rest, s.passive.rest + s.nq) {
    for (int k = 0; k < s.frames; ++k) frame_.push_back({s.frame[k].body, pose(s.frame[k].offset)});
    const Coupling<double>& c = s.coupling;
    Passive<P> passive{.stiffness = stiffness_.data(),
                       .rest = rest_.data(),
                       .spring = s.passive.spring,
                       .springs = s.passive.springs,
                       .bushings = bushings(s.passive.bushings),
                       .any = s.passive.any};
    for (size_t law = 0; law < std::size(resistances); ++law) {
      const double* from = s.passive.resistance[law];
      resistance_[law].assign(from, from + s.nv);
      passive.resistance[law] = resistance_[law].data();
    }
    view_ = {.tree = tree_.view(),
             .nq = s.nq,
             .nv = s.nv,
             .factors = s.factors,
             .frames = s.frames,
             .coupling = {c.identity, c.tree_nq, c.tree_nv, c.nq, c.nv, c.q_source, c.v_source,
                          q_ratio_.data(), q_offset_.data(), v_ratio_.data()},
             .passive = passive,
             .factor = s.factor,
             .frame = frame_.data()};
  }
  SystemStorage(const SystemStorage&) = delete;
  SystemStorage& operator=(const SystemStorage&) = delete;
  SystemStorage(SystemStorage&&) noexcept = default;
  SystemStorage& operator=(SystemStorage&&) noexcept = default;
  ~SystemStorage() = default;

  const System<P>& view() const { return view_; }
  Inertia<P>& inertia(int body) { return tree_.inertia(body); }

 private:
  static SE3<P> pose(const SE3<double>& T) {
    return {detail::constant<double, P>(T.R), detail::as<P>(T.p)};
  }
  Bushings<P> bushings(const Bushings<double>& from) {
    for (int k = 0; k < from.count; ++k) {
      const Bushing<double>& one = from.bushing[k];
      Bushing<P> to{.seat_1 = pose(one.seat_1),
                    .seat_2 = pose(one.seat_2),
                    .body_1 = one.body_1,
                    .body_2 = one.body_2,
                    .way = one.way,
                    .down = one.down,
                    .up = one.up};
      std::copy_n(one.stiffness, 6, to.stiffness);
      std::copy_n(one.damping, 6, to.damping);
      bushing_.push_back(to);
    }
    return {bushing_.data(), from.count,      from.body,   from.bodies,
            from.velocity,   from.velocities, from.longest};
  }

  ModelStorage<P> tree_;
  std::vector<P> q_ratio_, q_offset_, v_ratio_;
  std::vector<P> stiffness_, rest_;
  std::vector<P> resistance_[std::size(resistances)];
  std::vector<FrameSeat<P>> frame_;
  std::vector<Bushing<P>> bushing_;
  System<P> view_;
};

}  // namespace jounce
