// SPDX-License-Identifier: BSD-3-Clause
// Simbody: gravity is among the forces that a call applies to the bodies.
#include <Simbody.h>

#include "benchmarks/bench.hpp"
#include "benchmarks/peers/peer.hpp"

namespace jounce::bench {
namespace {

using namespace SimTK;

Vec3 vector(const std::array<double, 3>& a) { return Vec3(a[0], a[1], a[2]); }
Transform transform(const PeerBody& body) {
  return Transform(Rotation(Mat33(body.placement.R.data()), true), vector(body.placement.p));
}
Body::Rigid rigid_body(const PeerBody& body) {
  const auto& I = body.I_com;
  const Inertia about_com(I[0], I[4], I[8], I[1], I[2], I[5]);
  const Vec3 com = vector(body.com);
  return Body::Rigid(MassProperties(body.mass, com, about_com.shiftFromMassCenter(com, body.mass)));
}

struct Work {
  explicit Work(const PeerTree& tree) : matter(system), gravity(vector(tree.gravity)) {
    std::vector<MobilizedBody> nodes{matter.Ground()};
    for (size_t i = 1; i < tree.bodies.size(); ++i) {
      const PeerBody& given = tree.bodies[i];
      MobilizedBody& parent = nodes[static_cast<size_t>(given.parent)];
      const Transform T = transform(given);
      const Body::Rigid body = rigid_body(given);
      if (given.joint == PeerJoint::free)
        nodes.push_back(MobilizedBody::Free(parent, T, body, Transform()));
      else if (given.joint == PeerJoint::prismatic)  // Simbody's slider moves along x
        nodes.push_back(MobilizedBody::Slider(parent, T * turn(), body, turn()));
      else nodes.push_back(MobilizedBody::Pin(parent, T, body, Transform()));
    }
    state = system.realizeTopology();
    system.realize(state, Stage::Position);
    matter.calcM(state, M);
    const int n = state.getNU();
    q = state.getQ();
    for (int k = 0; k < n; ++k) q[k] += 0.1;  // a quaternion's length does not matter to Simbody
    v = Vector(n, 0.1);
    none = Vector(n, 0.0);
    forces = Vector_<SpatialVec>(matter.getNumBodies(), SpatialVec(Vec3(0), Vec3(0)));
  }
  static Transform turn() { return Transform(Rotation(-Pi / 2, YAxis)); }
  void move(Stage stage) {
    state.updQ() = q;
    state.updU() = v;
    system.realize(state, stage);
    forces.setToZero();
    for (MobilizedBodyIndex i(1); i < matter.getNumBodies(); ++i) {
      const MobilizedBody& body = matter.getMobilizedBody(i);
      matter.addInStationForce(state, i, body.getBodyMassCenterStation(state),
                               gravity * body.getBodyMass(state), forces);
    }
  }

  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  Vec3 gravity;
  State state;
  Vector q, v, none, result;
  Vector_<SpatialVec> forces, accelerations;
  Matrix M;
};

}  // namespace

PeerCalls simbody_calls(const PeerTree& tree) {
  const auto w = std::make_shared<Work>(tree);
  PeerCalls calls;
  for (int k = 0; k < w->M.nrow(); ++k) calls.mass_trace += w->M(k, k);
  calls.add("inverse", [w] {
    w->move(Stage::Velocity);
    w->matter.calcResidualForceIgnoringConstraints(w->state, w->none, w->forces, w->v, w->result);
  });
  calls.add("forward", [w] {
    w->move(Stage::Dynamics);
    w->matter.calcAccelerationIgnoringConstraints(w->state, w->v, w->forces, w->result,
                                                  w->accelerations);
  });
  calls.add("mass", [w] {
    w->state.updQ() = w->q;
    w->system.realize(w->state, Stage::Position);
    w->matter.calcM(w->state, w->M);
  });
  calls.add("mass-inverse", [w] {
    w->state.updQ() = w->q;
    w->system.realize(w->state, Stage::Position);
    w->matter.calcMInv(w->state, w->M);
  });
  return calls;
}

}  // namespace jounce::bench
