// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of frames, the centre of mass, momentum and energy: dual numbers and differences.
#include <jounce/algorithm/com.hpp>
#include <jounce/algorithm/momentum.hpp>
#include <jounce/algorithm/rnea.hpp>
#include <jounce/kinematics.hpp>

#include "derivatives/cases.hpp"
#include "support/allocation_guard.hpp"

namespace jounce::test {
namespace {

struct Outputs {
  std::vector<Gradient> all;

  void add(const Vec3<Gradient>& x) { all.insert(all.end(), {x.x, x.y, x.z}); }
  void add(const Vec3<Gradient>& x, const Vec3<Gradient>& y) { add(x), add(y); }
  void add(const Twist<Gradient>& X) { add(X.w, X.v); }
};

/// Twists and accelerations of a frame as Kinematics names them.
void add_frame(const SE3<Gradient>& T, const Twist<Gradient>& V, const Twist<Gradient>& A,
               Outputs& to) {
  const Vec3<Gradient> classical = A.v + cross(V.w, V.v);
  to.add(V);
  to.add(Ad(T, V));
  to.add(T.R * V.w, T.R * V.v);
  to.add(A);
  to.add(Ad(T, A));
  to.add(A.w, classical);
  to.add(T.R * A.w, T.R * classical);
}

/// Everything that has derivatives here, of a state on dual numbers.
Outputs outputs(const DerivativeCase& c, FrameId id, const std::vector<Gradient>& q,
                const std::vector<Gradient>& v, const std::vector<Gradient>& a) {
  const Model<double>& m = c.robot.model();
  WorkspaceStorage<Gradient> storage(m);
  Workspace<Gradient>& w = storage.view();
  const std::vector<Wrench<Gradient>> F_ext(size_t(m.bodies));
  const State<Gradient> x{q.data(), v.data(), a.data(), nullptr, F_ext.data()};
  w.V[0] = as<Gradient>(c.moving().V);
  w.Vdot[0] = as<Gradient>(c.moving().Vdot);
  forward_poses(m, x, w);
  rnea(m, x, w);
  Outputs to;
  const FrameInfo& frame = c.robot.frame_info(id);
  add_frame(w.pose[frame.body] * frame.offset, Ad_inv(frame.offset, w.V[frame.body]),
            Ad_inv(frame.offset, w.Vdot[frame.body]), to);
  const Vec3<Gradient> centre = com<ComQuantity::position>(m, w);
  to.add(centre, com<ComQuantity::velocity>(m, w));
  to.add(com<ComQuantity::acceleration>(m, w));
  const Momentum<Gradient> h = momentum(m, w);
  to.add(h.about_com.m, h.about_com.f);
  Wrench<Gradient> rate{};  // of the momentum of all bodies about the ground's origin
  Gradient kinetic(0), potential(0);
  for (int i = 1; i < m.bodies; ++i) {
    if (m.parent[i] == 0) rate += dual_Ad_inv(w.T[i], w.F[i]);
    kinetic += kinetic_energy(m.G[i], w.V[i]);
    potential -= dot(w.pose[i].p * m.G[i].mass + w.pose[i].R * m.G[i].h, m.gravity);
  }
  for (int k = 0; k < m.nv; ++k) kinetic += v[size_t(k)] * v[size_t(k)] * (0.5 * m.armature[k]);
  to.add(rate.m - cross(centre, rate.f), rate.f);
  to.all.insert(to.all.end(), {kinetic, potential});
  return to;
}

DenseMatrix by_dual(const DerivativeCase& c, FrameId frame, const DenseMatrix& q_rates,
                    const DenseMatrix& v_rates, const DenseMatrix& a_rates) {
  const DenseMatrix A = coupling_matrix(c.robot);
  const Vector q = tree_q(c.robot, c.q), v = A * c.v, a = A * c.a;
  DenseMatrix found;
  for (int first = 0; first < A.cols(); first += directions) {
    const Outputs at = outputs(c, frame, growing(q, q_rates, first), growing(v, v_rates, first),
                               growing(a, a_rates, first));
    found.conservativeResize(Eigen::Index(at.all.size()), A.cols());
    for (size_t r = 0; r < at.all.size(); ++r)
      for (int d = 0; d < directions && first + d < A.cols(); ++d)
        found(Eigen::Index(r), first + d) = at.all[r].d[d];
  }
  return found;
}

/// The derivatives that Derivatives returns, one below the other in the order of `outputs`.
struct Stacked {
  explicit Stacked(int columns) : n(columns) {
    for (DenseMatrix* M : {&dq, &dv, &da}) M->resize(0, n);
  }
  void add(const DenseMatrix& q, const DenseMatrix& v, const DenseMatrix& a) {
    append(dq, q);
    append(dv, v);
    append(da, a.size() == 0 ? DenseMatrix(DenseMatrix::Zero(q.rows(), n)) : a);
  }
  void append(DenseMatrix& to, const DenseMatrix& rows) const {
    to.conservativeResize(to.rows() + rows.rows(), n);
    to.bottomRows(rows.rows()) = rows;
  }
  int n;
  DenseMatrix dq, dv, da;
};

Stacked by_front_door(DerivativeCase& c, FrameId frame) {
  Derivatives& d = c.derivatives;
  const int n = c.robot.nv();
  const DenseMatrix none, zero3 = DenseMatrix::Zero(3, n), zero1 = DenseMatrix::Zero(1, n);
  Stacked to(n);
  using enum Representation;
  for (const Representation in : {body, space, hybrid}) {
    const TwistDerivatives x = d.twist(frame, in, c.q, c.v, c.ground);
    to.add(x.dq, x.dv, none);
  }
  const auto add = [&](const AccelerationDerivatives& x) { to.add(x.dq, x.dv, x.da); };
  add(d.spatial_acceleration(frame, body, c.q, c.v, c.a, c.ground));
  add(d.spatial_acceleration(frame, space, c.q, c.v, c.a, c.ground));
  add(d.classical_acceleration(frame, body, c.q, c.v, c.a, c.ground));
  add(d.classical_acceleration(frame, hybrid, c.q, c.v, c.a, c.ground));
  const ComDerivatives x = d.com(c.q, c.v, c.a, c.ground);
  to.add(x.position_dq, zero3, none);
  to.add(x.velocity_dq, x.velocity_dv, none);
  to.add(x.acceleration_dq, x.acceleration_dv, x.acceleration_da);
  const MomentumDerivatives h = d.momentum(c.q, c.v, c.a, c.ground);
  to.add(h.momentum_dq, h.momentum_dv, none);
  to.add(h.rate_dq, h.rate_dv, h.rate_da);
  const EnergyDerivatives e = d.energy(c.q, c.v, c.ground);
  to.add(e.kinetic_dq.transpose(), e.kinetic_dv.transpose(), none);
  to.add(e.potential_dq.transpose(), zero1, none);
  return to;
}

/// Row by row: sums over up to 30 bodies, 1e-12 of the largest entry of the matrix's rows of one
/// quantity; space quantities are about the ground's origin, some metres away.
TEST(KinematicsDerivatives, ByDualNumbers) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(150); ++seed) {
    DerivativeCase c(seed);
    if (c.robot.mass() == 0) continue;
    const auto frame = FrameId(int(c.rng.uniform(0, double(c.robot.frames().size()))));
    const DenseMatrix A = coupling_matrix(c.robot);
    const Vector q = tree_q(c.robot, c.q);
    DenseMatrix rates(q.size(), A.cols());
    for (Eigen::Index k = 0; k < A.cols(); ++k) rates.col(k) = tree_rates(c.robot, q, A.col(k));
    const DenseMatrix none = DenseMatrix::Zero(A.rows(), A.cols());
    const DenseMatrix none_q = DenseMatrix::Zero(q.size(), A.cols());
    const Stacked found = by_front_door(c, frame);
    const auto expect = [&](const DenseMatrix& got, const DenseMatrix& exact, const char* by) {
      ASSERT_EQ(got.rows(), exact.rows());
      for (Eigen::Index r = 0; r < exact.rows(); r += 3) {
        const Eigen::Index rows = std::min<Eigen::Index>(3, exact.rows() - r);
        EXPECT_TRUE(within(1e-12 * (1 + largest(exact.middleRows(r, rows))),
                           got.middleRows(r, rows), exact.middleRows(r, rows), c))
            << "by " << by << ", row " << r;
      }
    };
    expect(found.dq, by_dual(c, frame, rates, none, none), "q");
    expect(found.dv, by_dual(c, frame, none_q, A, none), "v");
    expect(found.da, by_dual(c, frame, none_q, none, A), "a");
  }
}

