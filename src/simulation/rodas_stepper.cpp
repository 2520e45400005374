// SPDX-License-Identifier: BSD-3-Clause
// Rosenbrock's method RODAS of order 4, for stiff motion, on the configuration manifold.
//
// Hairer, Wanner, Solving Ordinary Differential Equations II, section IV.7 and their program RODAS:
// six stages, L-stable and stiffly accurate. On (u, v) with rates (dexp^-1(u) v, a) the Jacobian at
// the start is [-ad_v/2 1; a_q a_v] (the first block is the derivative of dexp^-1(u) v at u = 0;
// without it the order on free joints is 2). With x = 1/(gamma h) and B = (x + ad_v/2)^-1, stage
//   (x + ad_v/2) K_u - K_v = r_u,   x K_v - a_q K_u - a_v K_v = r_v
// is (x - a_v - a_q B) K_v = r_v + a_q B r_u, K_u = B (r_u + K_v): nv equations, not 2 nv.
#include <algorithm>
#include <cmath>
#include <jounce/integrators/manifold_steps.hpp>

#include "linear_algebra/elimination.hpp"
#include "linear_algebra/lu.hpp"
#include "linear_algebra/vectors.hpp"
#include "simulation/stepper.hpp"

namespace jounce {
namespace {

constexpr int stages = 6;
constexpr double gamma = 0.25;
constexpr double stage_time[stages] = {0, 0.386, 0.21, 0.63, 1, 1};
constexpr double by_time[stages] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0};
constexpr double at_stage[stages][stages] = {
    {},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}};
constexpr double of_slopes[stages][stages] = {
    {},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054}};
/// Dense output of order 3: theta (D + (1 - theta) (d_0 + theta d_1)).
constexpr double dense_rows[2][stages - 1] = {
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
     1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
     -6.594389125716872}};

class RodasStepper final : public Stepper {
 public:
  RodasStepper(MotionEquations& f, double tol)
      : Stepper(f, tol),
        n_(f_.nv()),
        q_(size_t(f_.nq())),
        u_(size_t(n_)),
        v_(u_),
        a_(u_),
        a_t_(u_),
        u1_(u_),
        ru_(u_),
        a_q_(n_, n_),
        a_v_(n_, n_),
        B_(u_.size() * 6),
        K_u_(u_.size() * stages),
        K_v_(K_u_),
        q_start_(q_),
        v_start_(u_) {
    lu_.resize(n_);
  }

  double attempt(const SimulationState& x, double h) override {
    linearise(x);
    if (!factor(h)) return INFINITY;
    for (int i = 0; i < stages; ++i) {
      evaluate(i, h, x);
      solve_stage(i, h);
    }
    combine(at_stage[5], 5, x);  // the solution is the last stage's state plus its K
    for (int k = 0; k < n_; ++k) {
      u1_[size_t(k)] = u_[size_t(k)] + ku(5)[k];
      v1_[size_t(k)] = v_[size_t(k)] + kv(5)[k];
    }
    move_along(f_.factors(), x.q.data(), u1_.data(), q1_.data());
    return in_tolerances(ku(5), kv(5), x.v.data());
  }

  void inside(const SimulationState& x, double, double theta, double* q, double* v) override {
    const auto at = [&](double change, const std::vector<double>& K, int k) {
      double d[2] = {};
      for (int row = 0; row < 2; ++row)
        for (int i = 0; i < stages - 1; ++i) d[row] += dense_rows[row][i] * K[size_t(n_ * i + k)];
      return theta * (change + (1 - theta) * (d[0] + theta * d[1]));
    };
    for (int k = 0; k < n_; ++k) {
      const auto j = size_t(k);
      u_[j] = at(u1_[j], K_u_, k);
      v[k] = x.v[j] + at(v1_[j] - x.v[j], K_v_, k);
    }
    move_along(f_.factors(), x.q.data(), u_.data(), q);
  }

  void forget() override { t_start_ = NAN; }

  double first_step(const SimulationState&) override { return 1e-2 * std::pow(tol_, 0.25); }
  double next_step(const SimulationState&, double h, double ratio) const override {
    if (!std::isfinite(ratio)) return 0.1 * h;
    return h * std::clamp(0.9 * std::pow(std::max(ratio, 1e-6), -0.25), 0.2, 5.0);
  }
  /// Below 1 where an explicit method could take steps as long.
  double stiffness(const SimulationState&, double h) override {
    double by_v = 0, by_q = 0;
    for (int k = 0; k < n_; ++k) {
      double row_v = 0, row_q = 0;
      for (int j = 0; j < n_; ++j) row_v += std::abs(a_v_(k, j)), row_q += std::abs(a_q_(k, j));
      by_v = std::max(by_v, row_v), by_q = std::max(by_q, row_q);
    }
    return h * (by_v + std::sqrt(by_q)) / 3;
  }

 private:
  double* ku(int i) { return K_u_.data() + n_ * i; }
  double* kv(int i) { return K_v_.data() + n_ * i; }

