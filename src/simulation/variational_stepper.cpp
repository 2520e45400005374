// SPDX-License-Identifier: BSD-3-Clause
// Discrete Lagrangian mechanics: keeps momenta, energy stays near where it was.
//
// Marsden, West, Discrete mechanics and variational integrators, Acta Numerica 2001, with the
// Lagrangian h L(q_m, u/h) of a step u whose middle is q_m, displacements and rotations apart
// (integrators/split_motions.hpp). Of p = dL/dv and g = dL/dq + forces there (discrete d'Alembert),
// and the momenta P_0, P_1 of its ends carried to its middle,
//   P_1 - P_0 = h g,   dexp_body(u/2)^T P_0 + dexp_space(u/2)^T P_1 = 2 p.
// The second, with the first put in, is solved for u: u += (h/2) M(q_m)^-1 residual, with one
// factorisation a step. Loops are closed by impulses at both ends (discrete_loops.hpp): those at
// the start close them at the end, those at the end make the velocity there suit them.
// That is a symmetric method of second order; five such steps, one of them backwards and all
// within the step that they make up, are one of fourth order that is symplectic, too.
#include <algorithm>
#include <cmath>
#include <jounce/integrators/manifold_steps.hpp>
#include <jounce/integrators/split_motions.hpp>

#include "io/number_text.hpp"
#include "simulation/discrete_loops.hpp"
#include "simulation/stepper.hpp"

namespace jounce {
namespace {

/// Suzuki (Phys. Lett. A 146, 1990): s = 1 / (4 - 4^(1/3)) four times, and back in between.
constexpr double ahead = 0.41449077179437573714;
constexpr double suzuki[] = {ahead, ahead, 1 - 4 * ahead, ahead, ahead}, whole_step[] = {1};

constexpr int most_iterations = 50;
constexpr double solved_to = 1e-14;      ///< rad or m, of the last correction
constexpr double settled_below = 1e-11;  ///< where corrections that stop shrinking are rounding

class VariationalStepper final : public Stepper {
 public:
  VariationalStepper(MotionEquations& f, std::span<const double> parts)
      : Stepper(f, 1),
        n_(f.nv()),
        parts_(parts),
        mass_(f.robot()),
        loops_(f.loop_dynamics()),
        q0_(size_t(f.nq())),
        q_middle_(q0_),
        q_trial_(q_middle_),
        u_(size_t(n_)),
        rate_(u_),
        moved_(u_),
        moved_before_(u_),
        p_start_(u_),
        node_(u_),
        P_(u_),
        p_(u_),
        g_(u_),
        du_(u_),
        whole_(u_) {
    fix_steps();
  }

  std::string why_not() const override { return f_.why_not_variational(); }
  bool closes_loops() const override { return true; }

  double attempt(const SimulationState& x, double h) override {
    start(x);
    double begun = 0, middle = 0, way = 0;  // of h: the last middle, and the way to it
    for (const double part : parts_) {
      const double next = begun + part / 2, ratio = way == 0 ? 1 : (next - middle) / way;
      for (size_t k = 0; k < u_.size(); ++k)  // as the last two middles say
        u_[k] = part * h * (moved_[k] + ratio * (moved_[k] - moved_before_[k]));
      discrete_step(x.t + begun * h, part * h);
      way = way == 0 ? part : next - middle;
      middle = next, begun += part;
      q0_ = q1_, p_start_ = node_;
    }
    return 0;
  }
  void accept(SimulationState& x, double h) override {
    Stepper::accept(x, h);
    x.moved_before.assign(moved_before_.begin(), moved_before_.end());
    x.moved.assign(moved_.begin(), moved_.end());
    x.momentum.assign(node_.begin(), node_.end());
    x.moves = std::min(x.moves + int(parts_.size()), 2);
  }

  /// Hermite's cubic along the tangent.
  void inside(const SimulationState& x, double h, double theta, double* q, double* v) override {
    f_.robot().difference(x.q, q1_, whole_);
    tangent_rate(f_.factors(), whole_.data(), v1_.data(), du_.data());
    const double s_0 = theta * (1 - theta) * (1 - theta), s_1 = theta * theta * (theta - 1);
    const double turn = theta * theta * (3 - 2 * theta), d_turn = 6 * theta * (1 - theta) / h;
    const double d_0 = (1 - theta) * (1 - 3 * theta), d_1 = theta * (3 * theta - 2);
    for (int k = 0; k < n_; ++k) {
      const auto j = size_t(k);
      rate_[j] = d_turn * whole_[j] + d_0 * x.v[j] + d_1 * du_[j];
      whole_[j] = turn * whole_[j] + h * (s_0 * x.v[j] + s_1 * du_[j]);
    }
    velocity_along(f_.factors(), whole_.data(), rate_.data(), v);
    move_along(f_.factors(), x.q.data(), whole_.data(), q);
  }
  double first_step(const SimulationState&) override { return 0; }
  double next_step(const SimulationState&, double h, double) const override { return h; }

 private:
  template <class F>
  void for_factors(F f) const {
    for (const Factor& one : f_.factors()) f(one);
  }

