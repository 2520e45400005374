// SPDX-License-Identifier: BSD-3-Clause
// Where dynamics of any order in the ground's axes keeps its Taylor coefficients.
#pragma once

#include <jounce/algorithm/series_workspace.hpp>

namespace jounce {

/// As SeriesWorkspace, for one kind of frames in the ground's axes.
template <class Real, class Frames_>
struct WorldWorkspace {
  using Number = Real;
  using Frames = Frames_;

  int order = 0;
  bool own_base = false;
  Rows<Real> v, tau;             ///< [order + 2][nv]
  Rows<Wrench<Real>> F_ext, F;   ///< [bodies] wrenches from outside and through the joint
  Rows<Twist<Real>> S;           ///< [nv] screws
  Rows<Twist<Real>> behind;      ///< [parts] S v of the parts behind, where S moves in the body
  Rows<Twist<Real>> V;           ///< [bodies]
  Rows<SE3<Real>> pose;          ///< [bodies] in the ground, where extend_world_pose ran
  Rows<Vec3<Real>> h;            ///< [bodies] first moment
  Rows<Vec3<Real>> turned_h;     ///< [bodies] w x h but for w[k] x h[0]
  Rows<Vec3<Real>> r, turned_r;  ///< [bodies] from the parent's origin; w_p x r as above
  Rows<Vec3<Real>> a;            ///< [bodies] v', as far as it is known
  Rows<Sym3<Real>> I;            ///< [bodies] second moment
  Inertia<Real>* G = nullptr;    ///< [bodies] coefficient 0 of mass, h and I
  Twist<Real>* eta = nullptr;    ///< [bodies]
  Workspace<Real>* joints = nullptr;  ///< poses and screws of the joints at the instant
  Workspace<Real>* now = nullptr;     ///< IA, U, D, factored once, and S[0]
};

/// Owns what a WorldWorkspace points to, sized for one model and one highest order.
template <class Real, class Frames>
class WorldStorage {
 public:
  template <class P>
  WorldStorage(const Model<P>& m, int order)
      : joints_(m),
        numbers_(size(2 * m.nv, order)),
        poses_(size(m.bodies, order)),
        twists_(size(m.nv + m.part_at[m.bodies] + m.bodies, order)),
        wrenches_(size(2 * m.bodies, order)),
        vectors_(size(5 * m.bodies, order)),
        moments_(size(m.bodies, order)),
        inertias_(size_t(m.bodies)),
        eta_(size_t(m.bodies)),
        screws_(size_t(m.nv)),
        now_(joints_.view()) {
    const int n = order + 2;
    view_.order = order;
    view_.v = {numbers_.data(), m.nv};
    view_.tau = {view_.v[n], m.nv};
    view_.pose = {poses_.data(), n};
    view_.S = {twists_.data(), n};
    view_.behind = {view_.S[m.nv], n};
    view_.V = {view_.behind[m.part_at[m.bodies]], n};
    view_.F_ext = {wrenches_.data(), n};
    view_.F = {view_.F_ext[m.bodies], n};
    view_.h = {vectors_.data(), n};
    view_.turned_h = {view_.h[m.bodies], n};
    view_.r = {view_.turned_h[m.bodies], n};
    view_.turned_r = {view_.r[m.bodies], n};
    view_.a = {view_.turned_r[m.bodies], n};
    view_.I = {moments_.data(), n};
    view_.G = inertias_.data();
    view_.eta = eta_.data();
    view_.joints = &joints_.view();
    now_.S = screws_.data();
    view_.now = &now_;
  }
  WorldStorage(const WorldStorage&) = delete;
  WorldStorage& operator=(const WorldStorage&) = delete;

  WorldWorkspace<Real, Frames>& view() { return view_; }

 private:
  static size_t size(int rows, int order) { return size_t(rows) * size_t(order + 2); }

  WorkspaceStorage<Real> joints_;
  std::vector<Real> numbers_;
  std::vector<SE3<Real>> poses_;
  std::vector<Twist<Real>> twists_;
  std::vector<Wrench<Real>> wrenches_;
  std::vector<Vec3<Real>> vectors_;
  std::vector<Sym3<Real>> moments_;
  std::vector<Inertia<Real>> inertias_;
  std::vector<Twist<Real>> eta_, screws_;
  Workspace<Real> now_;
  WorldWorkspace<Real, Frames> view_;
};

}  // namespace jounce
