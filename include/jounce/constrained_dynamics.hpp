// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion of a robot whose loops are closed, and of one that touches the ground.
//
//   const jounce::Robot robot = jounce::load("builtin:five_bar");
//   jounce::ConstrainedDynamics dyn(robot);
//   const jounce::Assembly closed = dyn.assemble(guess);
//   const jounce::ConstrainedForward f = dyn.forward(closed.q, v, tau);   // f.a, f.lambda, f.rank
//   dyn.forward(q, v, tau, {}, feet, into(a), into(lambda));    // standing on feet, no allocation
// Loops of the robot and contacts of a call give rows A: A v = 0, A a + Adot v = 0, and forces
//   M a + b = tau + A^T lambda  ([Kim] (54)).
// Rows may depend on one another: a planar linkage that is closed by a hinge in space has five rows
// of which two count. How many count is decided at a closed configuration, once, and kept: a
// configuration that is off by 1e-8 would show one more, and the linkage would be locked. lambda is
// the shortest of all that do the same. Moments and forces, radians and metres have equal weight in
// it. Nothing else is remembered from call to call.
#pragma once

#include <jounce/door/clone.hpp>
#include <jounce/door/into.hpp>
#include <jounce/door/owned.hpp>
#include <jounce/equations/surroundings.hpp>
#include <jounce/vector_arg.hpp>
#include <memory>

namespace jounce {

namespace detail {
struct ConstrainedImpl;
}  // namespace detail

/// A frame that the ground holds in one call: fixed (a foot), point (a tip), revolute, ... about
/// the frame's own z axis.
struct Contact {
  FrameId frame{};
  LoopKind kind = LoopKind::fixed;
};

/// What is made small where motors can strain the loops against each other.
enum class Optimum : unsigned char { force, torque };

/// How forward and hybrid dynamics, impulses, projections and assemblies are solved: by what is
/// fastest for the robot (factors of its mass matrix, articulated bodies, clusters of loops), by
/// factors in any case (impulses and projections: without clusters), or by clusters wherever they
/// can be.
enum class ConstrainedPath : unsigned char { fastest, factors, clusters };

/// What the rows of loops and contacts look like in one call.
struct ConstraintReport {
  int rank = 0;  ///< how many rows count
  /// Their smallest pivot, of the largest: small near a singular configuration. Of inverse and
  /// hybrid dynamics also where motors or free coordinates lose control of the loops.
  double rank_margin = 1;
  double redundancy_defect = 0;  ///< the largest pivot of the others: large where loops are open
  double residual = 0;           ///< of A a + Adot v = 0, the largest
  int free_dimension = 0;        ///< of the motor forces that do nothing but strain the loops
};

struct ConstrainedForward : ConstraintReport {
  Eigen::VectorXd a, lambda;
};
struct ConstrainedInverse : ConstraintReport {
  Eigen::VectorXd tau, lambda;
};
struct ConstrainedHybrid : ConstraintReport {
  Eigen::VectorXd a, tau, lambda;
};

/// All motor forces of one motion are tau + tau_free s, with lambda + lambda_free s, for any s.
/// [Kim] (59), (61)
struct InverseFamily {
  Eigen::VectorXd tau, lambda;
  OwnedMatrix tau_free, lambda_free;  ///< nv x dimension, rows x dimension
};

/// A configuration that closes the loops.
struct AssemblyReport {
  bool converged = false;
  double residual = 0;  ///< the largest of what is open, in m and as sines of angles
  int iterations = 0;
  int worst_loop = -1;  ///< the one with the largest residual
};
struct Assembly : AssemblyReport {
  Eigen::VectorXd q;
};

/// Velocities after loops and contacts were closed at once, and the impulses that did it.
struct Impulse : ConstraintReport {
  Eigen::VectorXd v, lambda;
};

class ConstrainedDynamics {
 public:
  /// Closes the robot's loops at Robot::closed and decides there how many rows count. Where they
  /// cannot be closed, decide_rank has to be called before any dynamics.
  explicit ConstrainedDynamics(Robot robot);
  ConstrainedDynamics(ConstrainedDynamics&&) noexcept;
  ConstrainedDynamics& operator=(ConstrainedDynamics&&) noexcept;
  ~ConstrainedDynamics();

