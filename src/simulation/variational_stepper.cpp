// SPDX-License-Identifier: BSD-3-Clause
// Discrete Lagrangian mechanics: second order, keeps momenta, energy stays near where it was.
//
// Marsden, West, Discrete mechanics and variational integrators, Acta Numerica 2001, with the
// Lagrangian h L(q_m, u/h) of a step u whose middle is q_m, displacements and rotations apart
// (integrators/split_motions.hpp). Of p = dL/dv and g = dL/dq + forces there (discrete d'Alembert),
// and the momenta P_0, P_1 of its ends carried to its middle,
//   P_1 - P_0 = h g,   dexp_body(u/2)^T P_0 + dexp_space(u/2)^T P_1 = 2 p.
// The second, with the first put in, is solved for u: u += (h/2) M(q_m)^-1 residual, with one
// factorisation a step. Loops are closed by impulses at both ends (discrete_loops.hpp): those at
// the start close them at the end, those at the end make the velocity there suit them.
#include <algorithm>
#include <cmath>
#include <jounce/integrators/manifold_steps.hpp>
#include <jounce/integrators/split_motions.hpp>

#include "io/number_text.hpp"
#include "simulation/discrete_loops.hpp"
#include "simulation/stepper.hpp"

namespace jounce {
namespace {

constexpr int most_iterations = 50;
constexpr double solved_to = 1e-14;      ///< rad or m, of the last correction
constexpr double settled_below = 1e-11;  ///< where corrections that stop shrinking are rounding

class VariationalStepper final : public Stepper {
 public:
  explicit VariationalStepper(MotionEquations& f)
      : Stepper(f, 1),
        n_(f.nv()),
        mass_(f.robot()),
        loops_(f.loop_dynamics()),
        q_middle_(size_t(f.nq())),
        q_trial_(q_middle_),
        u_(size_t(n_)),
        rate_(u_),
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
    const double t_middle = x.t + h / 2;
    start(x);
    for (size_t k = 0; k < u_.size(); ++k) u_[k] = h * rate_[k];
    solve(x, h, t_middle);
    for_factors([&](const Factor& f) {  // with the u that moves q: momenta are kept to rounding
      move_split(f, x.q.data() + f.q, u_.data() + f.v, 1, q1_.data() + f.q);
      carry_to_middle(f, x.q.data() + f.q, u_.data() + f.v, node_.data() + f.v, P_.data() + f.v);
      for (int k = f.v; k < f.v + f.nv; ++k) P_[size_t(k)] += h * g_[size_t(k)];
      carry_to_end(f, x.q.data() + f.q, u_.data() + f.v, P_.data() + f.v, node_.data() + f.v);
      from_node(f, q1_.data() + f.q, node_.data() + f.v, P_.data() + f.v);
    });
    mass_.at(q1_).solve(P_, into(v1_));
    if (loops_) {
      loops_.end(x.t + h, q1_, v1_, P_.data());
      for_factors([&](const Factor& f) {
        to_node(f, q1_.data() + f.q, P_.data() + f.v, node_.data() + f.v);
      });
    }
    return 0;
  }
  void accept(SimulationState& x, double h) override {
    Stepper::accept(x, h);
    x.moved_before = x.moved;
    x.moved.assign(u_.begin(), u_.end());
    for (double& one : x.moved) one /= h;
    x.momentum.assign(node_.begin(), node_.end());
    x.moves = std::min(x.moves + 1, 2);
  }

  /// Hermite's cubic along the tangent; velocities change in proportion.
  void inside(const SimulationState& x, double h, double theta, double* q, double* v) override {
    f_.robot().difference(x.q, q1_, whole_);
    tangent_rate(f_.factors(), whole_.data(), v1_.data(), du_.data());
    const double s = theta * theta * (3 - 2 * theta), first = theta * (1 - theta) * (1 - theta),
                 last = theta * theta * (theta - 1);
    for (int k = 0; k < n_; ++k) {
      const auto j = size_t(k);
      whole_[j] = s * whole_[j] + h * (first * x.v[j] + last * du_[j]);
      v[k] = x.v[j] + theta * (v1_[j] - x.v[j]);
    }
    move_along(f_.factors(), x.q.data(), whole_.data(), q);
  }
  double first_step(const SimulationState&) override { return 0; }
  double next_step(const SimulationState&, double h, double) const override { return h; }

