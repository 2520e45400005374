// SPDX-License-Identifier: BSD-3-Clause
// Robot files of other people, read and computed by other libraries.
//
// A library answers for the joints that it finds, by name, so that nothing hangs on their order.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

namespace jounce::others {

/// A number in [-1, 1] for a joint and a purpose ("q", "v", "a", "tau"), the same in every library.
double number_of(const std::string& joint, const std::string& purpose);

/// The numbers of a list of joints.
Eigen::VectorXd numbers_of(const std::vector<std::string>& joints, const std::string& purpose);

/// What a library makes of a file with joints of one coordinate on a fixed base; passive forces are
/// off and mimic joints free. What it has no solver for stays empty.
struct Answer {
  int nq = 0, nv = 0;
  std::vector<std::string> joints;  ///< by coordinate; empty where one has several
  Eigen::MatrixXd M;                ///< mass matrix at q
  Eigen::VectorXd tau;              ///< inverse dynamics at q, v, a
  Eigen::VectorXd a;                ///< forward dynamics at q, v, tau
};

/// Throws std::exception where it refuses the file. `text` is its content.
using Ask = std::function<Answer(const std::string& path, const std::string& text)>;

struct Peer {
  std::string name;
  bool needs_meshes;  ///< refuses shapes whose meshes are missing: they are removed before
  Ask ask;
};

/// Those that were found when this was built.
std::vector<Peer> peers();

Answer ask_jounce(const std::string& path, const std::string& text);
Answer ask_dart(const std::string& path, const std::string& text);
Answer ask_kdl(const std::string& path, const std::string& text);
Answer ask_mujoco(const std::string& path, const std::string& text);
Answer ask_pinocchio(const std::string& path, const std::string& text);

}  // namespace jounce::others
