// SPDX-License-Identifier: BSD-3-Clause
// Robot files of other people, read and computed by other libraries.
//
// A library answers for the joints that it finds, by name, so that nothing hangs on their order.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace jounce::others {

/// A number in [-1, 1] for a coordinate and a purpose ("q", "v", "a", "tau"), the same everywhere.
double number_of(const std::string& coordinate, const std::string& purpose);

/// The numbers of a list of coordinates.
Eigen::VectorXd numbers_of(const std::vector<std::string>& coordinates, const std::string& purpose);

/// The coordinates of a joint by name: its own where there is one, six of a free joint, which are
/// the angular, then the linear velocity of the body in its own axes. `base` names the free base.
std::vector<std::string> coordinates_of(const std::string& joint, int nv);
constexpr const char* base = "the base";

/// Where a free joint is: a unit quaternion x, y, z, w and a position.
Eigen::Vector4d quaternion_of(const std::string& joint);
Eigen::Vector3d position_of(const std::string& joint);

/// What is asked of a library.
struct Question {
  std::string path, text;
  bool floating = false;  ///< the root link moves freely
};

/// What a library makes of a file with joints of one coordinate and free ones; passive forces are
/// off and mimic joints free. What it has no solver for stays empty.
struct Answer {
  int nq = 0, nv = 0;
  std::vector<std::string> coordinates;  ///< none where a joint is of another kind
  Eigen::MatrixXd M;                     ///< mass matrix at q
  Eigen::VectorXd tau;                   ///< inverse dynamics at q, v, a
  Eigen::VectorXd a;                     ///< forward dynamics at q, v, tau
};

struct UnknownJoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws std::exception where it refuses the file.
using Ask = std::function<Answer(const Question&)>;

struct Peer {
  std::string name;
  bool without_shapes;  ///< refuses shapes whose meshes are missing: they are removed before
  bool floats;          ///< is asked for free bases
  Ask ask;
};

/// Those that were found when this was built.
std::vector<Peer> peers();

Answer ask_jounce(const Question& question);
Answer ask_dart(const Question& question);
/// Throws UnknownJoint where a joint is neither fixed nor free nor has one axis without a pitch.
Answer ask_exact(const Question& question);
Answer ask_kdl(const Question& question);
Answer ask_mujoco(const Question& question);
Answer ask_pinocchio(const Question& question);

}  // namespace jounce::others
