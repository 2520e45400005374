// SPDX-License-Identifier: BSD-3-Clause
// Where the dynamics of higher order keeps its Taylor coefficients.
//
// Every quantity x(t) = x[0] + x[1] t + x[2] t^2 + ... along the motion is held by its coefficients
// x[k] = x^(k) / k!: products become plain convolutions and no binomial appears. The row of a
// quantity of a body holds its coefficients, lowest first; velocities and forces, which callers
// hand over derivative by derivative, have one row per order.
#pragma once

#include <jounce/model/workspace.hpp>
#include <jounce/scalar/power_series.hpp>

namespace jounce {

/// Orders that kernels have room for on the stack; on kinds of number other than double, the
/// highest of custom joints.
inline constexpr int highest_order = 16;

/// Rows of equal length in one piece of memory.
template <class T>
struct Rows {
  T* first = nullptr;
  int length = 0;

  constexpr T* operator[](int i) const { return first + i * length; }
};

inline namespace JOUNCE_ISA {

struct BodyFrames;

}  // namespace JOUNCE_ISA

/// Everything that is computed, for derivatives of the dynamics up to `order`; one per thread.
/// There are order + 2 coefficients: v^(order + 1) is the last that dynamics speaks of.
template <class Real>
struct SeriesWorkspace {
  using Number = Real;
  using Frames = BodyFrames;

  int order = 0;
  Rows<Real> v;              ///< [order + 2][nv] velocities; (k + 1) v[k + 1] is coefficient k of a
  Rows<Real> tau;            ///< [order + 2][nv] forces
  Rows<Wrench<Real>> F_ext;  ///< [bodies] wrenches from outside, in body frames
  Rows<SE3<Real>> T;         ///< [bodies] pose in the parent
  Rows<SE3<Real>> pose;      ///< [bodies] pose in the ground, where extend_ground_poses ran
  Rows<Twist<Real>> S;       ///< [nv] screws, in the body's frame; row used where S moves
  Rows<Twist<Real>> tail;    ///< [parts] S v of a part of a joint and of the parts behind it
  Rows<Twist<Real>> V;       ///< [bodies] body twist, of a body that falls where gravity acts
  Rows<Vec3<Real>> at_joint;       ///< [bodies] velocity of the parent at the joint, parent's axes
  Rows<Wrench<Real>> momentum;     ///< [bodies] G V
  Rows<Wrench<Real>> F;            ///< [bodies] wrench through the joint, on the body
  Rows<Vec3<Real>> f_in_parent;    ///< [bodies] its force, in the parent's axes
  Twist<Real>* eta = nullptr;      ///< [bodies] the part of an acceleration that is known
  Workspace<Real>* now = nullptr;  ///< order 0: T, S, and IA, U, D, factored once
  SeriesRoom<PowerSeries>* room = nullptr;  ///< for what the user writes
};

/// Owns what a SeriesWorkspace points to, sized for one model and one highest order.
template <class Real>
class SeriesStorage {
 public:
  template <class P>
  SeriesStorage(const Model<P>& m, int order)
      : now_(m),
        numbers_(size(2 * m.nv, order)),
        poses_(size(2 * m.bodies, order)),
        twists_(size(m.nv + m.part_at[m.bodies] + m.bodies, order) + size_t(m.bodies)),
        wrenches_(size(3 * m.bodies, order)),
        vectors_(size(2 * m.bodies, order)),
        room_(order) {
    const int n = order + 2, parts = m.part_at[m.bodies];
    view_.order = order;
    view_.v = {numbers_.data(), m.nv};
    view_.tau = {view_.v[n], m.nv};
    view_.T = {poses_.data(), n};
    view_.pose = {view_.T[m.bodies], n};
    view_.S = {twists_.data(), n};
    view_.tail = {view_.S[m.nv], n};
    view_.V = {view_.tail[parts], n};
    view_.eta = view_.V[m.bodies];
    view_.F_ext = {wrenches_.data(), n};
    view_.momentum = {view_.F_ext[m.bodies], n};
    view_.F = {view_.momentum[m.bodies], n};
    view_.at_joint = {vectors_.data(), n};
    view_.f_in_parent = {view_.at_joint[m.bodies], n};
    view_.now = &now_.view();
    view_.room = &room_;
    for (int i = 1; i < m.bodies; ++i)
      if (is_custom(m, i)) room_.reserve(m.custom[i]->motion.numbers + temporaries);
  }
  SeriesStorage(const SeriesStorage&) = delete;
  SeriesStorage& operator=(const SeriesStorage&) = delete;

  SeriesWorkspace<Real>& view() { return view_; }
  const SeriesWorkspace<Real>& view() const { return view_; }
  /// More than a step of a law has at once beside its arguments and results.
  static constexpr int temporaries = 128;

 private:
  static size_t size(int rows, int order) { return size_t(rows) * size_t(order + 2); }

  WorkspaceStorage<Real> now_;
  std::vector<Real> numbers_;
  std::vector<SE3<Real>> poses_;
  std::vector<Twist<Real>> twists_;
  std::vector<Wrench<Real>> wrenches_;
  std::vector<Vec3<Real>> vectors_;
  SeriesRoom<PowerSeries> room_;
  SeriesWorkspace<Real> view_;
};

}  // namespace jounce
