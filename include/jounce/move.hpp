// SPDX-License-Identifier: BSD-3-Clause
// Motions of whole robots as functions of time, and what they take: forces, force rates, energies.
//
//   const jounce::Move move = jounce::septic(arm.neutral(), goal, 2.0);   // 2 s, from rest to rest
//   const jounce::Along run = jounce::along(arm, move, {.points = 201});
//   run.tau(0, 100), run.tau_rate(0, 100)                                 // of coordinate 0
// Columns of matrices are times, rows are coordinates.
#pragma once

#include <jounce/dense_matrix.hpp>
#include <jounce/door/into.hpp>
#include <jounce/matrix_arg.hpp>
#include <jounce/trajectory.hpp>
#include <jounce/vector_arg.hpp>
#include <string>
#include <vector>

namespace jounce {

/// All coordinates of a robot as functions of time, with every derivative.
class Move {
 public:
  /// From one configuration to another, x(t) from 0 to 1: q = from + x (to - from), and on joints
  /// whose coordinates do not add, such as free ones, q = from exp(x log(from^-1 to)).
  Move(std::vector<double> from, std::vector<double> to, PiecewisePolynomial progress);
  /// A law for each coordinate, for joints whose velocities are the rates of their coordinates.
  explicit Move(std::vector<PiecewisePolynomial> coordinates);

  int size() const;  ///< how many coordinates q has
  double start() const;
  double end() const;

  /// q, q', q'', ... at time t, component by component, a column each.
  void derivatives(double t, const Into<double>& out) const;
  /// As a robot moves: q, and v, a, jerk, ... in the columns of motion. InputError where the robot
  /// has another number of coordinates, or joints whose velocities are no rates of coordinates.
  void at(const Robot& robot, double t, std::span<double> q, const Into<double>& motion) const;
  /// Refuses what `at` would.
  void check(const Robot& robot, std::string_view caller) const;

 private:
  std::vector<double> from_, to_;
  std::vector<PiecewisePolynomial> laws_;  ///< the progress alone, or one for each coordinate
};

/// From rest to rest: velocity and acceleration (quintic), and jerk (septic), vanish at both ends.
Move quintic(const VectorArg& from, const VectorArg& to, double duration);
Move septic(const VectorArg& from, const VectorArg& to, double duration);

/// Through points at times, a row of points for each, from rest to rest with the least integral of
/// the square of derivative s: 4, minimum snap, has a continuous jerk.
Move spline(const VectorArg& times, const MatrixArg& points, int s = 4);

/// Through positions with the given velocities, and accelerations and jerks where they are given,
/// a row for each time: pieces of degree 3, 5 or 7.
Move interpolate(const VectorArg& times, const MatrixArg& q, const MatrixArg& v,
                 const MatrixArg& a = {}, const MatrixArg& jerk = {});

/// A move from a table of a robot's motion, CSV or NPZ, by its content. CSV has a column t, in s,
/// and columns named after joints, "elbow" or "q.elbow", "v.elbow", "a.elbow", "jerk.elbow", of a
/// joint with several coordinates "base:0"; NPZ arrays t [T], q [T, nq], v, a, jerk [T, nv]. With
/// positions alone it is a spline, with derivatives it meets them all. Other columns of a record,
/// tau for one, are passed over. InputError has the place.
Move read_motion(const Robot& robot, std::string_view bytes, const std::string& origin);
Move load_motion(const Robot& robot, const std::string& path);

struct AlongOptions {
  int points = 201;             ///< equally far apart in time, the first and the last included
  std::vector<FrameId> frames;  ///< whose poses are wanted
  bool passive = true;
  bool gravity = true;
};

/// Where a limit is exceeded: the worst of a coordinate.
struct Exceeded {
  enum class Limit : unsigned char { position, velocity, effort };
  int v = 0;  ///< the velocity coordinate
  Limit kind = Limit::position;
  double t = 0, value = 0, limit = 0;
};
const char* name(Exceeded::Limit limit);

/// What a move takes: a column of each matrix for each time. Loops are closed: coordinates that
/// lead, motors where these suffice, do what the move says, the others follow from the loops;
/// forces are those of motors (of leading coordinates, where motors are too few), of more motors
/// than degrees of freedom those with the least forces in the loops.
struct Along {
  Robot robot;
  std::vector<double> t;
  dense::Matrix q, v, a, jerk, tau, tau_rate;
  std::vector<double> kinetic, potential;
  std::vector<FrameId> frames;
  std::vector<SE3<double>> poses;  ///< of all frames at the first time, then at the next
  std::vector<int> leading;        ///< velocity coordinates that do what the move says

  /// Limits of positions, speeds and efforts that are exceeded, by coordinate.
  std::vector<Exceeded> exceeded() const;
};

/// InputError for a move of another robot, or fewer than two points. ComputationError with the time
/// where loops cannot be closed, or where the move meets a singular configuration of theirs.
Along along(const Robot& robot, const Move& move, const AlongOptions& options = {});

/// The names of coordinates in tables: "elbow", of a joint with several "base:0", "base:1", ...
std::vector<std::string> position_names(const Robot& robot);
std::vector<std::string> velocity_names(const Robot& robot);

/// Columns t, q.elbow, ..., v., a., jerk., tau., tau_rate., kinetic, potential.
std::string write_csv(const Along& run);
/// The same as arrays t [T], q [T, nq], v, ... [T, nv], kinetic, potential, q_names, v_names.
std::string write_npz(const Along& run);

}  // namespace jounce