  /// From q0_ and p_start_ to q1_, v1_ and node_.
  void discrete_step(double t, double h) {
    solve(t, h);
    for_factors([&](const Factor& f) {  // with the u that moves q: momenta are kept to rounding
      move_split(f, q0_.data() + f.q, u_.data() + f.v, 1, q1_.data() + f.q);
      carry_to_middle(f, q0_.data() + f.q, u_.data() + f.v, node_.data() + f.v, P_.data() + f.v);
      for (int k = f.v; k < f.v + f.nv; ++k) P_[size_t(k)] += h * g_[size_t(k)];
      carry_to_end(f, q0_.data() + f.q, u_.data() + f.v, P_.data() + f.v, node_.data() + f.v);
      from_node(f, q1_.data() + f.q, node_.data() + f.v, P_.data() + f.v);
    });
    mass_.at(q1_).solve(P_, into(v1_));
    if (loops_) {
      loops_.end(t + h, q1_, v1_, P_.data());
      for_factors([&](const Factor& f) {
        to_node(f, q1_.data() + f.q, P_.data() + f.v, node_.data() + f.v);
      });
    }
    moved_before_ = moved_;
    for (size_t k = 0; k < u_.size(); ++k) moved_[k] = u_[k] / h;
  }

  /// Where the step begins, the momentum there, and how fast the last ones went.
  void start(const SimulationState& x) {
    q0_.assign(x.q.begin(), x.q.end());
    if (x.moves == 0) {
      f_.lagrangian(x.t, x.q.data(), x.v.data(), p_.data(), g_.data());
      for_factors([&](const Factor& f) {
        to_node(f, x.q.data() + f.q, p_.data() + f.v, p_start_.data() + f.v);
      });
    } else {
      p_start_.assign(x.momentum.begin(), x.momentum.end());
    }
    const std::vector<double>& last = x.moves == 0 ? x.v : x.moved;
    const std::vector<double>& before = x.moves < 2 ? last : x.moved_before;
    moved_.assign(last.begin(), last.end());
    moved_before_.assign(before.begin(), before.end());
  }

  void solve(double t, double h) {
    go_to_middle();
    mass_.at(q_middle_);
    if (loops_) {
      loops_.begin(t, q0_);
      loops_.factor(mass_);
    }
    double before = INFINITY;
    for (int i = 0; i < most_iterations; ++i) {
      if (i > 0) go_to_middle();
      write_residual(t, h);
      dense::scale(n_, h / 2, du_.data());
      mass_.solve(du_, into(du_));
      if (loops_) {
        for_factors([&](const Factor& f) {
          move_split(f, q0_.data() + f.q, u_.data() + f.v, 1, q_trial_.data() + f.q);
        });
        loops_.correct(t + h, h, q_trial_, du_.data());
      }
      double change = 0;
      for (size_t k = 0; k < u_.size(); ++k) {
        u_[k] += du_[k];
        change = std::max(change, std::abs(du_[k]));
      }
      if (change < solved_to || (change < settled_below && change > before / 2))
        return put_impulses();
      before = change;
    }
    throw ComputationError("variational: at t = " + io::number_text(t) + " a step of " +
                           io::number_text(h) + " s does not converge, needs a shorter one");
  }
  void go_to_middle() {
    for_factors([&](const Factor& f) {
      move_split(f, q0_.data() + f.q, u_.data() + f.v, 0.5, q_middle_.data() + f.q);
    });
  }
  /// The momentum of the start with what the loops add to it.
  void put_impulses() {
    if (!loops_) return void(std::copy(p_start_.begin(), p_start_.end(), node_.begin()));
    std::fill(P_.begin(), P_.end(), 0);
    loops_.add_impulses(P_.data());
    for_factors([&](const Factor& f) {
      to_node(f, q0_.data() + f.q, P_.data() + f.v, node_.data() + f.v);
    });
    dense::add_multiple(n_, 1, p_start_.data(), node_.data());
  }
  /// dexp_body(u/2)^T P_0 + dexp_space(u/2)^T P_1 - 2 p, in du_.
  void write_residual(double t, double h) {
    put_impulses();
    for (size_t k = 0; k < u_.size(); ++k) rate_[k] = u_[k] / h;
    f_.lagrangian(t + h / 2, q_middle_.data(), rate_.data(), p_.data(), g_.data());
    for_factors([&](const Factor& f) {
      const int v = f.v;
      double P_1[6];
      hold_origin_velocity(f, rate_.data() + v, p_.data() + v, g_.data() + v);
      carry_to_middle(f, q0_.data() + f.q, u_.data() + v, node_.data() + v, P_.data() + v);
      for (int k = 0; k < f.nv; ++k) P_1[k] = P_[size_t(v + k)] + h * g_[size_t(v + k)];
      sum_of_ends(f, u_.data() + v, P_.data() + v, P_1, du_.data() + v);
    });
    dense::add_multiple(n_, -2, p_.data(), du_.data());
  }

  int n_;
  std::span<const double> parts_;  ///< of a step
  MassFactors mass_;
  DiscreteLoops loops_;
  std::vector<double> q0_, q_middle_, q_trial_;
  std::vector<double> u_, rate_;              ///< the step, and over its time
  std::vector<double> moved_, moved_before_;  ///< rates of the last two
  std::vector<double> p_start_, node_;  ///< momenta of nodes: start, and with impulses, then end
  std::vector<double> P_, p_, g_, du_, whole_;
};

}  // namespace

std::unique_ptr<Stepper> make_variational(MotionEquations& f, int order) {
  const std::span<const double> parts = order == 4 ? std::span<const double>(suzuki) : whole_step;
  return std::make_unique<VariationalStepper>(f, parts);
}

}  // namespace jounce
