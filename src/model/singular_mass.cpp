// SPDX-License-Identifier: BSD-3-Clause
// Why a mass matrix is singular, in words: the motions without kinetic energy, and the joints and
// links that they are made of.
#include <algorithm>
#include <cmath>
#include <jounce/model/mass_pattern.hpp>
#include <jounce/model/singular_mass.hpp>
#include <numeric>

namespace jounce {
namespace {

using Joints = std::vector<size_t>;  ///< places in Robot::joints(), ascending

/// The joints that take part in each motion x with M x = 0: coordinates are scaled so that M has
/// ones on its diagonal, and eliminated the largest pivot first.
class LostMotions {
 public:
  LostMotions(const Robot& robot, const double* M, const bool* prescribed, double lost)
      : robot_(robot), rounding_(100 * lost) {
    const int n = robot.nv();
    std::vector<int> left;
    for (int k = 0; k < n; ++k) {
      if (prescribed != nullptr && prescribed[k]) continue;
      if (M[n * k + k] > 0) left.push_back(k);
      else add({k});
    }
    const size_t size = left.size();
    Rows A(size, std::vector<double>(size));
    for (size_t i = 0; i < size; ++i)
      for (size_t j = 0; j < size; ++j)
        A[i][j] = M[n * left[i] + left[j]] / std::sqrt(M[n * left[i] + left[i]]) /
                  std::sqrt(M[n * left[j] + left[j]]);
    eliminate(A, left);
  }

  const std::vector<Joints>& joints() const { return joints_; }

 private:
  using Rows = std::vector<std::vector<double>>;
  static constexpr double takes_part = 1e-6;

  /// Gauss and Jordan, from the largest pivot to the smallest: what is left of a column without one
  /// says which multiples of the others it is.
  void eliminate(Rows& A, const std::vector<int>& coordinate) {
    std::vector<size_t> pivots, rest(A.size());
    std::iota(rest.begin(), rest.end(), size_t(0));
    while (!rest.empty()) {
      const auto largest = std::max_element(rest.begin(), rest.end(),
                                            [&](size_t i, size_t j) { return A[i][i] < A[j][j]; });
      const size_t p = *largest;
      if (!(A[p][p] > rounding_)) break;
      rest.erase(largest);
      pivots.push_back(p);
      const double pivot = A[p][p];
      for (double& x : A[p]) x /= pivot;
      for (size_t i = 0; i < A.size(); ++i) {
        const double factor = A[i][p];
        for (size_t j = 0; i != p && j < A.size(); ++j) A[i][j] -= factor * A[p][j];
      }
    }
    for (const size_t k : rest) {
      std::vector<int> involved = {coordinate[k]};
      for (const size_t p : pivots)
        if (std::abs(A[p][k]) > takes_part) involved.push_back(coordinate[p]);
      add(involved);
    }
  }