Vector as_vector(const Twist<double>& X) {
  return Vector{{X.w.x, X.w.y, X.w.z, X.v.x, X.v.y, X.v.z}};
}

/// What Kinematics and Dynamics themselves answer, to the 1e-9 that differences of fourth order
/// keep.
TEST(KinematicsDerivatives, ByDifferences) {
  for (std::uint64_t seed = 0; seed < scaled<std::uint64_t>(20); ++seed) {
    DerivativeCase c(seed, 10);
    const int n = c.robot.nv();
    const auto frame = FrameId(int(c.robot.frames().size()) - 1);
    Derivatives& d = c.derivatives;
    Kinematics at(c.robot);
    const auto along_q = [&](auto answer) {
      return differences(n, [&](const Vector& dq) -> Vector {
        at.at(c.moved(dq), c.v, c.a, c.ground);
        return answer(c.moved(dq));
      });
    };
    const DenseMatrix twist = d.twist(frame, Representation::hybrid, c.q, c.v, c.ground).dq;
    const DenseMatrix twist_slope =
        along_q([&](const Vector&) { return as_vector(at.twist_hybrid(frame)); });
    EXPECT_TRUE(within(1e-9 * (1 + largest(twist)), twist, twist_slope, c));
    const DenseMatrix classical =
        d.classical_acceleration(frame, Representation::hybrid, c.q, c.v, c.a, c.ground).dq;
    const DenseMatrix classical_slope =
        along_q([&](const Vector&) { return as_vector(at.classical_acceleration_hybrid(frame)); });
    EXPECT_TRUE(within(1e-9 * (1 + largest(classical)), classical, classical_slope, c));
    const DenseMatrix energy_slope = along_q([&](const Vector& q) {
      const Energy e = c.dynamics.energy(q, c.v, c.ground);
      return Vector{{e.kinetic, e.potential}};
    });
    const EnergyDerivatives energy = d.energy(c.q, c.v, c.ground);
    EXPECT_TRUE(within(1e-9 * (1 + largest(energy.kinetic_dq)), energy.kinetic_dq.transpose(),
                       energy_slope.row(0), c));
  }
}

