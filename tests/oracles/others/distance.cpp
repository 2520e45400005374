// SPDX-License-Identifier: BSD-3-Clause
#include "oracles/others/distance.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace jounce::others {
namespace {

/// Where our coordinates are among theirs; nothing where a name is missing.
std::optional<std::vector<Eigen::Index>> order_of(const Answer& ours, const Answer& theirs) {
  std::map<std::string, Eigen::Index> place;
  for (const std::string& name : theirs.coordinates)
    place.emplace(name, Eigen::Index(place.size()));
  std::vector<Eigen::Index> order;
  for (const std::string& name : ours.coordinates) {
    const auto found = place.find(name);
    if (found == place.end()) return std::nullopt;
    order.push_back(found->second);
  }
  return order;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

/// DART gives links without mass 1e-100 kg.
constexpr double nothing = 1e-90;

/// In units of sqrt(M_ii M_jj), of the largest entry where a diagonal entry is zero.
double mass_error(const Eigen::MatrixXd& ours, const Eigen::MatrixXd& theirs) {
  if (!theirs.allFinite()) return infinity;
  const double largest = ours.cwiseAbs().maxCoeff();
  double worst = 0;
  for (Eigen::Index i = 0; i < ours.rows(); ++i)
    for (Eigen::Index j = 0; j < ours.cols(); ++j) {
      const double product = ours(i, i) * ours(j, j);
      const double unit = product > 0 ? std::sqrt(product) : largest;
      const double error = std::abs(ours(i, j) - theirs(i, j));
      worst = std::max(worst, error < nothing ? 0 : error / unit);
    }
  return worst;
}

double vector_error(const Eigen::VectorXd& ours, const Eigen::VectorXd& theirs) {
  if (!theirs.allFinite()) return infinity;
  const double largest = ours.cwiseAbs().maxCoeff();
  const double error = (ours - theirs).cwiseAbs().maxCoeff();
  return error < nothing ? 0 : error / largest;
}

}  // namespace

std::optional<Distance> distance(const Answer& ours, const Answer& theirs) {
  const auto order = order_of(ours, theirs);
  if (ours.coordinates.empty() || ours.nv != theirs.nv || !order) return std::nullopt;
  Distance apart;
  if (ours.M.size() > 0 && theirs.M.size() > 0)
    apart.mass = mass_error(ours.M, theirs.M(*order, *order));
  if (ours.tau.size() > 0 && theirs.tau.size() > 0)
    apart.inverse = vector_error(ours.tau, theirs.tau(*order));
  if (ours.a.size() > 0 && theirs.a.size() > 0 && theirs.a.allFinite()) {
    apart.with_forward = true;
    apart.forward = vector_error(ours.a, theirs.a(*order));
  }
  return apart;
}

}  // namespace jounce::others
