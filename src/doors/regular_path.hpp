// SPDX-License-Identifier: BSD-3-Clause
// Whether the mass matrix is regular everywhere on a path, between samples too.
//
// Pivots d_k of the mass matrix are never negative, so that one which vanishes at a time between
// two samples touches zero there, and its root has a corner: it falls from a sample to the next by
// more than what is left. Where it does, the minimum is looked for.
#pragma once

#include <functional>
#include <jounce/dynamics.hpp>
#include <jounce/model/singular_mass.hpp>

namespace jounce {

class RegularPath {
 public:
  /// Writes the configuration at a time.
  using Path = std::function<void(double t, std::span<double> q)>;

  explicit RegularPath(const Robot& robot);

  /// ComputationError with the time and the joints that move no mass then. At `from` the text is
  /// that of a configuration by itself.
  void require(const char* caller, double from, double to, int samples, const Path& path);

 private:
  /// Roots of the pivots, last coordinate first, [nv]; refused where the rule of singular_mass.hpp
  /// says so.
  std::vector<double> roots(const std::string& caller, double t, const Path& path);
  std::string at_time(double t) const;
  /// The smallest root of coordinate k between two times, and when it is.
  double least_root(size_t k, double a, double b, const Path& path, double& t);

  const Robot& robot_;
  const char* caller_ = "";
  Dynamics dynamics_;
  MassBounds bounds_;
  MassMatrix M_;
  std::vector<double> q_;
};

}  // namespace jounce
