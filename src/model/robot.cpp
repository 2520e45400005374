// SPDX-License-Identifier: BSD-3-Clause
// Robot: access to what was compiled, and the checks of arguments.
#include <algorithm>
#include <cmath>
#include <jounce/io.hpp>

#include "model/check.hpp"
#include "model/robot_data.hpp"

namespace jounce {

Robot::Robot(RobotDescription description) {
  auto data = std::make_shared<Data>();
  data->description = std::move(description);
  Notices notices(Level::fault);
  const std::vector<int> order = check_description(data->description, notices);
  notices.refuse_faults();
  compose_mimics(data->description);
  compile(order, *data);
  for (size_t k = 0; k < data->joints.size(); ++k)
    data->joint_index.emplace(data->joints[k].name, k);
  for (size_t k = 0; k < data->frames.size(); ++k)
    data->frame_index.emplace(data->frames[k].name, k);
  data_ = std::move(data);
}

std::vector<Finding> Robot::check() const {
  Notices notices;
  check_inertias(data_->description, notices);
  std::vector<Finding> findings;
  if (notices.list().empty()) return findings;
  findings.push_back(
      {FindingKind::inertia, level(FindingKind::inertia), "", notices.list().size(), {}});
  for (const Noticed& noticed : notices.list())
    findings[0].places.push_back({0, 0, noticed.name, noticed.what});
  return findings;
}

const std::string& Robot::name() const { return data_->description.name; }
int Robot::nq() const { return data_->nq; }
int Robot::nv() const { return data_->nv; }
int Robot::bodies() const { return data_->system.tree.bodies; }
double Robot::mass() const { return data_->mass; }
std::span<const JointInfo> Robot::joints() const { return data_->joints; }
std::span<const FrameInfo> Robot::frames() const { return data_->frames; }
std::span<const LoopDescription> Robot::loops() const { return data_->description.loops; }
std::span<const BushingDescription> Robot::bushings() const { return data_->description.bushings; }
std::span<const bool> Robot::actuated() const {
  return {data_->actuated.get(), static_cast<size_t>(data_->nv)};
}
const Limits& Robot::limits() const { return data_->limits; }
const PassiveData& Robot::passive() const { return data_->passive; }
bool Robot::has_mimic() const { return !data_->system.coupling.identity; }
bool Robot::has_passive() const { return data_->system.passive.any; }
bool Robot::has_springs() const { return data_->system.passive.springs > 0; }
const RobotDescription& Robot::description() const { return data_->description; }
Vec3<double> Robot::gravity() const { return data_->description.gravity; }
const System<double>& Robot::system() const { return data_->system; }
const Model<double>& Robot::model() const { return data_->system.tree; }

namespace {

template <class Items>
size_t find_named(const Items& items, const std::unordered_map<std::string_view, size_t>& index,
                  const char* what, std::string_view wanted, const std::string& robot) {
  if (const auto found = index.find(wanted); found != index.end()) return found->second;
  throw InputError("robot \"" + robot + "\" has no " + what + " \"" + std::string(wanted) +
                   "\"; nearest: " + nearest_names(wanted, names_of(items)));
}

}  // namespace

bool all_finite(std::span<const double> x) {
  double sums[4] = {};
  size_t k = 0;
  for (; k + 4 <= x.size(); k += 4)
    for (size_t l = 0; l < 4; ++l) sums[l] += x[k + l];
  for (; k < x.size(); ++k) sums[0] += x[k];
  return std::isfinite((sums[0] + sums[1]) + (sums[2] + sums[3])) ||
         std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); });
}

namespace {

[[noreturn, gnu::cold]] void refuse_vector(std::string_view caller, std::string_view argument,
                                           std::span<const double> x, int needed,
                                           const std::string& robot) {
  const std::string where = std::string(caller) + ": " + std::string(argument);
  if (static_cast<int>(x.size()) != needed)
    throw InputError(where + " has " + std::to_string(x.size()) + " elements, robot \"" + robot +
                     "\" needs " + std::to_string(needed));
  const auto bad = std::find_if(x.begin(), x.end(), [](double y) { return !std::isfinite(y); });
  throw InputError(where + "[" + std::to_string(bad - x.begin()) + "] is " +
                   (std::isnan(*bad) ? "NaN" : "infinite"));
}

}  // namespace

void check_vector(std::string_view caller, std::string_view argument, std::span<const double> x,
                  int needed, const std::string& robot) {
  if (static_cast<int>(x.size()) != needed || !all_finite(x))
    refuse_vector(caller, argument, x, needed, robot);
}

const FrameInfo& Robot::frame_info(FrameId id) const {
  const auto k = static_cast<size_t>(id);
  if (k < data_->frames.size()) return data_->frames[k];
  throw InputError("robot \"" + name() + "\" has no frame number " +
                   std::to_string(static_cast<int>(id)) + ", it has " +
                   std::to_string(data_->frames.size()));
}
FrameId Robot::frame(std::string_view name) const {
  return FrameId(static_cast<int>(
      find_named(data_->frames, data_->frame_index, "link or frame", name, this->name())));
}
const JointInfo& Robot::joint(std::string_view name) const {
  return data_
      ->joints[find_named(data_->joints, data_->joint_index, "moving joint", name, this->name())];
}

void Robot::check_v(std::string_view caller, std::string_view argument,
                    std::span<const double> v) const {
  check_vector(caller, argument, v, nv(), name());
}
void Robot::check_q(std::string_view caller, std::string_view argument,
                    std::span<const double> q) const {
  check_vector(caller, argument, q, nq(), name());
  for (const UnitPlace& place : data_->unit_places)
    if (const double* r = q.data() + place.q; !is_unit(r, place.count))
      throw InputError(
          std::string(caller) + ": " + std::string(argument) + ": the " + unit_name(place.count) +
          " of joint \"" + data_->joints[static_cast<size_t>(place.joint)].name + "\" has length " +
          std::to_string(std::sqrt(squared_length(r, place.count))) + ", needs 1; use normalize");
}

Robot load(const std::string& path_or_name) { return load(path_or_name, {}); }
Robot load(const std::string& path_or_name, const ReadOptions& options) {
  return Robot(read_robot(path_or_name, options).robot);
}

}  // namespace jounce
