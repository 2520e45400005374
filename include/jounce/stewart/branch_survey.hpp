// SPDX-License-Identifier: BSD-3-Clause
// The headline claim of [Xie] as an experiment: "the algorithm on SE(3) has few chances to be stuck
// in other branch solutions even though the initial guess value is near to the branch solution".
//
// A sample is a platform and a pose in its workspace. all_poses gives every other pose with the
// same lengths; all six methods start near the pose and near each of the others. Shares are taken
// within a sample first, so that samples are independent.
#pragma once

#include <array>
#include <cstdint>
#include <jounce/stewart/estimate.hpp>
#include <jounce/stewart/methods.hpp>

namespace jounce {

enum class BranchFamily : unsigned char { table_1, semi_regular, general };

/// Where the methods get their step factor and damping.
enum class BranchFactors : unsigned char {
  paper,  ///< drawn anew for every start from the paper's ranges; lengths in cm, as printed
  full    ///< alpha = 1, tau = 1e-6, angles scaled by the platform's size
};

struct BranchSurveyOptions {
  BranchFamily family = BranchFamily::table_1;
  BranchFactors factors = BranchFactors::paper;
  int samples = 100;
  int starts = 4;       ///< near the pose, and near each other pose
  double turn = 0.5;    ///< largest angle between a start and the pose it is near to, in rad
  double offset = 0.5;  ///< largest distance, in platform sizes
  std::uint64_t seed = 1;
};

/// Shares of the starts of one sample that end at the pose, at another one, and at none.
struct BranchShares {
  double right = 0, caught = 0, nowhere = 0;
};

/// Methods in the order of the paper's tables: R^6, quaternion, SE(3) by Gauss-Newton, then by
/// Levenberg-Marquardt.
struct BranchSurvey {
  BranchSurveyOptions options;
  std::array<std::vector<BranchShares>, 6> near_pose;    ///< sample by sample
  std::array<std::vector<BranchShares>, 6> near_branch;  ///< of samples that have other poses
  long branches = 0;                                     ///< other poses in all samples

  static const char* name(size_t method);
  Estimate right(size_t method, bool branch) const;
  Estimate caught(size_t method, bool branch) const;
  /// Share caught by a minus share caught by b, on the same starts.
  Estimate caught_more(size_t a, size_t b, bool branch) const;
  Estimate right_more(size_t a, size_t b, bool branch) const;
};

/// Throws InputError for fewer than 2 samples, no start, and distances that are not positive.
BranchSurvey survey_branches(const BranchSurveyOptions& options = {});

}  // namespace jounce
