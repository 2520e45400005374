// SPDX-License-Identifier: BSD-3-Clause
// How geometry influences the choice of a method: the question that [Xie] section 6 leaves open.
//
// A sample is a geometry, a pose and a start far from it, all drawn anew, so that samples are
// independent and intervals mean what they say. Every variant of every method runs on every sample.
#pragma once

#include <cstdint>
#include <functional>
#include <jounce/stewart/estimate.hpp>
#include <jounce/stewart/methods.hpp>
#include <string>

namespace jounce {

enum class SurveyFamily : unsigned char {
  semi_regular,  ///< as Table 1: radii, spreads of both pairs and the height each drawn by itself
  general        ///< six points in a box each: radii, thickness and height drawn by themselves
};

struct MethodVariant {
  std::string name;  ///< GN-SE(3) alpha 1, LM-Quat size tau 1e-3, ...
  StewartMethodOptions options;
};

/// Gauss-Newton: three charts by alpha_0 = 1, 0.9, and 0.9 with the line search as printed.
/// Levenberg-Marquardt: three charts, and SE(3) with the body's increment, by three scalings and
/// tau = 1e-9, 1e-6, 1e-3, 1.
std::vector<MethodVariant> survey_variants();

struct MethodSurvey {
  SurveyFamily family{};
  std::vector<MethodVariant> variants;
  std::vector<std::string> parameters;       ///< names of the columns
  std::vector<std::vector<double>> columns;  ///< parameter by parameter, sample by sample
  std::vector<std::vector<int>> iterations;  ///< variant by variant: of the runs that came back to
                                             ///< their pose, 0 of those that did not
  double turn = 0, offset = 0;  ///< largest angle and distance between a pose and its start
  int endless = 0;              ///< runs of Algorithm A1 as printed that would not end

  int samples() const { return columns.empty() ? 0 : static_cast<int>(columns[0].size()); }
  /// The place of a variant. Throws InputError for a name that is none.
  size_t variant(const std::string& name) const;
  /// Share of samples that come back to their pose, and iterations of those.
  Estimate success(size_t variant) const;
  Estimate mean_iterations(size_t variant) const;
  /// Success of a minus that of b on the same samples.
  Estimate advantage(size_t a, size_t b) const;
  /// Of the samples on which both succeed, the share on which a needs fewer iterations.
  Estimate fewer_iterations(size_t a, size_t b) const;
  /// Change of the success per standard deviation of each parameter, the others held.
  std::vector<Estimate> slopes(size_t variant) const;
};

/// Throws InputError for fewer than 2 samples. Calls after_each, where one is given, behind every
/// sample.
MethodSurvey survey_methods(SurveyFamily family, int samples, std::uint64_t seed = 1,
                            const std::function<void()>& after_each = {});

}  // namespace jounce
