// SPDX-License-Identifier: BSD-3-Clause
// Jounce and its peers in turn on the same robots: the smallest medians of several rounds.
#include <cmath>
#include <cstdio>
#include <jounce/error.hpp>
#include <map>
#include <optional>

#include "benchmarks/bench.hpp"
#include "benchmarks/interleaved.hpp"
#include "benchmarks/peers/ours.hpp"
#include "benchmarks/robots.hpp"

namespace jounce::bench {
namespace {

/// In those states, beside the largest number.
constexpr double agreement = 1e-9;

std::string digits(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", x);
  return text;
}

/// Its calls, where it makes the same robot of the numbers: MuJoCo balances inertias, and refuses
/// long chains.
std::optional<PeerCalls> calls_of(const Peer& peer, const std::string& robot, const PeerTree& tree,
                                  double trace) {
  std::string why;
  try {
    PeerCalls theirs = peer.load(tree);
    const double apart = std::abs(theirs.mass_trace - trace) / trace;
    if (apart <= 1e-9) return theirs;
    why = "the trace of its mass matrix is off by " + digits(apart);
  } catch (const std::exception& e) {
    why = e.what();
  }
  std::fprintf(stderr, "peers: %s is left out on \"%s\": %s\n", peer.library, robot.c_str(),
               why.c_str());
  return {};
}

/// The largest difference of two lists, beside the largest number.
double difference(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size()) return INFINITY;
  double apart = 0, largest = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    apart = std::max(apart, std::abs(x[k] - y[k]));
    largest = std::max(largest, std::abs(x[k]));
  }
  return apart / largest;
}

double compare(const std::string& where, const PeerCall& ours, const PeerCall& theirs) {
  double apart = -1;
  if (!ours.numbers || !theirs.numbers) return apart;
  for (size_t state = 0; state < compared_states; ++state) {
    ours.run(state), theirs.run(state);
    apart = std::max(apart, difference(ours.numbers(), theirs.numbers()));
  }
  if (!(apart <= agreement))
    throw ComputationError("peers: " + where + ": numbers differ by " + digits(apart) +
                           " of the largest");
  return apart;
}

struct Key {
  std::string robot, algorithm, library;
  auto operator<=>(const Key&) const = default;
};
struct Found {
  double ns = INFINITY;
  double difference = -1;
};

/// Rows in the order in which they were first measured, with the smallest medians.
class Table {
 public:
  Found& operator[](const Key& key) {
    const auto [at, is_new] = found_.try_emplace(key);
    if (is_new) order_.push_back(key);
    return at->second;
  }
  std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const Key& key : order_) {
      const Found& one = found_.at(key);
      const double ours = found_.at({key.robot, key.algorithm, "jounce"}).ns;
      all.push_back({.robot = key.robot,
                     .algorithm = key.algorithm,
                     .library = key.library,
                     .ns = one.ns,
                     .ratio = key.library == "jounce" ? 0 : one.ns / ours,
                     .difference = one.difference});
    }
    return all;
  }

 private:
  std::map<Key, Found> found_;
  std::vector<Key> order_;
};

/// One of ours and all calls of its name.
struct Contest {
  std::vector<StateCall> calls;
  std::vector<std::string> libraries;
  std::vector<int> columns;

  void add(const std::string& library, const PeerCall& call) {
    calls.push_back(call.run);
    libraries.push_back(library);
    columns.push_back(call.columns);
  }
};

/// A Robot or a HeldRobot without what peers leave out.
void measure(const std::string& name, const auto& robot, bool compared, Table& table) {
  const PeerTree tree = tree_of(robot);
  const PeerCalls ours = our_calls(robot, tree);
  std::vector<std::pair<const char*, PeerCalls>> all;
  for (const Peer& peer : peer_libraries()) {
    if (auto theirs = calls_of(peer, name, tree, ours.mass_trace))
      all.emplace_back(peer.library, std::move(*theirs));
  }
  for (const PeerCall& one : ours.calls) {
    Contest contest;
    contest.add("jounce", one);
    for (const auto& [library, theirs] : all)
      for (const PeerCall& call : theirs.calls) {
        if (call.name != one.name) continue;
        contest.add(library, call);
        if (!compared) continue;
        table[{name, one.name, "jounce"}];  // ours first
        Found& there = table[{name, one.name, library}];
        there.difference =
            std::max(there.difference, compare(name + ", " + one.name + ", " + library, one, call));
      }
    if (contest.calls.size() == 1) continue;
    const std::vector<double> medians = interleaved(contest.calls, tree.states.size(), 11);
    for (size_t k = 0; k < medians.size(); ++k) {
      double& ns = table[{name, one.name, contest.libraries[k]}].ns;
      ns = std::min(ns, medians[k] / contest.columns[k]);
    }
  }
}

/// one(name, whether numbers are compared, table) for each robot, in every round.
std::vector<Row> rounds_of(const Selection& selection, const std::vector<std::string>& usual,
                           const auto& one) {
  Table table;
  if (peer_libraries().empty()) return {};
  for (int round = 0; round < selection.rounds; ++round)
    for (const std::string& name : selection.robots_or(usual)) one(name, round == 0, table);
  return table.rows();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> peers_built() {
  std::vector<std::pair<std::string, std::string>> found;
  for (const Peer& peer : peer_libraries())
    if (*peer.built != 0) found.emplace_back(peer.library, peer.built);
  return found;
}

std::vector<Row> peers(const Selection& selection) {
  return rounds_of(selection,
                   {"arm7", "quadruped", "humanoid", "chain-10", "chain-30", "chain-100",
                    "chain-255", "binary-tree-63", "binary-tree-255"},
                   [](const std::string& name, bool compared, Table& table) {
                     const NamedRobot named = benchmark_robot(name);
                     measure(named.name, bare(named.robot), compared, table);
                   });
}

std::vector<Row> held_peers(const Selection& selection) {
  return rounds_of(selection,
                   {"arm7", "quadruped", "humanoid", "chain-100", "chain-200", "five_bar",
                    "four-bars-4", "four-bars-16", "four-bars-64"},
                   [](const std::string& name, bool compared, Table& table) {
                     HeldRobot held = held_robot(name);
                     held.robot = bare(held.robot);
                     measure(held.name, held, compared, table);
                   });
}

}  // namespace jounce::bench
