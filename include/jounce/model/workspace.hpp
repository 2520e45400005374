// SPDX-License-Identifier: BSD-3-Clause
// The memory behind a Workspace, for any kind of number.
#pragma once

#include <jounce/model/joint.hpp>
#include <vector>

namespace jounce {

/// Owns what a Workspace points to, sized for one model; make one per thread.
template <class Real>
class WorkspaceStorage {
 public:
  template <class P>
  explicit WorkspaceStorage(const Model<P>& m)
      : sin_(size(m.angles) + 7),
        cos_(size(m.angles) + 7),
        T_(size(m.bodies)),
        pose_(size(m.bodies)),
        near_(size(m.bodies)),
        central_(m.anchors > 1 ? size(m.bodies) : 0),
        S_(size(m.nv)),
        Sdot_(size(m.nv)),
        Sdot_v_(size(m.bodies)),
        V_(size(m.bodies)),
        Vdot_(size(m.bodies)),
        F_(size(m.bodies)),
        eta_(size(m.bodies)),
        IA_(size(m.bodies)),
        U_(size(m.nv)),
        D_(6 * size(m.nv)),
        a_(size(m.nv)),
        tau_(size(m.nv)),
        view_{.sin = sin_.data(),
              .cos = cos_.data(),
              .T = T_.data(),
              .pose = pose_.data(),
              .near = near_.data(),
              .central = m.anchors > 1 ? central_.data() : near_.data(),  // one anchor: the same
              .S = S_.data(),
              .Sdot = Sdot_.data(),
              .Sdot_v = Sdot_v_.data(),
              .V = V_.data(),
              .Vdot = Vdot_.data(),
              .F = F_.data(),
              .eta = eta_.data(),
              .IA = IA_.data(),
              .U = U_.data(),
              .D = D_.data(),
              .a = a_.data(),
              .tau = tau_.data()} {
    write_constants(m, view_);
  }
  WorkspaceStorage(const WorkspaceStorage&) = delete;
  WorkspaceStorage& operator=(const WorkspaceStorage&) = delete;
  WorkspaceStorage(WorkspaceStorage&&) noexcept = default;
  WorkspaceStorage& operator=(WorkspaceStorage&&) noexcept = default;
  ~WorkspaceStorage() = default;

  Workspace<Real>& view() { return view_; }
  const Workspace<Real>& view() const { return view_; }

 private:
  static size_t size(int n) { return static_cast<size_t>(n); }

  std::vector<Real> sin_, cos_;
  std::vector<SE3<Real>> T_, pose_;
  std::vector<Vec3<Real>> near_, central_;
  std::vector<Twist<Real>> S_, Sdot_, Sdot_v_, V_, Vdot_;
  std::vector<Wrench<Real>> F_;
  std::vector<Twist<Real>> eta_;
  std::vector<ArticulatedInertia<Real>> IA_;
  std::vector<Wrench<Real>> U_;
  std::vector<Real> D_, a_, tau_;
  Workspace<Real> view_;
};

}  // namespace jounce