TEST(KinematicsDerivatives, OfARobotThatStandsStill) {
  const Robot robot = load("builtin:arm7");
  Derivatives derivatives(robot);
  Kinematics kinematics(robot);
  const FrameId frame = FrameId(7);
  const std::vector<double> q(7, 0.3), v(7, 0.5), zero(7);
  derivatives.twist(frame, Representation::body, q, v);  // leaves nothing behind
  const TwistDerivatives twist = derivatives.twist(frame, Representation::body, q, zero);
  EXPECT_EQ(largest(twist.dq), 0);
  kinematics.at(q);
  EXPECT_TRUE(within(1e-15, twist.dv, kinematics.jacobian_body(frame)));
  const DenseMatrix com = kinematics.com_jacobian();
  EXPECT_TRUE(within(1e-15, derivatives.com(q, zero, zero).position_dq, com));
  const Vector g = Dynamics(robot).gravity(q);
  EXPECT_TRUE(within(1e-12 * largest(g), derivatives.energy(q, zero).potential_dq, g));
}

/// A matrix or vector of the result each, and copies of those that are the same.
TEST(KinematicsDerivatives, AllocateTheirResultsAlone) {
  using enum Representation;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    DerivativeCase c(seed);
    Derivatives& d = c.derivatives;
    const auto allocations = [](auto call) {
      const long before = allocations_of_this_thread();
      call();
      return allocations_of_this_thread() - before;
    };
    const FrameId frame{};
    EXPECT_LE(allocations([&] { d.twist(frame, hybrid, c.q, c.v, c.ground); }), 2);
    EXPECT_LE(allocations([&] { d.spatial_acceleration(frame, space, c.q, c.v, c.a, c.ground); }),
              3);
    EXPECT_LE(allocations([&] { d.classical_acceleration(frame, body, c.q, c.v, c.a, c.ground); }),
              3);
    EXPECT_LE(allocations([&] { d.com(c.q, c.v, c.a, c.ground); }), 6 + 2);
    EXPECT_LE(allocations([&] { d.momentum(c.q, c.v, c.a, c.ground); }), 5 + 1);
    EXPECT_LE(allocations([&] { d.energy(c.q, c.v, c.ground); }), 3);
  }
}

TEST(KinematicsDerivatives, RefuseBadInput) {
  Derivatives derivatives(load("builtin:arm7"));
  const std::vector<double> q(7), six(6), bad = {0, 0, NAN, 0, 0, 0, 0};
  EXPECT_EQ(message([&] {
              derivatives.spatial_acceleration(FrameId(1), Representation::hybrid, q, q, q);
            }),
            "spatial_acceleration_derivatives: the representation must be body or space");
  EXPECT_EQ(message([&] {
              derivatives.classical_acceleration(FrameId(1), Representation::space, q, q, q);
            }),
            "classical_acceleration_derivatives: the representation must be body or hybrid");
  EXPECT_EQ(message([&] { derivatives.momentum(q, six, q); }),
            "momentum_derivatives: v has 6 elements, robot \"arm7\" needs 7");
  EXPECT_EQ(message([&] { derivatives.energy(bad, q); }), "energy_derivatives: q[2] is NaN");
  DerivativeCase empty(29);
  EXPECT_EQ(message([&] { empty.derivatives.com(empty.q, empty.v, empty.a); }),
            "com_derivatives: robot \"random_29\" has no moving mass");
}

}  // namespace
}  // namespace jounce::test
