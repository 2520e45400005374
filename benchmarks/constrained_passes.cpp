// SPDX-License-Identifier: BSD-3-Clause
// How Kim's passes grow: O(n) with the length of a chain, O(m^3) with the rows that hold it.
#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/paper/constrained_passes.hpp>

#include "benchmarks/bench.hpp"
#include "report/text.hpp"

namespace jounce::bench {
namespace {

struct HeldChain {
  int links, welds;  ///< six rows each, along the chain and at its tip
};
constexpr HeldChain held_chains[] = {{10, 1},  {30, 1},  {100, 1}, {200, 1},
                                     {200, 2}, {200, 4}, {200, 8}, {200, 16}};

struct Measured {
  PassCount passes;
  double ns = 0;
};

Measured measure(const HeldChain& chain, double long_enough) {
  const Robot robot(generate({.shape = TreeShape::chain,
                              .bodies = chain.links,
                              .kinds = {JointKind::revolute},
                              .seed = 1}));
  std::vector<Contact> contacts;
  for (int k = 1; k <= chain.welds; ++k)
    contacts.push_back(
        {robot.frame(robot.description()
                         .links[size_t(robot.bodies() - 1) * size_t(k) / size_t(chain.welds)]
                         .name)});
  ConstrainedPasses passes(robot);
  const std::vector<double> q = robot.random(1);
  const Eigen::VectorXd tau = Eigen::VectorXd::Constant(robot.nv(), 0.1);
  const Eigen::VectorXd v = ConstrainedDynamics(robot).project(q, tau, contacts);
  Measured found;
  found.ns = nanoseconds([&] { found.passes = passes.forward(q, v, tau, {}, contacts).passes; },
                         long_enough);
  return found;
}

}  // namespace

std::vector<Row> constrained_passes() {
  std::vector<Row> rows;
  for (const HeldChain& chain : held_chains)
    rows.push_back({.robot = "chain_" + std::to_string(chain.links),
                    .algorithm = "constrained-forward-passes/" + std::to_string(6 * chain.welds),
                    .ns = measure(chain, 0.1).ns});
  return rows;
}

report::Table pass_growth() {
  report::Table table{"Passes over the open tree of a chain that is held, as the paper counts them",
                      {"joints", "rows", "full", "simplified", "us"},
                      {}};
  for (const HeldChain& chain : held_chains) {
    const Measured found = measure(chain, 0.02);
    table.rows.push_back({std::to_string(chain.links), std::to_string(6 * chain.welds),
                          std::to_string(found.passes.full),
                          std::to_string(found.passes.simplified),
                          report::fixed(found.ns / 1e3, 0)});
  }
  return table;
}

}  // namespace jounce::bench
