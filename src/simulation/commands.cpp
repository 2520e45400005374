// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/commands.hpp"

#include <algorithm>
#include <cmath>
#include <jounce/model/manifold.hpp>

#include "io/number_text.hpp"
#include "quotes.hpp"

namespace jounce {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Whether a law is on its way at t, and where it is.
bool under_way(const PiecewisePolynomial& law, double t) {
  return law.start() <= t && t < law.end();
}
double inside(const PiecewisePolynomial& law, double t) {
  return std::clamp(t, law.start(), law.end());
}
/// The twist of a path and its derivatives, zero where it rests.
void twists(const PosePath& path, double t, std::span<Twist<double>> out) {
  if (under_way(path.progress(), t)) return path.twists(t, out);
  std::fill(out.begin(), out.end(), Twist<double>{});
}

}  // namespace

double Law::operator()(double t) const {
  if (const double* constant = std::get_if<double>(&value_)) return *constant;
  if (const auto* function = std::get_if<Function>(&value_)) return (*function)(t);
  const auto& law = std::get<PiecewisePolynomial>(value_);
  return law(inside(law, t));
}
void Law::derivatives(double t, std::span<double> out) const {
  if (!has_derivatives())
    throw InputError(
        "Law: the derivatives of a function are not known, needs a constant or a "
        "piecewise polynomial");
  const auto* law = std::get_if<PiecewisePolynomial>(&value_);
  if (law != nullptr && under_way(*law, t)) return law->derivatives(t, out);
  std::fill(out.begin(), out.end(), 0);
  if (!out.empty()) out[0] = (*this)(t);
}
double Law::next_break(double t) const {
  const auto* law = std::get_if<PiecewisePolynomial>(&value_);
  return law != nullptr ? law->next_knot(t) : never;
}

Command Command::force(Law law) { return {Kind::force, std::move(law)}; }
Command Command::acceleration(Law law) { return {Kind::acceleration, std::move(law)}; }
Command Command::trajectory(PosePath path) { return {Kind::trajectory, std::move(path)}; }
Command Command::trajectory(Law position) {
  if (!position.has_derivatives())
    throw InputError(
        "Command::trajectory: the velocity of a function of time is not known, needs a "
        "piecewise polynomial, or a function that writes q, v and a");
  return {Kind::trajectory, std::move(position)};
}
Command Command::trajectory(JointLaw law) { return {Kind::trajectory, std::move(law)}; }
bool Command::has_derivatives() const {
  if (const Law* one = law()) return one->has_derivatives();
  return pose_path() != nullptr;
}
double Command::next_break(double t) const {
  if (const Law* one = law()) return one->next_break(t);
  if (const PosePath* path = pose_path()) return path->progress().next_knot(t);
  return never;
}

CommandTable::CommandTable(Robot robot)
    : robot_(std::move(robot)),
      active_(size_t(robot_.nv()), -1),
      prescribed_(std::make_unique<bool[]>(size_t(robot_.nv()))) {}

void CommandTable::add(std::string_view joint, Command command, double from) {
  if (std::isnan(from)) throw InputError("command: from is not a number");
  const size_t colon = joint.rfind(':');
  const bool whole = colon == std::string_view::npos;
  const JointInfo& info = robot_.joint(joint.substr(0, colon));
  Entry entry{int(&info - robot_.joints().data()),
              info.q,
              info.nq,
              info.v,
              info.nv,
              std::move(command),
              from};
  if (!whole) {
    const std::string_view digits = joint.substr(colon + 1);
    const int k = digits.size() == 1 && digits[0] >= '0' && digits[0] <= '9' ? digits[0] - '0' : -1;
    if (k < 0 || k >= info.nv)
      throw InputError("command: " + in_quotes(joint) + ": joint " + in_quotes(info.name) +
                       " has " + std::to_string(info.nv) +
                       " velocities, needs a number below that after the "
                       "colon");
    entry.v += k, entry.nv = 1;
    entry.q += k, entry.nq = 1;  // read for flat coordinates alone
  }
  require_fits(entry, whole);
  const auto later = [](double t, const Entry& e) { return t < e.from; };
  entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), from, later),
                  std::move(entry));
}
void CommandTable::require_fits(const Entry& entry, bool whole) const {
  const JointInfo& joint = robot_.joints()[size_t(entry.joint)];
  const auto refuse = [&](const std::string& why) {
    throw InputError("command: joint " + in_quotes(joint.name) + why);
  };
  if (joint.mimic) refuse(" follows another, needs a command of its leader");
  const Command& command = entry.command;
  if (command.pose_path() != nullptr && (joint.kind != JointKind::free || !whole))
    refuse(" is " + std::string(name(joint.kind)) + ", a path of poses needs a free joint");
  if (command.joint_law() != nullptr && !whole)
    refuse(" has one coordinate commanded, a function of q, v and a is of the whole joint");
  if (command.law() != nullptr && entry.nv != 1)
    refuse(" has " + std::to_string(entry.nv) + " velocities, a law commands one: \"" + joint.name +
           ":k\"");
  if (command.law() != nullptr && command.kind() == Command::Kind::trajectory && joint.nq > 1)
    for (const Factor& f : factors(robot_.system()))
      if (entry.v >= f.v && entry.v < f.v + f.nv && !is_flat(f))
        refuse(" is " + std::string(name(joint.kind)) +
               ", whose position is no number, needs a function of q, v and a");
}

