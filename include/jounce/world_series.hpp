// SPDX-License-Identifier: BSD-3-Clause
// Dynamics of any order in the ground's axes: the spatial form of [Ali], and hybrid frames.
//
//   jounce::WorldSeries space(robot, 3, jounce::WorldFrames::spatial, jounce::BaseFrame::own);
//   Eigen::MatrixXd taus = space.inverse(q, motion);   // V_1, V_1', ... in, the spatial wrench out
// The same words and, but for rounding, the same numbers as Series, in body frames. Series is the
// one to use; `jounce orders frames` compares all three.
#pragma once

#include <jounce/door/clone.hpp>
#include <jounce/series.hpp>

namespace jounce {

/// Where components are taken: at the ground's origin, or at every body's own.
enum class WorldFrames : unsigned char { spatial, hybrid };
/// Frame of the velocity and of the force of a free base on the ground: its own, as everywhere in
/// the library, or that of the form: right-invariant twists and spatial wrenches of the spatial
/// one.
enum class BaseFrame : unsigned char { body, own };

class WorldSeries {
 public:
  /// Any order. InputError for robots with custom or mimic joints or bushings.
  WorldSeries(Robot robot, int order, WorldFrames frames = WorldFrames::spatial,
              BaseFrame base = BaseFrame::body);
  WorldSeries(WorldSeries&&) noexcept;
  WorldSeries& operator=(WorldSeries&&) noexcept;
  ~WorldSeries();

  const Robot& robot() const;
  int order() const;
  /// Another one in the same frames: what clone(door) gives.
  WorldSeries another() const;

  /// As Series::inverse, forward and hybrid. InputError for a ground that moves.
  OwnedMatrix inverse(const VectorArg& q, const MatrixArg& motion,
                      const SeriesSurroundings& around = {}) {
    OwnedMatrix taus = columns(motion.columns() - 1);
    inverse(q, motion, around, to(taus));
    return taus;
  }
  void inverse(const VectorArg& q, const MatrixArg& motion, const SeriesSurroundings& around,
               const Into<double>& taus);
  OwnedMatrix forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
                      const SeriesSurroundings& around = {}) {
    OwnedMatrix motion = columns(taus.columns() + 1);
    forward(q, v, taus, around, to(motion));
    return motion;
  }
  void forward(const VectorArg& q, const VectorArg& v, const MatrixArg& taus,
               const SeriesSurroundings& around, const Into<double>& motion);
  HybridSeriesResult hybrid(std::span<const bool> prescribed, const VectorArg& q,
                            const MatrixArg& motion, const MatrixArg& taus,
                            const SeriesSurroundings& around = {}) {
    HybridSeriesResult found{columns(motion.columns()), columns(motion.columns() - 1)};
    hybrid(prescribed, q, motion, taus, around, to(found.motion), to(found.taus));
    return found;
  }
  void hybrid(std::span<const bool> prescribed, const VectorArg& q, const MatrixArg& motion,
              const MatrixArg& taus, const SeriesSurroundings& around,
              const Into<double>& motion_found, const Into<double>& taus_found);

 private:
  OwnedMatrix columns(int count) const { return {robot().nv(), count > 0 ? count : 0}; }
  static Into<double> to(OwnedMatrix& x) {
    return {detail::OwnedAccess::numbers(x), long(x.rows()), long(x.cols())};
  }

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

template <>
inline constexpr bool is_clonable<WorldSeries> = true;

}  // namespace jounce
