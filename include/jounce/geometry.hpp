// SPDX-License-Identifier: BSD-3-Clause
// The geometry of the kinetic-energy metric: Christoffel symbols, curvature, parallel transport.
//
//   jounce::Geometry geometry(arm);
//   const auto gamma = geometry.christoffel(q);    // gamma(i, j, k): direction, field, lowered
//   const auto R = geometry.curvature(q);          // R(i, j, k, l), R.ricci, R.scalar()
// The metric at q is the mass matrix, in velocity coordinates: along integrate(q, dv). Those of one
// planar, spherical or free joint do not commute: gamma(i, j, k) - gamma(j, i, k) is the bracket of
// i and j. A unit sphere has R(0, 1, 0, 1) = +sin^2. [Park] section 4; docs/geometry.md.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

/// Gamma_ijk = g(nabla_{X_i} X_j, X_k), or Gamma^k_ij of second_kind.
class Christoffel : public RobotResult {
 public:
  explicit Christoffel(const Robot& robot) : RobotResult(robot), numbers_(cube(robot.nv())) {}

  int n() const { return robot().nv(); }
  /// Row by row: number (i n + j) n + k.
  const double* data() const { return numbers_.data(); }
  double operator()(int i, int j, int k) const {
    return data()[(std::ptrdiff_t(i) * n() + j) * n() + k];
  }
  /// The matrix (k, j) of direction i; the sum of v_i times it is the Coriolis matrix C(q, v).
  OwnedMatrix::View slice(int i) const {
    return {data() + std::ptrdiff_t(i) * n() * n(), n(), n(), Eigen::OuterStride<>(n())};
  }

 private:
  friend class Geometry;
  static size_t cube(int n) { return size_t(n) * size_t(n) * size_t(n); }

  detail::ZeroNumbers<double> numbers_;
  bool full_ = false;  ///< whether second_kind wrote where Gamma_ijk is zero for every q
};

/// How Christoffel symbols change: (l, i, j, k) is X_l Gamma_ijk.
class ChristoffelDerivatives : public RobotResult {
 public:
  explicit ChristoffelDerivatives(const Robot& robot)
      : RobotResult(robot), numbers_(fourth(robot.nv())), tree_(fourth(tree_of(robot))) {}

  int n() const { return robot().nv(); }
  /// Row by row: number ((l n + i) n + j) n + k.
  const double* data() const { return numbers_.data(); }
  double operator()(int l, int i, int j, int k) const {
    return data()[((std::ptrdiff_t(l) * n() + i) * n() + j) * n() + k];
  }

 private:
  friend class Geometry;
  static size_t fourth(int n) { return size_t(n) * size_t(n) * size_t(n) * size_t(n); }
  static int tree_of(const Robot& robot) { return robot.has_mimic() ? robot.model().nv : 0; }

  detail::ZeroNumbers<double> numbers_, tree_;  ///< the tree's where there are mimic joints
};

/// The Riemann tensor R_ijkl, all indices lowered, with what follows from it.
class Curvature : public RobotResult {
 public:
  explicit Curvature(const Robot& robot)
      : RobotResult(robot),
        mass(robot.nv(), robot.nv()),
        pairs(planes(robot.nv()), planes(robot.nv())),
        ricci(robot.nv(), robot.nv()),
        forms_(square(robot.nv() + planes(robot.nv()))),
        symbols_(size_t(robot.nv()) * size_t(robot.nv() + planes(robot.nv()))) {}

  int n() const { return robot().nv(); }
  double operator()(int i, int j, int k, int l) const {
    if (i == j || k == l) return 0;
    const double found = pairs(plane(i, j), plane(k, l));
    return (i < j) == (k < l) ? found : -found;
  }
  /// 2 sum of sectional curvatures over an orthonormal frame.
  double scalar() const { return scalar_; }
  /// The curvature of the plane of x and y. InputError where they span none.
  double sectional(const VectorArg& x, const VectorArg& y) const;

  OwnedMatrix mass;   ///< the metric
  OwnedMatrix pairs;  ///< R_ijkl at (plane(i, j), plane(k, l)), i < j, k < l
  OwnedMatrix ricci;  ///< sum_ik (M^-1)_ik R_ijkl at (j, l)

  /// The row of two coordinates in `pairs`: (0, 1), (0, 2), ..., (1, 2), ...
  int plane(int i, int j) const {
    const int a = i < j ? i : j, b = i < j ? j : i;
    return a * (2 * n() - a - 1) / 2 + b - a - 1;
  }

 private:
  friend class Geometry;
  static int planes(int n) { return n * (n - 1) / 2; }
  static size_t square(int n) { return size_t(n) * size_t(n); }

  detail::ZeroNumbers<double> forms_;    ///< II_p . II_q of pairs of coordinates
  detail::ZeroNumbers<double> symbols_;  ///< Gamma_p in an orthonormal frame
  double scalar_ = 0;
};

/// Free motion: states at the times that were asked for, one column each.
struct GeodesicPath {
  std::vector<double> times;
  dense::Matrix q, v;
  int steps = 0;  ///< Taylor steps taken
};

/// A geodesic between two configurations. It is locally shortest; another may be shorter.
struct ShortestPath {
  std::vector<double> times;  ///< Chebyshev points from 0 to 1
  dense::Matrix q, v;         ///< nv x times: the path there, polynomials through these points
  double length = 0;          ///< kinetic-energy length: the integral of sqrt(v . M v)
  double residual = 0;        ///< largest acceleration that free motion does not have
  double unevenness = 0;      ///< largest difference of the speed between points from the length,
                              ///< relative: what the polynomials do not resolve
  int iterations = 0;         ///< of Newton's method, after the descent
  bool converged = false;
};

