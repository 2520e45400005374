// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/series_branches.hpp"

#include <map>
#include <string>
#include <thread>

#include "benchmarks/bench.hpp"
#include "benchmarks/series_tree.hpp"

namespace jounce::bench {
namespace {

/// The base with one of its branches; without the base's mass, which counts once.
RobotDescription with_one_branch(const RobotDescription& whole, const std::string& first,
                                 bool with_mass) {
  RobotDescription part{.name = whole.name, .gravity = whole.gravity};
  std::map<std::string, bool> kept;  // by link
  for (const JointDescription& joint : whole.joints) {
    const bool base = joint.parent.empty();
    kept[joint.child] = base || joint.name == first ||
                        (joint.parent != whole.joints[0].child && kept[joint.parent]);
    if (kept[joint.child]) part.joints.push_back(joint);
  }
  for (const LinkDescription& link : whole.links) {
    if (!kept[link.name]) continue;
    part.links.push_back(link);
    if (link.name == whole.joints[0].child && !with_mass)
      part.links.back() = {.name = link.name, .mass = 0, .com = {}, .I_com = {}};
  }
  return part;
}

/// One branch in the whole tree's motion.
struct Branch {
  Branch(const SeriesTree& tree, Robot own, int highest)
      : robot(std::move(own)),
        series(robot, highest),
        q(static_cast<size_t>(robot.nq())),
        motion(robot.nv(), highest + 2),
        taus(robot.nv(), highest + 1) {
    for (const JointInfo& joint : robot.joints()) {
      const JointInfo& there = tree.robot.joint(joint.name);
      std::copy_n(tree.q.begin() + there.q, joint.nq, q.begin() + joint.q);
      motion.middleRows(joint.v, joint.nv) = tree.motion.middleRows(there.v, joint.nv);
    }
  }
  void run() { series.inverse(q, motion, {}, into(taus)); }
  /// Wrenches of the base add up.
  void add_to(const SeriesTree& tree, Eigen::MatrixXd& sum) const {
    for (const JointInfo& joint : robot.joints())
      sum.middleRows(tree.robot.joint(joint.name).v, joint.nv) +=
          taus.middleRows(joint.v, joint.nv);
  }

  Robot robot;
  Series series;
  std::vector<double> q;
  Eigen::MatrixXd motion, taus;
};

void run_on(int threads, std::vector<Branch>& branches) {
  const auto share = [&](size_t first) {
    for (size_t b = first; b < branches.size(); b += static_cast<size_t>(threads))
      branches[b].run();
  };
  std::vector<std::jthread> others;
  others.reserve(static_cast<size_t>(threads));
  for (int t = 1; t < threads; ++t) others.emplace_back(share, static_cast<size_t>(t));
  share(0);
}

}  // namespace

BranchesInParallel branches_in_parallel(int branch_length, int order) {
  SeriesTree tree(branch_length, order);
  const RobotDescription& whole = tree.robot.description();
  std::vector<Branch> branches;
  branches.reserve(whole.joints.size());
  for (const JointDescription& joint : whole.joints)
    if (joint.parent == whole.joints[0].child)
      branches.emplace_back(tree, Robot(with_one_branch(whole, joint.name, branches.empty())),
                            order);

  BranchesInParallel found;
  found.branches = static_cast<int>(branches.size());
  found.threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 5);
  tree.inverse(order);
  run_on(found.threads, branches);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(tree.robot.nv(), order + 1);
  for (const Branch& branch : branches) branch.add_to(tree, sum);
  found.difference =
      (sum - tree.found_taus).cwiseAbs().maxCoeff() / tree.found_taus.cwiseAbs().maxCoeff();
  found.speedup = nanoseconds([&] { run_on(1, branches); }) /
                  nanoseconds([&] { run_on(found.threads, branches); });
  return found;
}

}  // namespace jounce::bench