  /// Accelerations and their derivatives at the start; known where a step from there was rejected.
  void linearise(const SimulationState& x) {
    if (x.t == t_start_ && x.q == q_start_ && x.v == v_start_) return;
    t_start_ = x.t, q_start_ = x.q, v_start_ = x.v;
    require_start(x, a_.data());
    f_.derivatives(x.t, x.q.data(), x.v.data(), a_q_.data(), a_v_.data());
    has_rate_ = f_.time_rate(x.t, x.q.data(), x.v.data(), a_.data(), a_t_.data());
  }
  bool factor(double h) {
    const double diagonal = 1 / (gamma * h);
    dense::Matrix& L = lu_.matrix();
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i) L(i, j) = (i == j ? diagonal : 0) - a_v_(i, j);
    for (const Factor& part : f_.factors()) {
      invert_block(part, diagonal);
      for (int j = 0; j < part.nv; ++j)
        for (int k = 0; k < part.nv; ++k)
          dense::add_multiple(n_, -block(part, k, j), a_q_.column(part.v + k),
                              L.column(part.v + j));
    }
    return lu_.factor();
  }
  /// B of one factor, column by column.
  double& block(const Factor& part, int i, int j) { return B_[size_t(6 * (part.v + j) + i)]; }
  void invert_block(const Factor& part, double diagonal) {
    if (motions_add(part)) {
      for (int j = 0; j < part.nv; ++j)
        for (int i = 0; i < part.nv; ++i) block(part, i, j) = i == j ? 1 / diagonal : 0;
      return;
    }
    double turned[6][6] = {};  // columns of ad_v
    for_each_unit<double>(part, [&](int j, const double* unit) {
      group_ad(part, v_start_.data() + part.v, unit, turned[j]);
    });
    const dense::Elimination<6> factors([&](int i, int j) {  // what the factor has not is diagonal
      return (i == j ? diagonal : 0) + (i < part.nv ? 0.5 * turned[j][i] : 0);
    });
    double inverse[36];
    factors.inverse(inverse);
    for (int j = 0; j < part.nv; ++j) std::copy_n(inverse + 6 * j, part.nv, &block(part, 0, j));
  }

  /// u = sum w_j K_u, v = v_0 + sum w_j K_v.
  void combine(const double* weights, int count, const SimulationState& x) {
    std::fill(u_.begin(), u_.end(), 0);
    std::copy(x.v.begin(), x.v.end(), v_.begin());
    for (int j = 0; j < count; ++j) {
      dense::add_multiple(n_, weights[j], ku(j), u_.data());
      dense::add_multiple(n_, weights[j], kv(j), v_.data());
    }
  }
  /// The rates at stage i: of u in ru_, of v where its K will be.
  void evaluate(int i, double h, const SimulationState& x) {
    if (i == 0) {
      std::copy(x.v.begin(), x.v.end(), ru_.begin());
      std::copy(a_.begin(), a_.end(), kv(0));
      return;
    }
    combine(at_stage[i], i, x);
    move_along(f_.factors(), x.q.data(), u_.data(), q_.data());
    f_.acceleration(x.t + stage_time[i] * h, q_.data(), v_.data(), kv(i));
    tangent_rate(f_.factors(), u_.data(), v_.data(), ru_.data());
  }
  void solve_stage(int i, double h) {
    double* right = kv(i);
    for (int j = 0; j < i; ++j) {
      dense::add_multiple(n_, of_slopes[i][j] / h, ku(j), ru_.data());
      dense::add_multiple(n_, of_slopes[i][j] / h, kv(j), right);
    }
    if (has_rate_) dense::add_multiple(n_, h * by_time[i], a_t_.data(), right);
    times_blocks(ru_.data(), ku(i));
    for (int k = 0; k < n_; ++k) dense::add_multiple(n_, ku(i)[k], a_q_.column(k), right);
    lu_.solve(right);
    dense::add_multiple(n_, 1, right, ru_.data());
    times_blocks(ru_.data(), ku(i));
  }
  /// y = B x.
  void times_blocks(const double* x, double* y) {
    for (const Factor& part : f_.factors())
      for (int i = 0; i < part.nv; ++i) {
        double sum = 0;
        for (int j = 0; j < part.nv; ++j) sum += block(part, i, j) * x[part.v + j];
        y[part.v + i] = sum;
      }
  }

  int n_;
  std::vector<double> q_, u_, v_, a_, a_t_, u1_, ru_;
  dense::Matrix a_q_, a_v_;
  std::vector<double> B_;          ///< [nv][6] columns of the blocks
  std::vector<double> K_u_, K_v_;  ///< [stages][nv]
  dense::LuFactors lu_;
  double t_start_ = NAN;
  std::vector<double> q_start_, v_start_;
  bool has_rate_ = false;
};

}  // namespace

std::unique_ptr<Stepper> make_rodas(MotionEquations& f, double tol) {
  return std::make_unique<RodasStepper>(f, tol);
}

}  // namespace jounce
