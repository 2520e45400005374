// SPDX-License-Identifier: BSD-3-Clause
// The table of words with a name for each, a state and what surrounds the robot: what benchmarks
// and counts of instructions run through, so that a new word is measured without another list.
#pragma once

#include <map>
#include <optional>

#include "model/words.hpp"

namespace jounce::test {

/// A word with arguments and memory for what it gives.
struct NamedCall {
  std::string name;  ///< "Dynamics::inverse", "Dynamics::inverse with a wrench in body axes"
  const Word* word;
  std::optional<Representation> wrench;  ///< in which axes there is one
  Vectors x;
  Memory to;

  void run() const { word->call(x, to); }
};

/// A robot that moves.
class WordsInMotion {
 public:
  explicit WordsInMotion(const Robot& robot, std::uint64_t seed = 1);

  /// All words of all doors, those that take wrenches without and with one in each kind of axes.
  const std::vector<NamedCall>& calls() const { return calls_; }
  /// What surrounds the robot in this call.
  void surround(const NamedCall& call);

 private:
  void add(const Word& word, const std::string& name);

  Words words_;
  std::uint64_t seed_;
  std::map<std::string, int> times_;  ///< that a name has occurred
  std::vector<std::vector<double>> numbers_;
  std::vector<NamedCall> calls_;
};

}  // namespace jounce::test
