// SPDX-License-Identifier: BSD-3-Clause
// The checks of a description. They notice everything at once, and say what it is about as data, so
// that a reader can add where that stands in its file.
#pragma once

#include <algorithm>
#include <jounce/error.hpp>
#include <jounce/finding.hpp>
#include <jounce/model/description.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "quotes.hpp"

namespace jounce {

/// What something that was noticed is about.
enum class Subject : unsigned char { robot, link, joint, frame, loop, bushing };

struct Noticed {
  Subject subject = Subject::robot;
  std::string name;  ///< of the link, joint, frame, loop or bushing
  FindingKind kind = FindingKind::fault;
  std::string what;
};

/// What the checks of one description notice.
class Notices {
 public:
  static constexpr std::size_t most_shown = 20;  ///< faults in one message

  /// Checks leave out what is of a lower level than `least`.
  explicit Notices(Level least = Level::note) : least_(least) {}

  bool wants(FindingKind kind) const { return level(kind) >= least_; }
  std::size_t faults() const { return faults_; }
  std::size_t shown_faults() const { return std::min(faults_, most_shown); }
  const std::vector<Noticed>& list() const { return list_; }
  void add(Noticed noticed);
  void fault(Subject subject, const std::string& name, std::string what) {
    add({subject, name, FindingKind::fault, std::move(what)});
  }
  /// Runs a check that throws InputError; whether it passed.
  template <class Check>
  bool attempt(Subject subject, const std::string& name, Check check) {
    try {
      check();
      return true;
    } catch (const InputError& error) {
      fault(subject, name, error.what());
      return false;
    }
  }
  /// Throws InputError with the faults, one a line.
  void refuse_faults() const;

 private:
  std::vector<Noticed> list_;  ///< of faults only the first are kept
  std::size_t faults_ = 0;
  Level least_;
};

/// joint "elbow", shortened, for messages.
inline std::string named(const char* what, const std::string& name) {
  return std::string(what) + " " + in_quotes(name);
}

/// Places of links or joints by name.
using NameIndex = std::unordered_map<std::string_view, int>;

/// `there is no link "bas"; nearest: "base"`.
std::string no_link(const std::string& link, const RobotDescription& robot, const Notices& notices);

/// Names, tree structure, geometry and inertias. Returns the joints in computing order (parents
/// first, else as in the file), by their place in the description; nothing where there is a fault.
std::vector<int> check_description(const RobotDescription& robot, Notices& notices);

/// The parts of it. Mass, com and inertia: finite, and those of a rigid body (a warning).
void check_inertias(const RobotDescription& robot, Notices& notices);
/// Mimic joints and their leaders.
void check_mimics(const RobotDescription& robot, const NameIndex& joints, Notices& notices);
/// That the joints make one tree; their computing order.
std::vector<int> check_tree(const RobotDescription& robot, const NameIndex& links,
                            Notices& notices);

/// What is wrong with the inertia of a link, in the words of a message, or nothing: principal
/// moments about the com that no rigid body has, or inertia without mass.
std::string inertia_defect(const LinkDescription& link);

/// The nearest inertia (in the norm of the pseudo-inertia) that a rigid body of this mass and com
/// has; none where there is no mass.
Sym3<double> nearest_inertia(const LinkDescription& link);

/// A joint that follows one that follows another follows that other.
void compose_mimics(RobotDescription& robot);

}  // namespace jounce
