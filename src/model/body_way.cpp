// SPDX-License-Identifier: BSD-3-Clause
#include "model/body_way.hpp"

#include <algorithm>

namespace jounce {

BodyWay add_way(const int* parent, int body_1, int body_2, std::vector<int>& bodies) {
  const auto first = static_cast<std::ptrdiff_t>(bodies.size());
  BodyWay way;
  while (body_1 != body_2) {  // parents have smaller numbers
    const bool second = body_2 > body_1;
    int& body = second ? body_2 : body_1;
    bodies.insert(bodies.begin() + first + way.down, body);
    (second ? way.down : way.up) += 1;
    body = parent[body];
  }
  return way;
}

}  // namespace jounce
