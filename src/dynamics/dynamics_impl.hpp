// SPDX-License-Identifier: BSD-3-Clause
// What a Dynamics owns: the robot, and memory for everything it computes.
#pragma once

#include <algorithm>
#include <jounce/algorithm/ltdl.hpp>
#include <jounce/dynamics.hpp>
#include <jounce/equations/coupling.hpp>
#include <jounce/model/singular_mass.hpp>
#include <jounce/model/workspace.hpp>

#include "dynamics/derivative_work.hpp"
#include "dynamics/kinematic_derivative_work.hpp"
#include "dynamics/mass_pattern.hpp"
#include "dynamics/matrix_work.hpp"
#include "dynamics/second_work.hpp"
#include "dynamics/series_impl.hpp"
#include "finite_results.hpp"
#include "kernels/kernels.hpp"
#include "kernels/lanes/aba_in_lanes.hpp"
#include "kernels/lanes/articulated_inverse.hpp"
#include "kernels/lanes/poses_in_lanes.hpp"
#include "linear_algebra/six_columns.hpp"
#include "state_check.hpp"

namespace jounce {

inline void require_moving_mass(const Robot& robot, const char* caller) {
  if (!(robot.mass() > 0))
    throw ComputationError(std::string(caller) + ": robot \"" + robot.name() +
                           "\" has no moving mass");
}

/// Numbers that start on a cache line.
class AlignedNumbers {
 public:
  explicit AlignedNumbers(size_t size) : lines_((size + 7) / 8), size_(size) {}
  double* data() { return lines_.empty() ? nullptr : lines_[0].x; }
  double* begin() { return data(); }
  double* end() { return data() + size_; }
  double& operator[](size_t k) { return data()[k]; }
  size_t size() const { return size_; }

 private:
  struct alignas(64) Line {
    double x[8] = {};
  };
  std::vector<Line> lines_;
  size_t size_;
};

struct Dynamics::Impl {
  explicit Impl(Robot robot_);

  /// The caller's vectors as the tree's: viewed where there is no mimic joint, else expanded.
  State<double> tree_state(std::span<const double> q, std::span<const double> v,
                           std::span<const double> a);
  /// Columns of all tree velocities -> columns of the robot's, which mimic joints share.
  MatrixView fold_columns(int rows, double* tree, double* folded) const;
  /// A^T X A for the constant coupling A of mimic joints; X and the result column by column.
  MatrixView fold_square(const std::vector<double>& tree, std::vector<double>& folded) const;

  /// Runs the kernels at the stored q.
  void move_poses();
  void move(std::span<const double> velocity, std::span<const double> acceleration,
            const OptionalGround<double>& ground);
  /// f(k) with the twists and screw rates of the velocity e_k, on a ground at rest, in the
  /// workspace, for every k; then restores those of the last state.
  template <class F>
  void for_each_direction(F f) {
    const bool was_still = still;
    const Ground<double> before{storage.view().V[0], storage.view().Vdot[0]};
    for (int k = 0; k < robot.nv(); ++k) {
      unit[size_t(k)] = 1;
      move(unit, zeros, {});
      f(k);
      unit[size_t(k)] = 0;
    }
    if (was_still) move_poses();
    else move(v, a, before);
  }

