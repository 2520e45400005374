// SPDX-License-Identifier: BSD-3-Clause
// Every word of every door in one table: what refusals call it, the vectors that it takes, the
// numbers that it gives, and a call of it that writes into memory made before.
#pragma once

#include <functional>
#include <jounce/constrained_sensitivity.hpp>
#include <jounce/constrained_series.hpp>
#include <jounce/jounce.hpp>
#include <jounce/regressor.hpp>
#include <jounce/sensitivity.hpp>
#include <jounce/series_derivatives.hpp>

namespace jounce::test {

/// A vector of nv numbers, of nq where it is a configuration, or columns of nv numbers.
struct Argument {
  Argument(const char* name_, int columns_ = 1) : name(name_), columns(columns_) {}  // NOLINT

  bool configuration() const { return name.starts_with("q"); }
  int size(const Robot& robot) const { return configuration() ? robot.nq() : columns * robot.nv(); }

  std::string name;
  int columns;
};

/// How a word gives what it finds.
enum class Gives : unsigned char {
  numbers,  ///< into(...) memory of the caller
  object,   ///< into(...) a result object
  value     ///< a few numbers that need no memory
};
/// What surrounds the robot in a call.
enum class Surrounded : unsigned char { by_nothing, by_ground, by_wrenches };

struct Shape {
  int rows, columns;
};
using Vectors = std::vector<std::span<const double>>;
using Memory = std::vector<Into<double>>;
using Views = std::vector<OwnedMatrix::View>;

struct Word {
  std::string door, name;
  Surrounded surrounded;
  std::vector<Argument> arguments;
  Gives gives;
  std::vector<Shape> results;  ///< of what `call` writes to memory, not of an object
  std::function<void(const Vectors& x, const Memory& to)> call;
  std::function<Views()> object{};  ///< what the result object holds

  std::string full_name() const { return door + "::" + name; }
};

/// All doors of a robot, and results for each.
class Words {
 public:
  explicit Words(const Robot& robot);
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() = default;

  const Robot& robot() const { return robot_; }
  const std::vector<Word>& all() const { return all_; }
  /// The state that the words of frames and factors answer about.
  void move(const VectorArg& q, const VectorArg& v, const VectorArg& a);

  std::vector<OutsideWrench<double>> wrenches;  ///< of all calls
  OptionalGround<double> ground;

 private:
  Surroundings around() const { return {.wrenches = wrenches, .ground = ground}; }
  SeriesSurroundings series_around();
  std::span<const bool> prescribed() const { return {flags_.get(), size_t(robot_.nv())}; }

  void add_dynamics();
  void add_matrices();
  void add_quantities();
  void add_kinematics();
  void add_frames();
  void add_factors();
  void add_derivatives();
  void add_products();
  void add_derivatives_of_frames();
  void add_derivatives_of_sums();
  void add_second();
  void add_second_products();
  void add_series();
  void add_kinematic_series();
  void add_series_derivatives();
  void add_parameters();
  void add_inverse_kinematics();
  void add_constrained();
  void add_closing();
  void add_constrained_inverse();
  void add_constrained_derivatives();
  void add_constrained_sensitivities();
  void add_constrained_series();
  void add_closed_kinematics();
  void add_constrained_wrenches();

  Robot robot_;
  FrameId last_;
  std::unique_ptr<bool[]> flags_;
  Dynamics dynamics_;
  Kinematics kinematics_;
  MassFactors factors_;
  Derivatives derivatives_;
  SecondDerivatives second_;
  Series series_;
  KinematicSeries kinematic_series_;
  SeriesDerivatives series_derivatives_;
  Regressor regressor_;
  Sensitivity sensitivity_;
  InverseKinematics ik_;
  ConstrainedDynamics constrained_;
  ConstrainedDerivatives constrained_derivatives_;
  ConstrainedSensitivity constrained_sensitivity_;
  ConstrainedSeries constrained_series_;
  ConstrainedWrenches constrained_wrenches_;
  ClosedKinematics closed_;
  std::vector<Contact> contacts_;  ///< of calls that need not suit them
  int rows_;                       ///< of loops
  int touching_;                   ///< of loops and contacts
  bool free_motors_;               ///< any motion suits loops and motors

  MassMatrix M_;
  MassInverse inverse_;
  CoriolisMatrices coriolis_;
  CentroidalMatrices centroidal_;
  InverseDerivatives inverse_derivatives_;
  ForwardDerivatives forward_derivatives_;
  HybridDerivatives hybrid_derivatives_;
  TwistDerivatives twist_derivatives_;
  AccelerationDerivatives acceleration_derivatives_;
  ComDerivatives com_derivatives_;
  MomentumDerivatives momentum_derivatives_;
  InverseSecondDerivatives inverse_second_;
  ForwardSecondDerivatives forward_second_;
  SecondProducts products_;
  MassDerivatives mass_derivatives_;
  SeriesPartials partials_;
  RegressorMatrix Y_;
  ConstrainedForwardDerivatives of_forward_;
  ConstrainedInverseDerivatives of_inverse_;
  ConstrainedHybridDerivatives of_hybrid_;
  ConstraintDerivatives of_constraints_;
  ConstrainedSensitivities by_parameters_, touching_by_parameters_;
  std::vector<double> lambda_;
  std::vector<Wrench<double>> joint_wrenches_;
  std::vector<Wrench<double>> wrench_series_;
  std::vector<OutsideWrenchSeries> outside_series_;
  std::vector<Twist<double>> ground_series_;
  std::vector<PoseGoal> pose_goals_;
  std::vector<TwistGoal> twist_goals_;
  IkOptions ik_options_{.max_restarts = 1};
  std::vector<Word> all_;
};

}  // namespace jounce::test
