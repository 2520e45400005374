// SPDX-License-Identifier: BSD-3-Clause
// The constants of a robot in another kind of number: float for fast lanes, dual numbers for
// derivatives with respect to masses.
#pragma once

#include <jounce/model/joint.hpp>
#include <vector>

namespace jounce {

/// Owns what a Model<P> points to but for the lists of integers, which stay the robot's: it must
/// outlive this.
template <class P>
class ModelStorage {
 public:
  explicit ModelStorage(const Model<double>& m) : armature_(m.armature, m.armature + m.nv) {
    for (int k = 0; k < m.part_at[m.bodies]; ++k) part_.push_back(converted(m.part[k]));
    for (int i = 0; i < m.bodies; ++i) G_.push_back(converted(m.G[i]));
    view_ = {m.bodies,
             m.nq,
             m.nv,
             m.angles,
             m.parent,
             m.kind,
             m.branching,
             m.anchor,
             m.anchors,
             m.centre,
             m.part_at,
             m.v_at,
             m.q_at,
             m.angle_q,
             part_.data(),
             m.custom,
             G_.data(),
             armature_.data(),
             detail::as<P>(m.gravity)};
  }
  ModelStorage(const ModelStorage&) = delete;
  ModelStorage& operator=(const ModelStorage&) = delete;
  ModelStorage(ModelStorage&&) noexcept = default;
  ModelStorage& operator=(ModelStorage&&) noexcept = default;
  ~ModelStorage() = default;

  const Model<P>& view() const { return view_; }
  Inertia<P>& inertia(int body) { return G_[static_cast<size_t>(body)]; }

 private:
  static Part<P> converted(const Part<double>& x) {
    return {x.kind,     {detail::constant<double, P>(x.placement.R), detail::as<P>(x.placement.p)},
            P(x.pitch), x.q,
            x.v,        x.angle};
  }
  static Inertia<P> converted(const Inertia<double>& G) {
    return {P(G.mass),
            detail::as<P>(G.h),
            {P(G.I.xx), P(G.I.xy), P(G.I.yy), P(G.I.xz), P(G.I.yz), P(G.I.zz)}};
  }

  std::vector<Part<P>> part_;
  std::vector<Inertia<P>> G_;
  std::vector<P> armature_;
  Model<P> view_;
};

}  // namespace jounce
