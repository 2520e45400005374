// SPDX-License-Identifier: BSD-3-Clause
// Sensors beside the six lengths, and how many poses they leave.
#include <algorithm>
#include <cmath>
#include <jounce/stewart/extra_sensors.hpp>

#include "stewart/random_geometry.hpp"
#include "stewart/stewart_checks.hpp"

namespace jounce {
namespace {

using namespace stewart_detail;

Vec3<double> unit_direction(const Vec3<double>& x) {
  check_finite("sensor", "the direction", x, x);
  if (!(norm(x) > 0)) refuse("sensor", "the direction is zero, needs a length");
  return x * (1 / norm(x));
}

void check_leg(int leg) {
  if (leg < 0 || leg > 5) refuse("sensor", "leg is " + std::to_string(leg) + ", needs 0 to 5");
}

/// Sensors of one kind at a random place.
std::vector<PoseSensor> place_sensors(size_t kind, const Stewart& s, const SE3<double>& home,
                                      SplitMix& random) {
  const auto length = [&] {
    const double size = s.size();
    const Vec3<double> a = random.uniform({-size, -size, -size}, {size, size, size});
    const Vec3<double> b = random.uniform({-size, -size, -size}, {size, size, size});
    return PoseSensor::length(a + s.base()[0], b + s.platform_centre());
  };
  switch (kind) {
    case 0:
      return {length()};
    case 1: {
      const Vec3<double> up = draw_direction(random);
      return {PoseSensor::inclination(up, draw_direction(random))};
    }
    case 2:
      return {PoseSensor::first_angle(random.whole(0, 5), home)};
    case 3:
      return {PoseSensor::second_angle(random.whole(0, 5), home)};
    default:
      break;
  }
  const PoseSensor first = length();
  return {first, length()};
}

/// Poses that look like pose k to all sensors, itself among them.
int look_alikes(const Stewart& s, const AllPoses& all, const std::vector<PoseSensor>& sensors,
                size_t k, double accuracy) {
  std::vector<SensorReading> readings;
  readings.reserve(sensors.size());
  for (const PoseSensor& sensor : sensors)
    readings.push_back({sensor, sensor.reading(s, all.poses[k].pose),
                        accuracy * (sensor.is_angle() ? 1 : s.size())});
  return static_cast<int>(poses_with_readings(s, all, readings).size());
}

}  // namespace

PoseSensor PoseSensor::length(const Vec3<double>& base, const Vec3<double>& platform) {
  check_finite("sensor", "the point", base, platform);
  PoseSensor sensor;
  sensor.base_ = base, sensor.platform_ = platform;
  return sensor;
}

PoseSensor PoseSensor::inclination(const Vec3<double>& base, const Vec3<double>& platform) {
  PoseSensor sensor;
  sensor.kind_ = Kind::inclination;
  sensor.base_ = unit_direction(base), sensor.platform_ = unit_direction(platform);
  return sensor;
}

PoseSensor PoseSensor::first_angle(int leg, const SE3<double>& home) {
  check_leg(leg);
  check_pose("sensor", home);
  PoseSensor sensor;
  sensor.kind_ = Kind::first_angle;
  sensor.leg_ = leg, sensor.home_ = home;
  return sensor;
}

PoseSensor PoseSensor::second_angle(int leg, const SE3<double>& home) {
  PoseSensor sensor = first_angle(leg, home);
  sensor.kind_ = Kind::second_angle;
  return sensor;
}

double PoseSensor::reading(const Stewart& platform, const SE3<double>& T) const {
  check_pose("sensor", T);
  if (kind_ == Kind::length) return norm(T * platform_ - base_);
  if (kind_ == Kind::inclination) {
    const Vec3<double> d = T.R * platform_;
    return std::atan2(norm(cross(base_, d)), dot(base_, d));
  }
  const LegAngles angles =
      platform.joint_angles(T, platform.mounts_at(home_))[static_cast<size_t>(leg_)];
  return kind_ == Kind::first_angle ? angles.first : angles.second;
}

double PoseSensor::apart(double one, double other) const {
  const double turn = 2 * std::acos(-1.0);
  const double d = one - other;
  return std::abs(kind_ == Kind::length ? d : std::remainder(d, turn));
}

std::vector<AssemblyMode> poses_with_readings(const Stewart& platform, const AllPoses& all,
                                              const std::vector<SensorReading>& readings) {
  for (const SensorReading& r : readings) {
    if (!std::isfinite(r.value)) refuse("sensor", "the reading is not finite");
    if (!(r.accuracy > 0))
      refuse("sensor", "accuracy is " + short_text(r.accuracy) + ", needs a positive number");
  }
  std::vector<AssemblyMode> left = all.poses;
  std::erase_if(left, [&](const AssemblyMode& mode) {
    return std::any_of(readings.begin(), readings.end(), [&](const SensorReading& r) {
      return r.sensor.apart(r.sensor.reading(platform, mode.pose), r.value) > r.accuracy;
    });
  });
  return left;
}

std::vector<SensorSurvey> survey_sensors(const Stewart& platform, const AllPoses& all,
                                         double accuracy, int places, std::uint64_t seed) {
  if (!(accuracy > 0))
    refuse("sensor", "accuracy is " + short_text(accuracy) + ", needs a positive number");
  if (places < 2)
    refuse("sensor", "there are " + std::to_string(places) + " places, needs 2 at least");
  if (all.poses.empty()) refuse("sensor", "there are no poses to tell apart");
  constexpr const char* names[] = {"one more length", "an inclination", "first angle of a leg",
                                   "second angle of a leg", "two more lengths"};
  const SE3<double> home = all.poses[0].pose;
  SplitMix random(seed);
  std::vector<SensorSurvey> surveys;
  for (size_t kind = 0; kind < std::size(names); ++kind) {
    SensorSurvey survey{names[kind], accuracy, static_cast<int>(all.poses.size()), {}, {}, 0};
    std::vector<double> remaining, unique;
    for (int place = 0; place < places; ++place) {
      const std::vector<PoseSensor> sensors = place_sensors(kind, platform, home, random);
      double sum = 0, alone = 0;
      for (size_t k = 0; k < all.poses.size(); ++k) {
        const int left = look_alikes(platform, all, sensors, k, accuracy);
        sum += left, alone += left == 1 ? 1 : 0;
        survey.most = std::max(survey.most, left);
      }
      remaining.push_back(sum / double(all.poses.size()));
      unique.push_back(alone / double(all.poses.size()));
    }
    survey.remaining = mean_of(remaining), survey.unique = mean_of(unique);
    surveys.push_back(std::move(survey));
  }
  return surveys;
}

}  // namespace jounce