/// Whether all curvature vanishes: the largest |R| over the largest |K| (curvature.hpp) of
/// orthonormal frames, which has no unit. R is analytic in q, so that a few configurations settle
/// it.
struct Flatness {
  bool flat = false;
  double ratio = 0;
  std::vector<double> q;  ///< where it is
};

/// Coordinates y of a flat robot, in which free motion is a straight line: yddot = N^-T (tau -
/// phi).
struct FlatPoint {
  std::vector<double> y;
  dense::Matrix N;  ///< dy = N v, N^T N = M
};

class Geometry {
 public:
  /// InputError for armature on planar, spherical and free joints: it is in the mass matrix alone,
  /// and the robot's free motion is no geodesic of that.
  explicit Geometry(Robot robot);
  Geometry(Geometry&&) noexcept;
  Geometry& operator=(Geometry&&) noexcept;
  ~Geometry();

  const Robot& robot() const;

  /// Gamma_ijk. [Park] (52).
  template <class Owned = Christoffel>
  Owned christoffel(const VectorArg& q) {
    return detail::written<Owned>(robot(), [&](auto to) { christoffel(q, to); });
  }
  void christoffel(const VectorArg& q, const IntoResult<Christoffel>& found);

  /// Gamma^k_ij = (M^-1)_km Gamma_ijm. ComputationError where the mass matrix is singular.
  template <class Owned = Christoffel>
  Owned second_kind(const VectorArg& q) {
    return detail::written<Owned>(robot(), [&](auto to) { second_kind(q, to); });
  }
  void second_kind(const VectorArg& q, const IntoResult<Christoffel>& found);

  /// X_l Gamma_ijk.
  template <class Owned = ChristoffelDerivatives>
  Owned christoffel_derivatives(const VectorArg& q) {
    return detail::written<Owned>(robot(), [&](auto to) { christoffel_derivatives(q, to); });
  }
  void christoffel_derivatives(const VectorArg& q, const IntoResult<ChristoffelDerivatives>& found);

  /// [Park] (66). ComputationError where the mass matrix is singular.
  template <class Owned = Curvature>
  Owned curvature(const VectorArg& q) {
    return detail::written<Owned>(robot(), [&](auto to) { curvature(q, to); });
  }
  void curvature(const VectorArg& q, const IntoResult<Curvature>& found);

  /// c_ij^m of [X_i, X_j] = c_ij^m X_m: the same for all q, zero but inside planar, spherical and
  /// free joints.
  double structure_constant(int i, int j, int m) const;

  /// The covariant derivative Ydot + Gamma(v, Y) of a field along a motion through q with velocity
  /// v, Y and Ydot the field's components and their rates. Zero where Y is carried in parallel;
  /// the acceleration less that of free motion where Y is v.
  template <class Owned = Eigen::VectorXd>
  Owned covariant_derivative(const VectorArg& q, const VectorArg& v, const VectorArg& Y,
                             const VectorArg& Ydot) {
    Owned found(robot().nv());
    covariant_derivative(q, v, Y, Ydot, into(found));
    return found;
  }
  void covariant_derivative(const VectorArg& q, const VectorArg& v, const VectorArg& Y,
                            const VectorArg& Ydot, const Into<double>& found);

  /// Free motion without gravity and passive forces from q with velocity v, at ascending times from
  /// 0 on: by Taylor series, whose last terms are below `tolerance` of the motion, or its rounding.
  /// ComputationError where steps are lost beside the times.
  GeodesicPath geodesic(const VectorArg& q, const VectorArg& v, const VectorArg& times,
                        double tolerance = 1e-13);

  /// A geodesic from q0 to q1: least energy over B-splines, then collocation at `points` points
  /// with Newton's method, or twice as many where the speed between them is uneven by more than
  /// 1e-6, again and again while there are at most 600 unknowns. Joints as of MinimumMotion; limits
  /// do not count. ComputationError where the mass matrix is singular on the way.
  ShortestPath shortest_path(const VectorArg& q0, const VectorArg& q1, int points = 41);

  /// Carries Y, nv numbers or a matrix of columns, in parallel along a curve: curve(t, q, v) writes
  /// configuration and velocity. Lengths and angles are kept to rounding.
  template <class Curve, class Derived>
  Eigen::MatrixXd transport(Curve&& curve, double from, double to, int steps,
                            const Eigen::MatrixBase<Derived>& Y) {
    Eigen::MatrixXd found = Y;
    using Called = std::remove_reference_t<Curve>;
    const auto call = [](const void* c, double t, std::span<double> q, std::span<double> v) {
      (*const_cast<Called*>(static_cast<const Called*>(c)))(t, q, v);
    };
    run_transport(call, &curve, from, to, steps,
                  {found.data(), long(found.rows()), long(found.cols())});
    return found;
  }

  /// Looks at `samples` random configurations. Flat: below the threshold, or the rounding of a mass
  /// matrix of that condition.
  Flatness flatness(int samples = 8, double threshold = 1e-12);
  /// The point q in coordinates that start at q0, carried along the straight way between them.
  /// Where the robot is flat they do not depend on the way.
  FlatPoint flat_coordinates(const VectorArg& q0, const VectorArg& q, int steps = 200);

 private:
  using CurveCall = void (*)(const void* curve, double t, std::span<double> q, std::span<double> v);
  void run_transport(CurveCall call, const void* curve, double from, double to, int steps,
                     const Into<double>& Y);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<Geometry> = true;

}  // namespace jounce
