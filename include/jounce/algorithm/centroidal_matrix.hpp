// SPDX-License-Identifier: BSD-3-Clause
// The matrix of centroidal momentum from q alone, fast: for any kind of vector.
//
// The reference (momentum.hpp) also finds the matrix's rate, and keeps inertias and screws of all
// bodies in memory. Here composite inertias are sums in local variables, as in mass_matrix.hpp, in
// ground axes about the first body or, where there are several anchors (origins.hpp), the model's
// centre; the centre of mass, which columns are taken about, comes with the poses.
#pragma once

#include <jounce/algorithm/mass_matrix.hpp>

namespace jounce {
namespace detail::inline JOUNCE_ISA {

/// Poses from the model's centre, and screws, after forward_poses.
template <class Kind>
constexpr void read_screws(const Recursion<Kind>& r) {
  using Real = typename Kind::Real;
  for (int i = 1; i < r.m.bodies; ++i) {
    r.room.pose[i] = Kind::pose(SE3<Real>{r.w.pose[i].R, r.w.central[i]});
    write_screws(r, i, r.room.pose[i]);
  }
}

/// The centre of mass of all bodies, in the axes and from the origin of room.pose.
template <class Kind>
constexpr typename Kind::Vector centre_of_mass(const Recursion<Kind>& r) {
  typename Kind::P mass(0);
  typename Kind::Vector moment{};
  for (int i = 1; i < r.m.bodies; ++i) {
    moment = moment + first_moment(r.room.pose[i], r.body[i].inertia());
    mass = mass + r.m.G[i].mass;
  }
  return moment * (typename Kind::P(1) / mass);
}

}  // namespace detail::inline JOUNCE_ISA

inline namespace JOUNCE_ISA {

/// A (6 x nv, column by column, angular first), from the state itself; of a model with several
/// anchors after forward_poses.
template <class Kind>
[[gnu::flatten]] constexpr void centroidal_matrix(const Recursion<Kind>& r,
                                                  typename Kind::Real* A) noexcept {
  if (r.m.anchors > 1) {
    detail::read_screws(r);
  } else {
    move_angles(r.m, r.x, r.w);
    detail::sweep_screws<Origins::centre, ScrewAxes::ground>(r);
  }
  const auto c = detail::centre_of_mass(r);
  detail::for_each_composite<Origins::centre>(
      r, [&](int i, const typename Kind::CompositeInertia& G) {
        for (int k = r.m.v_at[i]; k < r.m.v_at[i + 1]; ++k) {
          const auto h = G * r.room.screw[k];
          Kind::write({h.m - cross(c, h.f), h.f}, A + 6 * k);
        }
      });
}

}  // namespace JOUNCE_ISA

}  // namespace jounce
