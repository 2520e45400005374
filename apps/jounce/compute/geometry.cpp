// SPDX-License-Identifier: BSD-3-Clause
// jounce compute christoffel | curvature.
#include "apps/jounce/compute/quantity.hpp"

namespace jounce::app::quantity {
namespace {

/// n lists, list i made by of(i).
template <class Of>
Json lists_of(int n, Of of) {
  Json found = Json::array();
  for (int i = 0; i < n; ++i) found.push_back(of(i));
  return found;
}

}  // namespace

Json christoffel(ComputeContext& c, JsonObject& state) {
  const Christoffel gamma = c.geometry->christoffel(coordinates(c, state));
  const auto matrix = [&](int i) { return rows_of(gamma.slice(i).transpose()); };
  return {{"gamma", lists_of(gamma.n(), matrix)}};
}

Json curvature(ComputeContext& c, JsonObject& state) {
  const Curvature R = c.geometry->curvature(coordinates(c, state));
  const int n = R.n();
  const auto tensor = [&](int i) {
    return lists_of(n, [&](int j) {
      return lists_of(
          n, [&](int k) { return lists_of(n, [&](int l) -> Json { return R(i, j, k, l); }); });
    });
  };
  return {{"riemann", lists_of(n, tensor)}, {"ricci", rows_of(R.ricci)}, {"scalar", R.scalar()}};
}

}  // namespace jounce::app::quantity
