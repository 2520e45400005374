// SPDX-License-Identifier: BSD-3-Clause
// Sensors beside the six lengths that pick the pose among all that have them: one more length
// (Innocenti 1998), or an angle (Parenti-Castelli, Di Gregorio 2000; Chiu, Perng 2001).
#pragma once

#include <cstdint>
#include <jounce/stewart/all_poses.hpp>
#include <jounce/stewart/estimate.hpp>
#include <string>

namespace jounce {

/// What a sensor measures in a pose.
class PoseSensor {
 public:
  /// The distance between a point of the base and one of the platform.
  static PoseSensor length(const Vec3<double>& base, const Vec3<double>& platform);
  /// The angle, in rad, between a direction of the base and one of the platform: an inclinometer
  /// where the first is up. Throws InputError for directions of no length.
  static PoseSensor inclination(const Vec3<double>& base, const Vec3<double>& platform);
  /// The first or second angle, in rad, of the universal joint at the base of leg 0 to 5, mounted
  /// as Stewart::mounts_at(home) says. Throws InputError for another leg.
  static PoseSensor first_angle(int leg, const SE3<double>& home);
  static PoseSensor second_angle(int leg, const SE3<double>& home);

  double reading(const Stewart& platform, const SE3<double>& T) const;
  /// How far two readings are apart: angles of joints are equal after a turn.
  double apart(double one, double other) const;
  bool is_angle() const noexcept { return kind_ != Kind::length; }

 private:
  enum class Kind : unsigned char { length, inclination, first_angle, second_angle };
  Kind kind_ = Kind::length;
  Vec3<double> base_, platform_;
  int leg_ = 0;
  SE3<double> home_;
};

struct SensorReading {
  PoseSensor sensor;
  double value = 0;
  double accuracy = 0;  ///< poses whose reading is further off are out
};

/// Those of the poses that every reading allows, in their order. Throws InputError for readings
/// that are not finite and accuracies that are not positive.
std::vector<AssemblyMode> poses_with_readings(const Stewart& platform, const AllPoses& all,
                                              const std::vector<SensorReading>& readings);

/// How many poses remain, each of them taken as the true one once, over random places of a sensor.
struct SensorSurvey {
  std::string sensor;
  double accuracy = 0;  ///< in rad, or in platform sizes
  int poses = 0;        ///< without the sensor
  Estimate remaining;   ///< mean number of poses; samples are places of the sensor
  Estimate unique;      ///< share of poses that the sensor tells from all others
  int most = 0;         ///< remaining at worst
};
/// One more length, an inclination, the first and the second angle of a leg, two more lengths: each
/// with `places` random places. Accuracies are in rad and in platform sizes.
std::vector<SensorSurvey> survey_sensors(const Stewart& platform, const AllPoses& all,
                                         double accuracy = 1e-3, int places = 200,
                                         std::uint64_t seed = 1);

}  // namespace jounce