  const Robot& robot() const;
  int rows() const;  ///< of the robot's loops
  /// How many rows of a set of contacts follow them.
  static int rows(std::span<const Contact> contacts);
  int rank() const;      ///< how many of the robot's own rows count; -1 where it is not decided
  int mobility() const;  ///< velocities that the loops leave: nv - rank
  /// The first row of a loop of the robot.
  int first_row(int loop) const;
  /// Decides again how many rows count, at a configuration that closes the loops (InputError where
  /// it does not, to 1e-9) and at others near it.
  int decide_rank(const VectorArg& q, double time = 0);
  /// Another one that takes as many rows, on the same path: what clone(dynamics) gives.
  ConstrainedDynamics another() const;
  /// All paths have the same answers, to rounding; for comparisons of them.
  void set_path(ConstrainedPath path);

  /// The accelerations that the forces tau give.  [Kim] (67)-(69)
  template <class Owned = ConstrainedForward>
  Owned forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                const Surroundings& around = {}, std::span<const Contact> contacts = {}) {
    Owned found;
    found.a.resize(robot().nv());
    found.lambda.resize(rows() + rows(contacts));
    static_cast<ConstraintReport&>(found) =
        forward(q, v, tau, around, contacts, into(found.a), into(found.lambda));
    return found;
  }
  ConstraintReport forward(const VectorArg& q, const VectorArg& v, const VectorArg& tau,
                           const Surroundings& around, std::span<const Contact> contacts,
                           const Into<double>& a, const Into<double>& lambda);