  /// The state and the outside wrenches of a dynamics call, with the ground set up for gravity.
  State<double> load(std::span<const double> q_, std::span<const double> v_,
                     std::span<const double> a_, std::span<const double> tau_,
                     const Surroundings& around);
  /// The same without gravity and wrenches: for what only moves.
  State<double> load_motion(std::span<const double> q_, std::span<const double> v_,
                            std::span<const double> a_, const OptionalGround<double>& ground);
  /// Forces of a state in the workspace's tau.
  void run_rnea(const State<double>& x) {
    const LaneRoom room = lane_memory.view();
    kernel.rnea(robot.model(), x, work.view(), lane_body.data(), room);
  }
  /// Accelerations of a state in the workspace's a.
  void run_aba(const State<double>& x) {
    const LaneRoom room = lane_memory.view();
    kernel.aba(robot.model(), x, work.view(), lane_body.data(), room);
  }
  /// The tree's mass matrix in tree_mass.
  void run_crba(const State<double>& x) {
    const LaneRoom room = lane_memory.view();
    kernel.crba(robot.model(), x, work.view(), lane_body.data(), room, wide.data(),
                composite.data(), tree_mass.data());
  }
  /// A copy of an argument in one of four places: it may be a view of a result, which the call
  /// writes before it has read the argument.
  std::span<const double> kept(std::span<const double> x, int place = 0) {
    double* to = kept_copy.data() + robot.nv() * place;
    if (x.data() != to) std::copy(x.begin(), x.end(), to);
    return {to, x.size()};
  }
  /// The same of q: springs, mimic joints and calls in several steps read it after they have
  /// written results.
  std::span<const double> kept_q(std::span<const double> x) {
    if (x.data() != q_copy.data()) std::copy(x.begin(), x.end(), q_copy.begin());
    return {q_copy.data(), x.size()};
  }
  /// Whether no product of these arguments and the robot's constants can overflow.
  template <class... Arguments>
  bool all_moderate(const Arguments&... arguments) const {
    return moderate_robot && (moderate(arguments) && ...);
  }
  /// Forces and accelerations of the calls of the same names, for a caller that has checked its
  /// arguments and kept q and v; they end in the memory of those calls.
  VectorView run_forward(const char* caller, std::span<const double> q_, std::span<const double> v_,
                         std::span<const double> tau_, const Surroundings& around);
  HybridResult run_hybrid(const char* caller, std::span<const bool> prescribed,
                          std::span<const double> q_, std::span<const double> v_,
                          std::span<const double> a_, std::span<const double> tau_,
                          const Surroundings& around);
  VectorView run_jacobian_vector(std::span<const double> q_, std::span<const double> v_,
                                 std::span<const double> a_, std::span<const double> dq,
                                 std::span<const double> dv, std::span<const double> da,
                                 const Surroundings& around);
  VectorJacobianResult run_vector_jacobian(std::span<const double> y, std::span<const double> q_,
                                           std::span<const double> v_, std::span<const double> a_,
                                           const Surroundings& around);
  void require_finite_products(const char* caller, const VectorJacobianResult& found,
                               const char* last) const;
  EnergyRate<double> run_energy_rate(std::span<const double> q_, std::span<const double> v_,
                                     std::span<const double> a_,
                                     const OptionalGround<double>& ground);
  ForwardDerivativesResult run_forward_derivatives(const char* caller, std::span<const double> q_,
                                                   std::span<const double> v_,
                                                   std::span<const double> tau_,
                                                   const Surroundings& around);
  /// M^-1 of the last factors, in mass_inverse.
  void run_mass_inverse();
  void note_size_of_inverse();
  MatrixView run_jacobian(const char* caller, FrameId frame, Representation in);
  MatrixView run_jacobian_rate(const char* caller, FrameId frame, Representation in);
  /// Of a frame, at the state of the last kinematics call, in its own axes.
  SE3<double> frame_pose(FrameId frame) const;
  Twist<double> frame_twist(FrameId frame) const;
  Twist<double> frame_acceleration(FrameId frame) const;
  Twist<double> classical_acceleration(FrameId frame) const;
  /// V, refused where it is not finite.
  Twist<double> checked(const char* caller, FrameId frame, const Twist<double>& V) const;