  /// Motions with a joint in common are told as one, unless a joint moves nothing by itself.
  void add(const std::vector<int>& coordinates) {
    Joints set;
    for (size_t j = 0; j < robot_.joints().size(); ++j) {
      const JointInfo& joint = robot_.joints()[j];
      const bool takes = std::any_of(coordinates.begin(), coordinates.end(), [&](int k) {
        return !joint.mimic && k >= joint.v && k < joint.v + joint.nv;
      });
      if (takes) set.push_back(j);
    }
    for (size_t k = joints_.size(); k-- > 0;) {
      Joints shared, all;
      std::set_intersection(set.begin(), set.end(), joints_[k].begin(), joints_[k].end(),
                            std::back_inserter(shared));
      if (shared.empty() || (set.size() == 1) != (joints_[k].size() == 1)) continue;
      std::set_union(set.begin(), set.end(), joints_[k].begin(), joints_[k].end(),
                     std::back_inserter(all));
      set = all;
      joints_.erase(joints_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    joints_.push_back(set);
  }

  const Robot& robot_;
  double rounding_;  ///< pivots of singular scaled matrices stay below
  std::vector<Joints> joints_;
};

/// `"a", "b" and "c"`, the first of many.
std::string list(const std::vector<std::string>& names) {
  constexpr size_t most = 12;
  std::string text;
  for (size_t k = 0; k < std::min(names.size(), most); ++k)
    text += (k == 0 ? "\"" : k + 1 == names.size() ? " and \"" : ", \"") + names[k] + "\"";
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " others"
                             : text;
}

/// The words of one cause.
class Cause {
 public:
  Cause(const Robot& robot, const Joints& joints)
      : robot_(robot), model_(robot.model()), joints_(joints) {}

  std::string text() const {
    std::string found;
    if (joints_.size() == 1) found = massless(joint(0));
    if (joints_.size() == 2) found = same_bodies(joint(0), joint(1));
    if (!found.empty()) return found;
    std::vector<std::string> names;
    for (const size_t j : joints_) names.push_back(robot_.joints()[j].name);
    return (names.size() == 1 ? "joint " : "joints ") + list(names) +
           (names.size() == 1 ? " can move without moving any mass"
                              : " can move together without moving any mass");
  }

 private:
  const JointInfo& joint(size_t k) const { return robot_.joints()[joints_[k]]; }
  bool carries(int body, int other) const {
    while (other > body) other = model_.parent[other];
    return other == body;
  }
  std::vector<std::string> links_on(const std::vector<char>& bodies) const {
    std::vector<std::string> names;
    for (size_t k = 0; k < robot_.description().links.size(); ++k)
      if (bodies[static_cast<size_t>(robot_.frames()[k].body)] != 0)
        names.push_back(robot_.frames()[k].name);
    return names;
  }
  bool have_mass(const std::vector<char>& bodies) const {
    for (size_t i = 1; i < bodies.size(); ++i)
      if (bodies[i] != 0 && model_.G[i].mass > 0) return true;
    return false;
  }

  /// A joint, with the mimics that follow it, that carries nothing but links without mass.
  std::string massless(const JointInfo& leader) const {
    std::vector<char> moved(static_cast<size_t>(model_.bodies));
    for (const JointInfo& one : robot_.joints())
      if (one.v == leader.v) moved[static_cast<size_t>(one.body)] = 1;
    for (size_t i = 1; i < moved.size(); ++i)
      if (moved[static_cast<size_t>(model_.parent[i])] != 0) moved[i] = 1;
    if (have_mass(moved)) return "";
    const std::vector<std::string> links = links_on(moved);
    return "joint \"" + leader.name + "\" moves " + (links.size() == 1 ? "link " : "links ") +
           list(links) + (links.size() == 1 ? ", which has no mass" : ", which have no mass");
  }

  /// Two joints with nothing but links without mass between them.
  std::string same_bodies(const JointInfo& upper, const JointInfo& lower) const {
    if (!carries(upper.body, lower.body)) return "";
    std::vector<char> between(static_cast<size_t>(model_.bodies));
    for (int i = upper.body; i < model_.bodies; ++i)
      if (carries(upper.body, i) && !carries(lower.body, i)) between[static_cast<size_t>(i)] = 1;
    if (have_mass(between)) return "";
    const std::vector<std::string> links = links_on(between);
    return "joints \"" + upper.name + "\" and \"" + lower.name +
           "\" move the same bodies: " + (links.size() == 1 ? "link " : "links ") + list(links) +
           " between them " + (links.size() == 1 ? "has no mass" : "have no mass") +
           hint(upper, lower);
  }
  std::string hint(const JointInfo& upper, const JointInfo& lower) const {
    const auto& given = robot_.description().joints[static_cast<size_t>(upper.description)];
    if (!given.parent.empty() || !is_free(upper)) return "";
    if (is_free(lower))
      return "; joint \"" + lower.name + "\" lets the robot float already, so fix its base";
    return "; fix the base, or give it a mass";
  }

  const Robot& robot_;
  const Model<double>& model_;
  const Joints& joints_;
};

const JointInfo& joint_of(const Robot& robot, int coordinate) {
  const std::span<const JointInfo> joints = robot.joints();
  return *std::find_if(joints.begin(), joints.end(), [&](const JointInfo& joint) {
    return coordinate >= joint.v && coordinate < joint.v + joint.nv;
  });
}

std::vector<SingularCause> causes_of(const Robot& robot, const FactoredMass& mass, double rounding,
                                     int coordinate) {
  std::vector<SingularCause> causes;
  const LostMotions lost(robot, mass.M, mass.prescribed, rounding);
  for (const Joints& joints : lost.joints())
    causes.push_back({joints, Cause(robot, joints).text()});
  if (causes.empty()) {
    const JointInfo& joint = joint_of(robot, coordinate);
    causes.push_back({{static_cast<size_t>(&joint - robot.joints().data())},
                      "joint \"" + joint.name + "\" can move without moving any mass"});
  }
  return causes;
}

[[noreturn]] void throw_singular(const Robot& robot, const std::string& caller,
                                 const FactoredMass& mass, double rounding, int coordinate) {
  const int n = robot.nv();
  for (int k = 0; k < n * n; ++k)
    if (!std::isfinite(mass.M[k]))
      throw ComputationError(caller + ": the mass matrix is not finite (joint \"" +
                             joint_of(robot, k / n).name + "\")");
  std::string text;
  for (const SingularCause& cause : causes_of(robot, mass, rounding, coordinate))
    text += (text.empty() ? "" : "; ") + cause.text;
  throw ComputationError(caller + ": " + text);
}

/// sum_j |x_j| sqrt(M_jj) of the motion whose energy is pivot k: L x = e_k.
double motion_size(const FactoredMass& mass, int n, int k, std::span<double> x) {
  const MassPattern& s = mass.pattern;
  std::fill(x.begin(), x.end(), 0.0);
  x[size_t(k)] = 1;
  double size = 0;
  for (int i = k; i < n; ++i) {
    const double* L = mass.LD + s.row[i];
    for (int c = s.at[i]; c < s.at[i + 1]; ++c, ++L) x[size_t(i)] -= *L * x[size_t(s.column[c])];
    size += std::abs(x[size_t(i)]) * std::sqrt(std::abs(mass.M[n * i + i]));
  }
  return size;
}

/// A coordinate whose pivot is rounding; -1 where there is none.
int lost_coordinate(const Robot& robot, const FactoredMass& mass, const MassBounds& bounds,
                    std::span<double> x, const PivotLimits& limits) {
  const int n = robot.nv();
  for (int k = n; k-- > 0;) {  // leaves first: what is above a singular joint is spoilt by it
    if (mass.prescribed != nullptr && mass.prescribed[k]) continue;
    const double pivot = mass.LD[mass.pattern.diagonal[k]];
    if (!bounds.doubtful(k, pivot, mass.M[n * k + k], limits)) continue;
    const double size = motion_size(mass, n, k, x);
    if (!(pivot > limits.lost * size * size && pivot > bounds.floor(k))) return k;
  }
  return -1;
}

/// A matrix without factors, with them.
class NewFactors {
 public:
  NewFactors(const Robot& robot, const double* M, const bool* prescribed)
      : pattern_(robot), LD_(pattern_.size()), mass_{M, LD_.data(), pattern_.view(), prescribed} {
    take_rows(mass_.pattern, M, prescribed, LD_.data());
    ltdl_factor(mass_.pattern, LD_.data());
  }
  const FactoredMass& view() const { return mass_; }

 private:
  MassPatternLists pattern_;
  std::vector<double> LD_;
  FactoredMass mass_;
};

/// Whether each velocity moves a body that has inertia, or a rotor.
std::vector<char> velocities_with_inertia(const Robot& robot) {
  const Model<double>& m = robot.model();
  std::vector<char> carries(static_cast<size_t>(m.bodies)), found;
  for (int i = m.bodies - 1; i > 0; --i) {
    const Inertia<double>& G = m.G[i];
    const auto at = static_cast<size_t>(i);
    if (G.mass > 0 || G.I.xx != 0 || G.I.yy != 0 || G.I.zz != 0) carries[at] = 1;
    if (carries[at] != 0) carries[static_cast<size_t>(m.parent[i])] = 1;
  }
  for (const double x : robot.passive().armature) found.push_back(x > 0 ? 1 : 0);
  for (const JointInfo& joint : robot.joints())
    for (int k = 0; k < joint.nv; ++k)
      if (carries[static_cast<size_t>(joint.body)] != 0)
        found[static_cast<size_t>(joint.v + k)] = 1;
  return found;
}

}  // namespace

void require_regular(const Robot& robot, std::string_view caller, const FactoredMass& mass,
                     const MassBounds& bounds, std::span<double> x, const PivotLimits& limits) {
  if (const int k = lost_coordinate(robot, mass, bounds, x, limits); k >= 0)
    throw_singular(robot, std::string(caller), mass, limits.lost, k);
}

void require_regular(const Robot& robot, std::string_view caller, const double* M,
                     const bool* prescribed, const MassBounds& bounds, const PivotLimits& limits) {
  const NewFactors mass(robot, M, prescribed);
  std::vector<double> x(size_t(robot.nv()));
  require_regular(robot, caller, mass.view(), bounds, x, limits);
}

std::vector<SingularCause> singular_causes(const Robot& robot, const double* M,
                                           const bool* prescribed, const MassBounds& bounds,
                                           const PivotLimits& limits) {
  const NewFactors mass(robot, M, prescribed);
  std::vector<double> x(size_t(robot.nv()));
  const int k = lost_coordinate(robot, mass.view(), bounds, x, limits);
  return k < 0 ? std::vector<SingularCause>() : causes_of(robot, mass.view(), limits.lost, k);
}

std::vector<SingularCause> massless_joints(const Robot& robot) {
  const std::vector<char> moves = velocities_with_inertia(robot);
  std::vector<SingularCause> causes;
  for (size_t j = 0; j < robot.joints().size(); ++j) {
    const JointInfo& joint = robot.joints()[j];
    const auto first = moves.begin() + joint.v;
    if (joint.mimic || std::find(first, first + joint.nv, 0) == first + joint.nv) continue;
    const Joints one = {j};
    causes.push_back({one, Cause(robot, one).text()});
  }
  return causes;
}

}  // namespace jounce
