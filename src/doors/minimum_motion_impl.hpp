// SPDX-License-Identifier: BSD-3-Clause
// The problem behind MinimumMotion and shortest paths: the nodes of its integral, and the doors
// that it asks there.
#pragma once

#include <jounce/derivatives.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/second_derivatives.hpp>
#include <jounce/series.hpp>
#include <optional>

#include "doors/spline_path.hpp"
#include "linear_algebra/solve.hpp"

namespace jounce {

struct MotionProblem {
  /// `caller` is who refuses.
  MotionProblem(Robot robot_, const MinimumMotionOptions& options_, const char* caller_);

  /// A point of the integral: the functions that count there, by time, and its weight.
  struct Node {
    SplineBasis basis;
    double weight;
  };
  /// Quadratic model at a path.
  struct Model {
    double value = 0;
    dense::Matrix H;              ///< free numbers squared
    std::vector<double> g;        ///< gradient by them
    std::vector<double> damping;  ///< diagonal of a part that is positive
  };

  int n() const { return robot.nv(); }
  int fixed() const;  ///< control points at each end that stay
  int free_points() const { return options.control_points - 2 * fixed(); }
  int unknowns() const { return n() * free_points(); }
  int orders() const;  ///< of derivatives of the path, q's own included

  SplinePath line(std::span<const double> q0, std::span<const double> q1) const;
  /// q, v, a, jerk of a path at a node, in `motion`; zero to the last digit where it stands still.
  void move(const dense::Matrix& control, const Node& node);
  double cost(const dense::Matrix& control, dense::Matrix* gradient);
  /// The cost at a node, and in `pull` its gradient by q, v, a and jerk.
  double energy_at_node(bool gradient);
  double force_at_node(bool gradient);
  /// What a node adds to the cost, and to its gradient where there is one.
  double add_node(const dense::Matrix& control, const Node& node, dense::Matrix* gradient);
  void add_squares(const Node& node, Model& model);
  void add_curves(const Node& node, Model& model);
  void add_damping(const Node& node, Model& model) const;
  Model model(const dense::Matrix& control);
  /// The node's partial derivatives of force or its rate by order s, n x n.
  const double* partial(int s) const;
  /// Those of the rate, in rate_partial, from first and second derivatives of the force.
  void differentiate_rate(const Surroundings& around);
  void differentiate_twice();  ///< the node's curves
  void differentiate_rate_twice(const Surroundings& around);
  void add_curve(int s, int t, double scale, const double* block);

  void check_ends(const dense::Matrix& control) const;
  void check_shape(const SplinePath& path) const;
  /// The mean of M on the line between the ends.
  dense::Matrix mean_mass(const dense::Matrix& control);
  /// Refuses a path on which M is singular.
  void require_regular_mass(const SplinePath& path);
  MinimumMotionResult find(const SplinePath& start);

  const char* caller;
  Robot robot;
  MinimumMotionOptions options;
  Dynamics dynamics;
  Derivatives derivatives;
  std::optional<SecondDerivatives> second;
  std::optional<Series> series;
  std::optional<InverseDerivatives> inverse;
  std::vector<SecondProducts> products;  ///< at the node, of rates before and after it as well
  std::optional<InverseSecondDerivatives> tensors;
  std::optional<MassMatrix> mass;
  std::vector<dense::Matrix> curves;  ///< [16] of the integrand by orders s, t at 4 s + t
  dense::Matrix slopes;
  std::vector<dense::Matrix> rate_partial;  ///< [4] by q, v, a and jerk
  std::vector<double> taus;                 ///< [2 n] force and its rate
  std::vector<Node> nodes;
  std::vector<double> motion;  ///< [4 n] q, v, a, jerk
  std::vector<double> pull;    ///< [4 n]
  std::vector<double> tau;     ///< [n] force, or its rate
};

/// Searches for a minimum of one problem: minimum_search.cpp, minimum_newton.cpp.
class MotionSearch {
 public:
  MotionSearch(MotionProblem& problem, const SplinePath& start);
  void descend();  ///< scaled L-BFGS, of energy
  void newton();   ///< from where the descent ended
  MinimumMotionResult result();

 private:
  using Numbers = std::vector<double>;
  using Model = MotionProblem::Model;
  struct Step {
    Numbers way;   ///< what is taken from x
    double saves;  ///< g . H^-1 g of the numbers that no limit holds: twice what the model saves
  };
  dense::Matrix with(const Numbers& x) const;  ///< control points
  Numbers gradient_of(const dense::Matrix& g) const;
  /// Numbers at a limit whose gradient holds them there.
  bool held(size_t k, const Numbers& g) const;
  void clip(Numbers& x) const;
  Numbers scaled(const Numbers& g) const;  ///< H_0^-1 g
  Numbers direction(const Numbers& g) const;
  bool step_down(const Numbers& direction, Numbers& g);
  /// The minimum of a model with limits; nothing where it has none.
  std::optional<Step> bounded_step(const Model& model, double damping) const;
  bool at_minimum(const Model& model);
  bool newton_step(const Model& model, double& damping);

  MotionProblem& problem_;
  MinimumMotionResult found_;
  Numbers x_, lower_, upper_;
  dense::Matrix mean_, stretch_;  ///< of energy: Cholesky factors of H_0 = stretch (x) mean
  std::vector<std::pair<Numbers, Numbers>> pairs_;
  static constexpr int most_level = 10;
  int level_ = 0;  ///< steps in a row that changed the cost by rounding alone
};

}  // namespace jounce