  /// Tree forces -> the robot's, which mimic joints share.
  VectorView fold_forces();
  /// Adds what damping, friction and springs take, times sign.
  void add_passive(std::span<const double> q_, std::span<const double> v_, double sign,
                   std::span<double> tau_);
  /// The robot's mass matrix at a state; its factors, in `factors`.
  const std::vector<double>& run_mass(const State<double>& x);
  void run_factors(const char* caller, const State<double>& x, const bool* prescribed);
  /// The factors of a mass matrix; rows and columns of prescribed coordinates are those of 1.
  void factor(const char* caller, const double* M, const bool* prescribed);
  /// The inverse of the mass matrix M at a state, in mass_inverse; M is not read where articulated
  /// bodies serve better.
  void invert_mass(const char* caller, const State<double>& x, const double* M);
  /// d tau/d(q, v, a) of the robot's coordinates in `derivatives`.
  void run_inverse_derivatives(std::span<const double> q_, std::span<const double> v_,
                               std::span<const double> a_, const Surroundings& around);
  /// The room for derivatives, with what keeps wrenches from turning with their bodies.
  DerivativeRoom<double> room_for(const Surroundings& around);
  template <class F, class G>
  void for_each_passive_entry(std::span<const double> q_, std::span<const double> v_, F f, G g);
  void minus_mass_times(const bool* prescribed, const double* x, const double* y, double* to_x,
                        double* to_y);
  void hybrid_columns(const bool* prescribed, const double* X, const double* Y, double* x,
                      double* y);
  State<double> kinematic_state();
  /// Matrix k of the last frame or momentum derivatives, in the robot's coordinates.
  MatrixView kinematic_matrix(size_t k);
  AccelerationDerivativesResult run_frame_derivatives(const char* caller, FrameId frame,
                                                      FrameQuantity quantity, Representation in);
  void run_momentum_derivatives(const State<double>& x, const Workspace<double>& w);
  const double* spread(const double* x, int place);
  VectorView gather(const double* tree, int place);
  /// x := M(q)^-1 x; leaves the factors of factor_mass as they are.
  void solve_mass(const char* caller, std::span<const double> q_, std::vector<double>& x);
  /// hybrid for robots with mimic joints: accelerations in `solution`, forces in `forces`.
  void coupled_hybrid(const char* caller, const bool* prescribed, std::span<const double> q_,
                      std::span<const double> v_, std::span<const double> a_,
                      std::span<const double> tau_, const Surroundings& around);
  /// D^-1/2 L^-T J^T = Q F at the state of the last kinematics call: Q in mass_jacobian.
  dense::SixColumns run_operational(const char* caller, FrameId frame, Representation in,
                                    double cutoff, Dynamics& self);
  void lift(double* x);
  /// Refuses a singular mass matrix, from the factors of articulated bodies and T and S of joints
  /// that are not revolute.
  void require_mass(const char* caller, Workspace<double>& w, const bool* prescribed) {
    if (!mass_bounds.beyond_doubt(w)) judge_pivots(caller, w, prescribed);
  }
  void judge_pivots(const char* caller, Workspace<double>& w, const bool* prescribed);
  /// The same of series, from the configuration.
  void require_series_mass(const char* caller, std::span<const double> q_, const double* D,
                           const bool* prescribed);
  /// Coefficient k of what passive forces take less what joint_torques give; null where nothing.
  const double* taken_series(std::span<const double> q_, int k, const SeriesSurroundings& around);
  /// The tree, without gravity where it does not act.
  const Model<double>& tree(const SeriesSurroundings& around) const {
    return around.gravity ? robot.model() : weightless;
  }
  void run_hybrid_series(const char* caller, std::span<const double> q_, const bool* prescribed,
                         int order, const SeriesSurroundings& around);
  void run_tree_series(const char* caller, std::span<const double> q_, const bool* prescribed,
                       int order, const SeriesSurroundings& around);
  void run_coupled_series(const char* caller, std::span<const double> q_, const bool* prescribed,
                          int order, const SeriesSurroundings& around);
  /// Coefficient k of the actuators' forces from what inverse left in the tree.
  void coupled_forces(std::span<const double> q_, int k, const SeriesSurroundings& around,
                      double* to);

