// SPDX-License-Identifier: BSD-3-Clause
// The state that every library is asked at.
#include "oracles/others/peer.hpp"

#include <cstdint>

namespace jounce::others {

double number_of(const std::string& coordinate, const std::string& purpose) {
  std::uint64_t hash = 1469598103934665603u;
  for (const char c : purpose + ":" + coordinate)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  hash ^= hash >> 31;
  return double(hash % 2000001) / 1e6 - 1;
}

Eigen::VectorXd numbers_of(const std::vector<std::string>& coordinates,
                           const std::string& purpose) {
  Eigen::VectorXd numbers(Eigen::Index(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    numbers[Eigen::Index(k)] = number_of(coordinates[k], purpose);
  return numbers;
}

std::vector<std::string> coordinates_of(const std::string& joint, int nv) {
  if (nv == 1) return {joint};
  std::vector<std::string> names;
  for (int k = 0; k < nv; ++k) names.push_back(joint + " " + std::to_string(k));
  return names;
}

Eigen::Vector4d quaternion_of(const std::string& joint) {
  Eigen::Vector4d quaternion;
  for (int k = 0; k < 4; ++k) quaternion[k] = number_of(joint, "quaternion " + std::to_string(k));
  return quaternion.normalized();
}

Eigen::Vector3d position_of(const std::string& joint) {
  return numbers_of(coordinates_of(joint, 3), "position");
}

}  // namespace jounce::others
