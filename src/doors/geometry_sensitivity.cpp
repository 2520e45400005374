// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of the metric and its connection by parameters, from those of joint forces.
//
// Without gravity the forces of inverse dynamics are M a + Gamma(v, v): accelerations e_j give the
// columns of dM, and velocities e_i + e_j the symmetric part of dGamma, by polarisation. What is
// not symmetric is the bracket, (Gamma_ijk - Gamma_jik) = c_ij^m M_mk, whose c are constants.
#include <jounce/geometry_sensitivity.hpp>

#include "doors/geometry_impl.hpp"

namespace jounce {
namespace {

constexpr Surroundings alone{.passive = false, .gravity = false};

}  // namespace

GeometrySensitivity::GeometrySensitivity(Robot robot, std::vector<Parameter> parameters)
    : geometry_(robot), force_(std::move(robot), std::move(parameters)) {
  const Model<double>& m = this->robot().model();
  for (const Parameter& parameter : this->parameters())
    for (const JointInfo& joint : this->robot().joints()) {
      if (parameter.kind != ParameterKind::armature || parameter.name != joint.name) continue;
      const int first = m.part_at[joint.body], v = m.part[first].v + parameter.component;
      for (int r = first; r < m.part_at[joint.body + 1]; ++r) {
        const Part<double>& part = m.part[r];
        const bool inside = v >= part.v && v < part.v + elementary_nv(part.kind);
        if (inside && has_brackets(part))
          refuse_armature("GeometrySensitivity", joint.name, part.kind);
      }
    }
}

dense::Matrix GeometrySensitivity::mass(const VectorArg& q) {
  const int n = robot().nv(), count = int(parameters().size());
  dense::Matrix found(n * n, count);
  force_.mass(q, Into<double>(found.data(), n * n, count));
  return found;
}

dense::Matrix GeometrySensitivity::christoffel(const VectorArg& q) {
  robot().check_q("christoffel sensitivity", "q", q);
  const int n = robot().nv(), count = int(parameters().size());
  const dense::Matrix dM = mass(q);
  const std::vector<double> rest(static_cast<size_t>(n));
  const auto bias = [&](int i, int j) {  // of velocity e_i + e_j, or e_i where they are one
    std::vector<double> v = rest;
    v[size_t(i)] = v[size_t(j)] = 1;
    dense::Matrix column(n, count);
    force_.force(q, v, rest, alone, Into<double>(column.data(), n, count));
    return column;
  };
  std::vector<dense::Matrix> own;
  own.reserve(size_t(n));
  for (int i = 0; i < n; ++i) own.push_back(bias(i, i));
  dense::Matrix found(n * n * n, count);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const dense::Matrix both = bias(i, j);
      for (int p = 0; p < count; ++p) {
        if (parameters()[size_t(p)].kind == ParameterKind::wrench) continue;
        for (int k = 0; k < n; ++k) {
          double odd = 0;
          for (int m = 0; m < n; ++m)
            odd += geometry_.structure_constant(i, j, m) * dM(n * m + k, p) / 2;
          const double even =
              i == j ? both(k, p) : (both(k, p) - own[size_t(i)](k, p) - own[size_t(j)](k, p)) / 2;
          found((i * n + j) * n + k, p) = even + odd;
          found((j * n + i) * n + k, p) = even - odd;
        }
      }
    }
  return found;
}

}  // namespace jounce