void CommandTable::select(double t) {
  if (!any()) return;
  std::fill(active_.begin(), active_.end(), -1);
  for (size_t e = 0; e < entries_.size() && entries_[e].from <= t; ++e)
    for (int k = 0; k < entries_[e].nv; ++k) active_[size_t(entries_[e].v + k)] = int(e);
  prescribes_ = changes_ = false, has_series_ = true;
  std::fill_n(prescribed_.get(), active_.size(), false);
  for_each_active([&](const Entry& e) {
    const bool given = e.command.kind() != Command::Kind::force;
    prescribes_ = prescribes_ || given;
    changes_ = changes_ || e.command.law() == nullptr || !e.command.law()->is_constant();
    has_series_ = has_series_ && e.command.has_derivatives();
    std::fill_n(prescribed_.get() + e.v, e.nv, given);
  });
  last_ = std::nextafter(next_break(t), -never);
}

void CommandTable::forces(double t, double* tau) const {
  t = std::min(t, last_);
  std::fill_n(tau, active_.size(), 0.0);
  if (!any()) return;
  for_each_active([&](const Entry& e) {
    if (e.command.kind() != Command::Kind::force) return;
    tau[e.v] = (*e.command.law())(t);
    if (!std::isfinite(tau[e.v]))
      throw InputError("command: at t = " + io::number_text(t) + " the force on joint " +
                       in_quotes(robot_.joints()[size_t(e.joint)].name) + " is " +
                       io::number_text(tau[e.v]));
  });
}
void CommandTable::prescribe(double t, double* q, double* v, double* a) const {
  t = std::min(t, last_);
  for_each_active([&](const Entry& e) {
    if (e.command.kind() == Command::Kind::force) return;
    if (const auto* law = e.command.joint_law()) {
      (*law)(t, {q + e.q, size_t(e.nq)}, {v + e.v, size_t(e.nv)}, {a + e.v, size_t(e.nv)});
    } else if (const PosePath* path = e.command.pose_path()) {
      Twist<double> V[2];
      twists(*path, t, V);
      const SE3<double> T = path->pose(inside(path->progress(), t));
      const Quaternion<double> r = to_quaternion(T.R);
      const double pose[] = {T.p.x, T.p.y, T.p.z, r.x, r.y, r.z, r.w};
      std::copy_n(pose, 7, q + e.q);
      coordinates(JointKind::free, V[0], v + e.v);
      coordinates(JointKind::free, V[1], a + e.v);
    } else if (e.command.kind() == Command::Kind::acceleration) {
      a[e.v] = (*e.command.law())(t);
    } else {
      double x[3];
      e.command.law()->derivatives(t, x);
      q[e.q] = x[0], v[e.v] = x[1], a[e.v] = x[2];
    }
  });
}
void CommandTable::series(double t, int order, double* taus, double* motion) const {
  t = std::min(t, last_);
  const int n = int(active_.size());
  constexpr int most = 20;
  for_each_active([&](const Entry& e) {
    double x[most];
    if (const PosePath* path = e.command.pose_path()) {
      Twist<double> V[most];
      twists(*path, t, {V, size_t(order + 2)});
      for (int k = 0; k <= order + 1; ++k) coordinates(JointKind::free, V[k], motion + n * k + e.v);
      return;
    }
    const Law& law = *e.command.law();
    const bool force = e.command.kind() == Command::Kind::force;
    const int skipped = e.command.kind() == Command::Kind::trajectory ? 1 : 0;
    law.derivatives(t, {x, size_t(order + 2 + skipped)});
    if (force)
      for (int k = 0; k <= order; ++k) taus[n * k + e.v] = x[k];
    else if (skipped == 1)
      for (int k = 0; k <= order + 1; ++k) motion[n * k + e.v] = x[k + 1];
    else
      for (int k = 0; k <= order; ++k) motion[n * (k + 1) + e.v] = x[k];
  });
}
double CommandTable::next_break(double t) const {
  double next = never;
  if (!any()) return next;
  for (const Entry& e : entries_)
    if (e.from > t) next = std::min(next, e.from);
  for_each_active([&](const Entry& e) { next = std::min(next, e.command.next_break(t)); });
  return next;
}

}  // namespace jounce
