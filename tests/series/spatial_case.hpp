// SPDX-License-Identifier: BSD-3-Clause
// A tree of the library as the spatial recursions take it: base and joints of one freedom, all in
// the inertial frame.
#pragma once

#include <jounce/algorithm/kinematics.hpp>
#include <jounce/algorithm/spatial_hybrid_series.hpp>

#include "series/series_case.hpp"

namespace jounce::test {

/// A floating tree of revolute, prismatic and helical joints in random motion. Body 1 of the model
/// is the base.
struct SpatialCase {
  SpatialCase(std::uint64_t seed, int bodies, int order, double distance = 0)
      : robot(generate({.shape = TreeShape::random_tree,
                        .bodies = bodies,
                        .kinds = {JointKind::revolute, JointKind::prismatic, JointKind::helical},
                        .free_base = true,
                        .link_length = 0.3,
                        .seed = seed})),
        q(robot.random(seed)) {
    Random rng(seed);
    motion = random_columns(rng, robot.nv(), order + 2);
    q[0] += distance, q[1] -= distance, q[2] += distance / 2;
    const Model<double>& m = robot.model();
    WorkspaceStorage<double> storage(m);
    Workspace<double>& w = storage.view();
    const std::vector<double> zeros(size_t(robot.nv()));
    forward_poses(m, State<double>{q.data(), zeros.data()}, w);
    base = w.pose[1];
    for (int i = 1; i < m.bodies; ++i) {
      spatial::Body body;
      body.parent = std::max(0, m.parent[i] - 1);
      if (i > 1) body.S = to_matrix(Ad(w.pose[i], w.S[m.v_at[i]]));
      body.M = dual_Ad_inv_matrix(w.pose[i]) * to_matrix(m.G[i]) * Ad_inv_matrix(w.pose[i]);
      tree.push_back(body);
    }
    spatial::Series6 body_twists(size_t(order + 2));
    for (int k = 0; k < order + 2; ++k)
      for (int j = 0; j < 6; ++j) body_twists[size_t(k)](j, 0) = motion(j, k);
    twists = spatial::from_body_twists(base, body_twists);
    rates.resize(tree.size());
    for (size_t j = 1; j < tree.size(); ++j)
      for (int k = 0; k < order + 2; ++k) rates[j].push_back(motion(Eigen::Index(5 + j), k));
  }
  /// Base wrench in the base's frame and joint forces, column by column.
  Eigen::MatrixXd columns(const spatial::Forces& f, int order) const {
    const spatial::Series6 wrench = spatial::to_body_wrenches(base, twists, f.W[0]);
    Eigen::MatrixXd tau(robot.nv(), order + 1);
    for (int k = 0; k <= order; ++k) {
      for (int j = 0; j < 6; ++j) tau(j, k) = wrench[size_t(k)](j, 0);
      for (size_t j = 1; j < tree.size(); ++j) tau(Eigen::Index(5 + j), k) = f.taus[j][size_t(k)];
    }
    return tau;
  }

  /// The link that moves as this body of the model.
  FrameId frame_on(int body) const {
    int k = 0;
    while (robot.frames()[size_t(k)].body != body) ++k;
    return FrameId(k);
  }

  Robot robot;
  std::vector<double> q;
  Eigen::MatrixXd motion;
  SE3<double> base;
  std::vector<spatial::Body> tree;
  spatial::Series6 twists;
  std::vector<std::vector<double>> rates;
};

}  // namespace jounce::test
