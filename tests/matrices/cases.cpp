// SPDX-License-Identifier: BSD-3-Clause
// Random robots for the tests of matrices.
#include "matrices/cases.hpp"

namespace jounce::test {

void expect_all_same(const Matrices& found, const Matrices& expected, const char* what,
                     std::uint64_t seed) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (size_t k = 0; k < found.size(); ++k)
    EXPECT_TRUE(within(0, found[k], expected[k], seed)) << what << ", matrix " << k;
}

RobotDescription random_description(std::uint64_t seed, int largest) {
  return with_sound_composites(generate({.shape = TreeShape(seed % 4),
                                         .bodies = 2 + int(seed * 7 % std::uint64_t(largest - 1)),
                                         .branches = 2,
                                         .kinds = all_joint_kinds(),
                                         .free_base = seed % 2 == 0,
                                         .mimic = seed % 5 == 0,
                                         .fixed_links = true,
                                         .child_placements = true,
                                         .passive = seed % 3 == 0,
                                         .seed = seed}));
}

Case::Case(Robot robot_, std::uint64_t seed)
    : robot(std::move(robot_)), rng(seed), dynamics(robot) {
  const std::vector<double> start = robot.random(seed);
  q = Vector::Map(start.data(), robot.nq());
  v = random();
  a = random();
}
Vector Case::random() {
  Vector x(robot.nv());
  for (double& value : x) value = rng.uniform(-1, 1);
  return x;
}

Vector tree_q(const Robot& robot, const Vector& q) {
  const Coupling<double>& c = robot.system().coupling;
  Vector all(robot.model().nq);
  for (Eigen::Index k = 0; k < all.size(); ++k)
    all[k] = c.q_ratio[size_t(k)] * q[c.q_source[size_t(k)]] + c.q_offset[size_t(k)];
  return all;
}
DenseMatrix coupling_matrix(const Robot& robot) {
  DenseMatrix A = DenseMatrix::Zero(robot.model().nv, robot.nv());
  for (int k = 0; k < robot.model().nv; ++k)
    A(k, robot.system().coupling.v_source[size_t(k)]) = robot.system().coupling.v_ratio[size_t(k)];
  return A;
}

void part_rate(const Part<double>& part, int nv, const double* q, const double* v, double* out) {
  const auto quaternion_rate = [](const double* r, const double* w, double* rate) {
    const Quaternion<double> half = Quaternion<double>{r[0], r[1], r[2], r[3]} *
                                    Quaternion<double>{0.5 * w[0], 0.5 * w[1], 0.5 * w[2], 0};
    rate[0] = half.x, rate[1] = half.y, rate[2] = half.z, rate[3] = half.w;
  };
  switch (part.kind) {
    case JointKind::spherical:
      return quaternion_rate(q, v, out);
    case JointKind::free: {
      const Vec3<double> rate =
          to_rotation(Quaternion<double>{q[3], q[4], q[5], q[6]}) * Vec3<double>{v[3], v[4], v[5]};
      out[0] = rate.x, out[1] = rate.y, out[2] = rate.z;
      return quaternion_rate(q + 3, v, out + 3);
    }
    case JointKind::planar: {
      const double c = std::cos(q[2]), s = std::sin(q[2]);
      out[0] = c * v[1] - s * v[2], out[1] = s * v[1] + c * v[2], out[2] = v[0];
      return;
    }
    default:
      for (int k = 0; k < nv; ++k) out[k] = v[k];
  }
}
Vector tree_rates(const Robot& robot, const Vector& q, const Vector& v) {
  const Model<double>& m = robot.model();
  Vector rates = Vector::Zero(m.nq);
  for (int i = 1; i < m.bodies; ++i)
    for (int p = m.part_at[i]; p < m.part_at[i + 1]; ++p) {
      const Part<double>& part = m.part[p];
      const bool custom = part.kind == JointKind::custom;
      const int nv = custom ? m.v_at[i + 1] - m.v_at[i] : elementary_nv(part.kind);
      const int q_at = custom ? m.q_at[i] : part.q, v_at = custom ? m.v_at[i] : part.v;
      part_rate(part, nv, q.data() + q_at, v.data() + v_at, rates.data() + q_at);
    }
  return rates;
}

DenseMatrix mass_rate_by_dual(const Robot& robot, const Vector& q, const Vector& v) {
  using Real = Dual<double, 1>;
  const Model<double>& m = robot.model();
  const Vector rates = tree_rates(robot, q, v);
  std::vector<Real> position(size_t(m.nq)), zero(size_t(m.nv)), M(size_t(m.nv * m.nv));
  for (int k = 0; k < m.nq; ++k) {
    position[size_t(k)] = Real(q[k]);
    position[size_t(k)].d[0] = rates[k];
  }
  WorkspaceStorage<Real> storage(m);
  std::vector<Inertia<Real>> composite(size_t(m.bodies));
  const State<Real> x{position.data(), zero.data(), zero.data()};
  forward_poses(m, x, storage.view());
  crba(m, storage.view(), composite.data(), M.data());
  DenseMatrix rate(m.nv, m.nv);
  for (int i = 0; i < m.nv; ++i)
    for (int j = 0; j < m.nv; ++j) rate(i, j) = M[size_t(m.nv * i + j)].d[0];
  return rate;
}
DenseMatrix mass_rate_by_dual(const Case& c) {
  const DenseMatrix A = coupling_matrix(c.robot);
  return A.transpose() * mass_rate_by_dual(c.robot, tree_q(c.robot, c.q), A * c.v) * A;
}

}  // namespace jounce::test
