// SPDX-License-Identifier: BSD-3-Clause
// A curve of states that keep the loops closed, for differences along it.
#pragma once

#include <jounce/constrained_dynamics.hpp>

namespace jounce::test {

/// q and v, `t` along the motion of a state and on the loops again; the tangent in dq and dv. What
/// touches the ground is held by it wherever it is.
class ClosedCurve {
 public:
  using Vector = Eigen::VectorXd;

  ClosedCurve(ConstrainedDynamics& dyn, Vector q, Vector v, std::span<const Contact> contacts = {})
      : dyn_(dyn),
        q_(std::move(q)),
        v_(std::move(v)),
        contacts_(contacts.begin(), contacts.end()) {}

  /// d/dt at 0 of a vector along the curve, to the fourth order in the step.
  template <class F>
  static Vector rate(F f) {
    constexpr double h = 1e-4;
    const Vector near = f(h) - f(-h), far = f(2 * h) - f(-2 * h);
    return (8 * near - far) / (12 * h);
  }
  Vector q(double t) const {
    Vector to(q_.size());
    const Vector dv = t * v_;
    dyn_.robot().integrate(span(q_), span(dv), {to.data(), size_t(to.size())});
    return dyn_.assemble(to).q;
  }
  Vector v(double t) const { return dyn_.project(q(t), v_, contacts_); }
  Vector dq() const {
    const Vector start = q(0);
    return rate([&](double t) -> Vector {
      Vector between(v_.size());
      const Vector end = q(t);
      dyn_.robot().difference(span(start), span(end), {between.data(), size_t(between.size())});
      return between;
    });
  }
  Vector dv() const {
    return rate([&](double t) { return v(t); });
  }

 private:
  static std::span<const double> span(const Vector& x) { return {x.data(), size_t(x.size())}; }

  ConstrainedDynamics& dyn_;
  Vector q_, v_;
  std::vector<Contact> contacts_;
};

}  // namespace jounce::test
