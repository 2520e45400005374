// SPDX-License-Identifier: BSD-3-Clause
// Inverse dynamics and matrices by Pinocchio. Its mass matrix and the inverse are upper triangles.
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include "benchmarks/peers/pinocchio.hpp"

namespace jounce::bench::JOUNCE_PINOCCHIO {
namespace {

constexpr pin::Convention conventions[] = {pin::Convention::LOCAL, pin::Convention::WORLD};

Matrix full(const Matrix& upper) { return upper.selfadjointView<Eigen::Upper>(); }

void add_factors(const SharedWork& w, pin::Convention convention, std::vector<PeerCall>& calls) {
  calls.push_back(call(
      w, "mass-factors",
      [=](auto& m, auto& d, auto& s) {
        pin::crba(m, d, s.q, convention);
        pin::cholesky::decompose(m, d);
      },
      [](const Work& x) {
        const Matrix U = x.data.U.triangularView<Eigen::UnitUpper>();
        return list(x.ours_square(U * x.data.D.asDiagonal() * U.transpose()));
      }));
  const auto found = std::make_shared<Vector>(w->model.nv);
  calls.push_back(call(
      w, "factor-and-solve",
      [=](auto& m, auto& d, auto& s) {
        pin::crba(m, d, s.q, convention);
        pin::cholesky::decompose(m, d);
        *found = s.tau;
        pin::cholesky::solve(m, d, *found);
      },
      [=](const Work& x) { return x.ours(*found); }));
}

/// (J M^-1 J^T)^-1 by half solves.
void add_operational(const SharedWork& w, pin::Convention convention,
                     std::vector<PeerCall>& calls) {
  struct Room {
    explicit Room(int n) : J(Matrix6x::Zero(6, n)), X(n, 6), scaled(n, 6) {}
    Matrix6x J;
    Eigen::Matrix<double, Eigen::Dynamic, 6> X, scaled;
    Eigen::Matrix<double, 6, 6> A, found;
  };
  const auto room = std::make_shared<Room>(w->model.nv);
  const pin::FrameIndex tip = w->tip_frame;
  calls.push_back(call(
      w, "operational-inertia",
      [=](auto& m, auto& d, auto& s) {
        Room& r = *room;
        pin::crba(m, d, s.q, convention);
        pin::cholesky::decompose(m, d);
        pin::computeFrameJacobian(m, d, s.q, tip, pin::LOCAL, r.J);
        r.X = r.J.transpose();
        for (int k = 0; k < 6; ++k) {
          auto column = r.X.col(k);
          pin::cholesky::Uiv(m, d, column);
        }
        r.scaled.noalias() = d.Dinv.asDiagonal() * r.X;
        r.A.noalias() = r.X.transpose() * r.scaled;
        r.found.setIdentity();
        r.A.llt().solveInPlace(r.found);
      },
      [=](const Work& x) {
        const Matrix rows = x.ours_twist(room->found);
        return list(x.ours_twist(rows.transpose()));
      }));
}

}  // namespace

double mass_trace(Work& w, const Vector& q) {
  pin::crba(w.model, w.data, q);
  return w.data.M.trace();
}

void add_dynamics(const SharedWork& w, std::vector<PeerCall>& calls) {
  const auto forces = [](const Work& x) { return x.ours(x.data.tau); };
  calls.push_back(call(
      w, "inverse", [](auto& m, auto& d, auto& s) { pin::rnea(m, d, s.q, s.v, s.a); }, forces));
  calls.push_back(call(
      w, "bias", [](auto& m, auto& d, auto& s) { pin::nonLinearEffects(m, d, s.q, s.v); },
      [](const Work& x) { return x.ours(x.data.nle); }));
  calls.push_back(call(
      w, "gravity", [](auto& m, auto& d, auto& s) { pin::computeGeneralizedGravity(m, d, s.q); },
      [](const Work& x) { return x.ours(x.data.g); }));
  for (const pin::Convention convention : conventions) {
    calls.push_back(call(
        w, "mass", [=](auto& m, auto& d, auto& s) { pin::crba(m, d, s.q, convention); },
        [](const Work& x) { return list(x.ours_square(full(x.data.M))); }));
    add_factors(w, convention, calls);
    add_operational(w, convention, calls);
  }
  calls.push_back(call(
      w, "coriolis", [](auto& m, auto& d, auto& s) { pin::computeCoriolisMatrix(m, d, s.q, s.v); },
      [](const Work& x) { return x.ours(x.data.C * x.states[x.now].v); }));
}

}  // namespace jounce::bench::JOUNCE_PINOCCHIO