  /// Throws where reserve_second_derivatives has not made room.
  SecondWork& second_work(const char* caller, SecondOrder needed);
  /// f(i, k, l, d2 tau_i/dq_k dq_l) and g(k, d2 tau_k/dv_k dv_k) of damping, friction and springs.
  template <class F, class G>
  void for_each_passive_curve(std::span<const double> q_, std::span<const double> v_, F f, G g);
  void run_second_derivatives(std::span<const double> q_, std::span<const double> v_,
                              std::span<const double> a_, const Surroundings& around);
  /// What the derivatives of the mass matrix need, in `derivatives` and `second`.
  void load_mass(std::span<const double> q_);
  void minus_times(const double* by, int stride, double* x, double* y);
  void add_mass_slopes(const SecondDerivatives<double>& out);
  void run_second_products(const double* y, std::span<const double> q_, std::span<const double> v_,
                           std::span<const double> a_, const Surroundings& around);

  const Kernels& kernel = kernels();
  Robot robot;
  const Coupling<double>& coupling{robot.system().coupling};
  Model<double> weightless;          ///< the tree without gravity
  WorkspaceStorage<double> storage;  ///< what kinematics left, for the queries about frames
  WorkspaceStorage<double> work;     ///< of inverse, forward, ...: the queries do not see it
  std::vector<WidePose> wide;
  std::vector<LaneBody> lane_body;  ///< [bodies] constants
  LaneMemory lane_memory;
  MassBounds mass_bounds;
  std::vector<double> lost_motion;  ///< [nv]
  bool moderate_robot;
  bool moderate_state = true;    ///< of the last kinematics call
  bool moderate_inverse = true;  ///< of the last run_mass_inverse
  bool still = true;             ///< all twists and accelerations in the workspace are zero
  std::vector<double> q, v, a;   ///< state of the last call
  std::vector<double> unit;      ///< [nv] zero between calls
  std::vector<double> jacobian;  ///< [6 nv]
  std::vector<double> zeros;     ///< [nv]
  std::vector<double> tree_q, tree_v, tree_a;
  std::vector<double> tree_matrix, matrix;  ///< [6 nv] before and after folding
  std::vector<double> square;               ///< [nv nv]
  MassPatternLists pattern_lists;
  MassPattern pattern;  ///< where the mass matrix of the robot's own coordinates is not zero
  AlignedNumbers factors, mass_inverse;               ///< [nv stride]
  AlignedNumbers inverse_factor, inverse_transposed;  ///< [nv stride] zero where L^-1 is
  bool solves_by_factors;                ///< by sparse factors of M, else by articulated bodies
  AlignedNumbers solving_factors;        ///< [nv stride] of factor_mass, where it solves by factors
  std::vector<double> mass_jacobian;     ///< [6 nv]
  WorkspaceStorage<double> articulated;  ///< factors of factor_mass
  std::vector<LaneRow> inverse_rows;     ///< [12 bodies + nv] where articulated bodies serve
  bool factored = false;
  double lambda[36] = {};
  std::vector<double> solution;            ///< [nv]
  std::vector<double> root_mass;           ///< [nv] roots of the factors' pivots
  std::vector<Wrench<double>> F_ext;       ///< [bodies]
  std::vector<Wrench<double>> no_wrench;   ///< [bodies] zero
  std::vector<Inertia<double>> composite;  ///< [bodies]
  std::vector<double> tree_tau;            ///< [tree nv]
  std::vector<double> tree_mass;           ///< [tree nv squared] zero where M always is
  std::vector<double> forces;              ///< [nv]
  std::vector<double> kept_copy;           ///< [4 nv]
  std::vector<double> q_copy;              ///< [nq]
  std::vector<double> subtree_mass;
  std::vector<Vec3<double>> subtree_moment;
  MatrixWork matrices;
  DerivativeWork derivatives;
  KinematicDerivativeWork kinematic_derivatives{robot};
  std::unique_ptr<SecondWork> second;  ///< null before reserve_second_derivatives
  std::unique_ptr<SeriesImpl> series;  ///< what the calls of higher order own
};

}  // namespace jounce
