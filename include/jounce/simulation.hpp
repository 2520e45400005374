// SPDX-License-Identifier: BSD-3-Clause
// Motion in time of a robot, its loops closed.
//
//   jounce::Simulation sim(robot, {.tol = 1e-9});
//   sim.command("joint_2", jounce::Command::trajectory(law));
//   jounce::SimulationState x = sim.start(q, v);
//   jounce::Record record(robot);
//   const jounce::RunReport report = sim.run(x, 10.0, record, {.every = 0.01});
// The state is the caller's: whatever a later step depends on is in it, so that a copy of it goes
// on to the same bits. A run that ends early, by an error too, leaves state and record where it
// came to. docs/integrators.md.
#pragma once

#include <functional>
#include <jounce/command.hpp>
#include <jounce/constrained_dynamics.hpp>
#include <jounce/door/clone.hpp>
#include <jounce/event.hpp>
#include <jounce/feedback.hpp>
#include <jounce/propellers.hpp>
#include <limits>
#include <memory>
#include <string_view>

namespace jounce {

enum class Integrator : unsigned char {
  automatic,      ///< dop853, rodas4 where the motion is stiff
  semi_implicit,  ///< Euler's with the new velocity, order 1
  rk4,            ///< Runge and Kutta's, order 4
  rkmk4,          ///< the same: on the manifold it is Munthe-Kaas's
  dopri5,         ///< Dormand and Prince's pair of order 5
  dop853,         ///< theirs of order 8
  rodas4,         ///< Rosenbrock's of Hairer and Wanner, order 4, for stiff motion
  variational,    ///< discrete Lagrangian mechanics, order 4 or 2: energy does not drift
  taylor          ///< power series of the motion, any order
};
/// Its name as the command line has it, "auto" of automatic, and back; InputError lists them.
std::string_view name(Integrator integrator);
Integrator integrator_named(std::string_view name);

/// How loops are kept closed.
enum class LoopRepair : unsigned char {
  project,   ///< position and velocity after each step, in the metric of the kinetic energy
  baumgarte  ///< accelerations pull them together, with SimulationOptions::baumgarte_rate
};

struct SimulationOptions {
  Integrator integrator = Integrator::automatic;
  /// Error of a step: of positions along the tangent, rad and m, of velocities relative to 1 + |v|.
  /// 1e-14 to 1e-3; 0: 1e-8, of rodas4 1e-6.
  double tol = 0;
  double step = 0;  ///< s; fixed steps where it is given, which rk4 and some others need
  int order = 0;    ///< of taylor, 2 to 17, 0: from tol; of variational, 2 or 4, 0: 4
  bool passive = true;
  bool gravity = true;
  bool effort_limits = false;  ///< whether motors give no more than Robot::limits says
  LoopRepair loops = LoopRepair::project;
  double baumgarte_rate = 20;  ///< 1/s
};

/// All that a simulation goes on from.
struct SimulationState {
  double t = 0;
  std::vector<double> q, v;
  std::vector<double> a;  ///< at this state, where has_a
  bool has_a = false;

  double next_step = 0;      ///< that step control tries; 0: it has not begun
  double last_ratio = 1e-4;  ///< of the last step's error to its tolerance
  bool stiff = false;        ///< the motion: automatic has rodas4 at work, dopri5, dop853 go on
  int stiff_steps = 0;       ///< that spoke for the other method, counted down

  std::vector<double> momentum, moved, moved_before;  ///< variational: p, and the last two steps
  int moves = 0;                                      ///< how many of those there are

  std::vector<Contact> contacts;  ///< frames that the ground holds
  std::vector<double> held;       ///< controllers: what they gave, and what is under way
  std::vector<int> modes;         ///< [nv] joint stops: -1 at the lower, 1 at the upper, else 0
};

/// A motion at times: rows of numbers, one row for each time.
class Record {
 public:
  explicit Record(Robot robot) : robot_(std::move(robot)) {}

  const Robot& robot() const { return robot_; }
  int size() const { return static_cast<int>(t_.size()); }
  std::span<const double> t() const { return t_; }
  std::span<const double> q(int i) const { return row(q_, robot_.nq(), i); }
  std::span<const double> v(int i) const { return row(v_, robot_.nv(), i); }
  std::span<const double> a(int i) const { return row(a_, robot_.nv(), i); }
  std::span<const double> tau(int i) const { return row(tau_, robot_.nv(), i); }

  /// InputError for sizes that are not the robot's, and for a time before the last.
  void add(double t, std::span<const double> q, std::span<const double> v,
           std::span<const double> a, std::span<const double> tau);
  void reserve(int times);