 private:
  template <class F>
  void for_factors(F f) const {
    for (const Factor& one : f_.factors()) f(one);
  }

  /// The momentum at the start, and how fast the step is likely to go.
  void start(const SimulationState& x) {
    if (x.moves == 0) {
      f_.lagrangian(x.t, x.q.data(), x.v.data(), p_.data(), g_.data());
      for_factors([&](const Factor& f) {
        to_node(f, x.q.data() + f.q, p_.data() + f.v, p_start_.data() + f.v);
      });
      std::copy(x.v.begin(), x.v.end(), rate_.begin());
    } else {
      std::copy(x.momentum.begin(), x.momentum.end(), p_start_.begin());
      for (size_t k = 0; k < rate_.size(); ++k)
        rate_[k] = x.moves == 1 ? x.moved[k] : 2 * x.moved[k] - x.moved_before[k];
    }
  }

  void solve(const SimulationState& x, double h, double t_middle) {
    go_to_middle(x);
    mass_.at(q_middle_);
    if (loops_) {
      loops_.begin(x.t, x.q);
      loops_.factor(mass_);
    }
    double before = INFINITY;
    for (int i = 0; i < most_iterations; ++i) {
      if (i > 0) go_to_middle(x);
      write_residual(x, h, t_middle);
      dense::scale(n_, h / 2, du_.data());
      mass_.solve(du_, into(du_));
      if (loops_) {
        for_factors([&](const Factor& f) {
          move_split(f, x.q.data() + f.q, u_.data() + f.v, 1, q_trial_.data() + f.q);
        });
        loops_.correct(x.t + h, h, q_trial_, du_.data());
      }
      double change = 0;
      for (size_t k = 0; k < u_.size(); ++k) {
        u_[k] += du_[k];
        change = std::max(change, std::abs(du_[k]));
      }
      if (change < solved_to || (change < settled_below && change > before / 2))
        return put_impulses(x);
      before = change;
    }
    throw ComputationError("variational: at t = " + io::number_text(x.t) + " a step of " +
                           io::number_text(h) + " s does not converge, needs a shorter one");
  }
  void go_to_middle(const SimulationState& x) {
    for_factors([&](const Factor& f) {
      move_split(f, x.q.data() + f.q, u_.data() + f.v, 0.5, q_middle_.data() + f.q);
    });
  }
  /// The momentum of the start with what the loops add to it.
  void put_impulses(const SimulationState& x) {
    if (!loops_) return void(std::copy(p_start_.begin(), p_start_.end(), node_.begin()));
    std::fill(P_.begin(), P_.end(), 0);
    loops_.add_impulses(P_.data());
    for_factors([&](const Factor& f) {
      to_node(f, x.q.data() + f.q, P_.data() + f.v, node_.data() + f.v);
    });
    dense::add_multiple(n_, 1, p_start_.data(), node_.data());
  }
  /// dexp_body(u/2)^T P_0 + dexp_space(u/2)^T P_1 - 2 p, in du_.
  void write_residual(const SimulationState& x, double h, double t_middle) {
    put_impulses(x);
    for (size_t k = 0; k < u_.size(); ++k) rate_[k] = u_[k] / h;
    f_.lagrangian(t_middle, q_middle_.data(), rate_.data(), p_.data(), g_.data());
    for_factors([&](const Factor& f) {
      const int v = f.v;
      double P_1[6];
      hold_origin_velocity(f, rate_.data() + v, p_.data() + v, g_.data() + v);
      carry_to_middle(f, x.q.data() + f.q, u_.data() + v, node_.data() + v, P_.data() + v);
      for (int k = 0; k < f.nv; ++k) P_1[k] = P_[size_t(v + k)] + h * g_[size_t(v + k)];
      sum_of_ends(f, u_.data() + v, P_.data() + v, P_1, du_.data() + v);
    });
    dense::add_multiple(n_, -2, p_.data(), du_.data());
  }

  int n_;
  MassFactors mass_;
  DiscreteLoops loops_;
  std::vector<double> q_middle_, q_trial_;
  std::vector<double> u_, rate_;        ///< the step, and over its time
  std::vector<double> p_start_, node_;  ///< momenta of nodes: start, and with impulses, then end
  std::vector<double> P_, p_, g_, du_, whole_;
};

}  // namespace

std::unique_ptr<Stepper> make_variational(MotionEquations& f) {
  return std::make_unique<VariationalStepper>(f);
}

}  // namespace jounce