  /// The motor forces that give the accelerations a. `passive` are the forces of the coordinates
  /// without motors (Robot::actuated), where they are not zero. Where motors can strain the loops,
  /// those are taken that make the optimum smallest: lambda, or the motor forces  ([Kim]
  /// (57)-(66)). ComputationError where a does not suit the loops, or where the motors are too few
  /// for it.
  template <class Owned = ConstrainedInverse>
  Owned inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                const Surroundings& around = {}, std::span<const Contact> contacts = {},
                Optimum optimum = Optimum::force) {
    Owned found;
    found.tau.setZero(robot().nv());
    found.lambda.resize(rows() + rows(contacts));
    static_cast<ConstraintReport&>(found) =
        inverse(q, v, a, found.tau, around, contacts, optimum, into(found.tau), into(found.lambda));
    return found;
  }
  ConstraintReport inverse(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                           const VectorArg& passive, const Surroundings& around,
                           std::span<const Contact> contacts, Optimum optimum,
                           const Into<double>& tau, const Into<double>& lambda);

  /// All of them. Redundant rows, which change lambda and nothing else, are not counted.
  template <class Owned = InverseFamily>
  Owned inverse_family(const VectorArg& q, const VectorArg& v, const VectorArg& a,
                       const Surroundings& around = {}, std::span<const Contact> contacts = {}) {
    const int n = robot().nv(), m = rows() + rows(contacts);
    const auto one = inverse(q, v, a, around, contacts);
    Owned found{one.tau, one.lambda, {n, one.free_dimension}, {m, one.free_dimension}};
    write_free_directions(detail::OwnedAccess::numbers(found.tau_free),
                          detail::OwnedAccess::numbers(found.lambda_free));
    return found;
  }

  /// Accelerations where prescribed, forces elsewhere  ([Kim] (70)-(80)).
  template <class Owned = ConstrainedHybrid>
  Owned hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
               const VectorArg& a, const VectorArg& tau, const Surroundings& around = {},
               std::span<const Contact> contacts = {}, Optimum optimum = Optimum::force) {
    Owned found;
    found.a.resize(robot().nv());
    found.tau.resize(robot().nv());
    found.lambda.resize(rows() + rows(contacts));
    static_cast<ConstraintReport&>(found) =
        hybrid(prescribed, q, v, a, tau, around, contacts, optimum, into(found.a), into(found.tau),
               into(found.lambda));
    return found;
  }
  ConstraintReport hybrid(std::span<const bool> prescribed, const VectorArg& q, const VectorArg& v,
                          const VectorArg& a, const VectorArg& tau, const Surroundings& around,
                          std::span<const Contact> contacts, Optimum optimum,
                          const Into<double>& a_found, const Into<double>& tau_found,
                          const Into<double>& lambda);

  /// A configuration that closes the loops near the guess, in the metric of the kinetic energy; the
  /// coordinates that are kept (one flag for each velocity, or none) stay where they are.
  template <class Owned = Assembly>
  Owned assemble(const VectorArg& guess, std::span<const bool> kept = {}, double time = 0) {
    Owned found;
    found.q.resize(robot().nq());
    static_cast<AssemblyReport&>(found) = assemble(guess, kept, into(found.q), time);
    return found;
  }
  AssemblyReport assemble(const VectorArg& guess, std::span<const bool> kept, const Into<double>& q,
                          double time = 0);
  /// What is open at q, one number for every row of the robot's loops.
  template <class Owned = Eigen::VectorXd>
  Owned closure(const VectorArg& q, double time = 0) {
    Owned found(rows());
    closure(q, into(found), time);
    return found;
  }
  void closure(const VectorArg& q, const Into<double>& found, double time = 0);
  /// Its derivative along q, rows x nv: at closed configurations sums of the rows of A.
  template <class Owned = OwnedMatrix>
  Owned closure_jacobian(const VectorArg& q, double time = 0) {
    Owned found(rows(), robot().nv());
    closure_jacobian(
        q, Into<double>(detail::OwnedAccess::numbers(found), found.rows(), found.cols()), time);
    return found;
  }
  void closure_jacobian(const VectorArg& q, const Into<double>& found, double time = 0);

  /// The velocities nearest to v, in the metric of the kinetic energy, that suit the loops.
  template <class Owned = Eigen::VectorXd>
  Owned project(const VectorArg& q, const VectorArg& v, std::span<const Contact> contacts = {},
                double time = 0) {
    Owned found(robot().nv());
    project(q, v, contacts, into(found), time);
    return found;
  }
  ConstraintReport project(const VectorArg& q, const VectorArg& v,
                           std::span<const Contact> contacts, const Into<double>& found,
                           double time = 0);
  /// What an impact leaves of the velocities v: A v+ = -restitution A v.
  template <class Owned = Impulse>
  Owned impulse(const VectorArg& q, const VectorArg& v, std::span<const Contact> contacts = {},
                double restitution = 0, double time = 0) {
    Owned found;
    found.v.resize(robot().nv());
    found.lambda.resize(rows() + rows(contacts));
    static_cast<ConstraintReport&>(found) =
        impulse(q, v, contacts, restitution, into(found.v), into(found.lambda), time);
    return found;
  }
  ConstraintReport impulse(const VectorArg& q, const VectorArg& v,
                           std::span<const Contact> contacts, double restitution,
                           const Into<double>& v_found, const Into<double>& lambda,
                           double time = 0);

  /// A, rows x nv.
  template <class Owned = OwnedMatrix>
  Owned jacobian(const VectorArg& q, std::span<const Contact> contacts = {}, double time = 0) {
    Owned A(rows() + rows(contacts), robot().nv());
    jacobian(q, contacts, Into<double>(detail::OwnedAccess::numbers(A), A.rows(), A.cols()), time);
    return A;
  }
  void jacobian(const VectorArg& q, std::span<const Contact> contacts, const Into<double>& A,
                double time = 0);
  /// Adot v, and of loops that depend on time what that adds.
  template <class Owned = Eigen::VectorXd>
  Owned bias(const VectorArg& q, const VectorArg& v, std::span<const Contact> contacts = {},
             double time = 0) {
    Owned found(rows() + rows(contacts));
    bias(q, v, contacts, into(found), time);
    return found;
  }
  void bias(const VectorArg& q, const VectorArg& v, std::span<const Contact> contacts,
            const Into<double>& found, double time = 0);

  /// What loops and contacts exert on their second link, at their frame on it and in its axes; the
  /// first link takes the opposite. Loops of joints have no frames: zero.
  template <class Owned = std::vector<Wrench<double>>>
  Owned loop_wrenches(const VectorArg& q, std::span<const double> lambda,
                      std::span<const Contact> contacts = {}) {
    Owned F(robot().loops().size() + contacts.size());
    loop_wrenches(q, lambda, contacts, std::span<Wrench<double>>(F));
    return F;
  }
  void loop_wrenches(const VectorArg& q, std::span<const double> lambda,
                     std::span<const Contact> contacts, std::span<Wrench<double>> F);

 private:
  /// Of the last inverse.
  void write_free_directions(double* tau, double* lambda) const;

  using Impl = detail::ConstrainedImpl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<ConstrainedDynamics> = true;

}  // namespace jounce