 private:
  static std::span<const double> row(const std::vector<double>& x, int n, int i) {
    return {x.data() + static_cast<std::ptrdiff_t>(n) * i, static_cast<size_t>(n)};
  }

  Robot robot_;
  std::vector<double> t_, q_, v_, a_, tau_;
};

struct RunOptions {
  double every = 0;  ///< s between rows of the record; 0: after every step
  /// Asked after every step; false ends the run there.
  std::function<bool(const SimulationState&)> watch{};
  bool energy = true;  ///< whether the report has energy_drift, which takes a few calls a step
};

struct RunReport {
  enum class End : unsigned char { time, watch, event };
  End end = End::time;
  long steps = 0, rejected = 0, evaluations = 0;
  /// The largest |E - E_0 - work of commands, dampers and outside wrenches| of the largest kinetic
  /// energy.
  double energy_drift = 0;
  double largest_kinetic = 0;
  double impact_energy = 0;         ///< what impacts and actions of events added; not in the drift
  double constraint_violation = 0;  ///< the largest, in m and sines of angles
  double seconds = 0;               ///< of computing
  /// When the motion was first found stiff, and the coordinate to blame; -1: never.
  double stiff_time = -1;
  int stiff_coordinate = -1;
  std::vector<EventReport> events;
  std::vector<LimitReport> limits;  ///< positions beyond them; they stop nothing
};

class Simulation {
 public:
  /// InputError for options out of range, or that the integrator does not have.
  explicit Simulation(const Robot& robot, const SimulationOptions& options = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  const Robot& robot() const;
  const SimulationOptions& options() const;
  /// Another one with the same commands, laws, events and stops, which its functions are copied
  /// for: what clone(simulation) gives.
  Simulation another() const;

  /// What a joint does from a time on, until a later command takes over: "joint" or, of one of
  /// several coordinates, "joint:k". Without a command its actuator gives no force. A step ends
  /// where a command begins. InputError for names, kinds and joints that do not go together.
  void command(std::string_view joint, Command command,
               double from = -std::numeric_limits<double>::infinity());

  /// Forces of actuators from time and state, nv numbers, beside force commands; several add up.
  /// While it runs, InputError where it gives another number of them, or one that is not finite:
  /// state and record stay where they were.
  void controller(Feedback law, FeedbackOptions options = {});
  /// A wrench from outside on a link or frame: six numbers, moment first.
  void wrench(std::string_view frame, Feedback law, Representation in = Representation::body,
              FeedbackOptions options = {});
  /// Propellers on a link: a speed of every rotor, rad/s.
  void propellers(std::string_view link, const Propellers& propellers, Feedback speeds,
                  FeedbackOptions options = {});
  /// Gravity that changes with time instead of the robot's own; its work counts as from outside.
  void gravity(std::function<Vec3<double>(double t)> law);
  /// A frame's origin that a compliant plane carries.
  void ground_point(std::string_view frame, const CompliantGround& ground);

  /// What happens where a function changes sign, as a rule one of (const Moment&). Names may be
  /// used again.
  void event(std::string name, EventFunction function, EventOptions options = {});
  /// Events where joints come to their limits; stop: the run ends there.
  void watch_limits(bool stop = false);
  /// A joint that cannot go beyond its limits: it comes back, or rests there until something pulls
  /// it away. InputError where it has none.
  void stop(std::string_view joint, const StopOptions& options = {});
  /// All joints that have limits.
  void stops(const StopOptions& options = {});
  /// A frame that the ground holds from when its origin comes down (velocities after an inelastic
  /// impact) until the ground would have to pull.
  void landing(std::string_view frame, const LandingOptions& options = {});

  /// The ground takes hold of a frame at once: velocities are those after an inelastic impact.
  /// Frames of `landing` that this would pull are let go. Returns the impulse on the frame, in
  /// ground axes at its origin.
  Wrench<double> attach(SimulationState& x, const Contact& contact);
  /// The ground lets go of a frame; nothing where it does not hold it.
  void release(SimulationState& x, FrameId frame);
  /// The state as functions of events see it.
  Moment at(SimulationState& x);

  /// A state to start from: loops closed near q, v made to suit them, prescribed joints on their
  /// laws. ComputationError where the loops cannot be closed, or not within `reach` (rad, m) of q.
  SimulationState start(const VectorArg& q, const VectorArg& v, double t = 0,
                        double reach = std::numeric_limits<double>::infinity());

  /// Runs until the time is reached; rows go to the record.
  RunReport run(SimulationState& x, double until, Record& record, const RunOptions& options = {});
  RunReport run(SimulationState& x, double until, const RunOptions& options = {});
  /// One step of at most h: a fixed one, or one that keeps to the tolerance. Returns its length.
  double step(SimulationState& x, double h);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<Simulation> = true;

}  // namespace jounce
