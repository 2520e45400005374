// SPDX-License-Identifier: BSD-3-Clause
// Contacts and multipliers as arguments of calls.
#pragma once

#include <jounce/constrained_dynamics.hpp>
#include <jounce/series_surroundings.hpp>

#include "io/names.hpp"
#include "words.hpp"

namespace jounce::python {

using Contacts = std::span<const Contact>;

/// Contacts of a call, each a frame or (frame, kind).
class GivenContacts {
 public:
  GivenContacts(py::handle all, const Argument& argument, const Robot& robot) {
    const std::string needs = subject(argument) + " needs a list of (frame, kind)";
    if (py::isinstance<py::str>(all)) throw py::type_error(needs);
    for (const py::handle entry : entries_of(all, needs)) {
      const bool alone = py::isinstance<py::str>(entry) || PyIndex_Check(entry.ptr()) != 0;
      const py::tuple parts = alone ? py::make_tuple(entry) : entries_of(entry, needs);
      const bool has_kind = parts.size() == 2 && py::isinstance<py::str>(parts[1]);
      if (parts.size() != 1 && !has_kind) throw py::type_error(needs);
      const std::string kind = has_kind ? parts[1].cast<std::string>() : "fixed";
      const std::optional<LoopKind> known = io::loop_kind(kind);
      if (!known)
        throw InputError(subject(argument) + "[" + std::to_string(contacts_.size()) +
                         "]: kind is \"" + kind + "\", needs one of " + io::loop_kinds());
      contacts_.push_back({checked_frame(robot, parts[0], argument.function), *known});
    }
  }
  Contacts get() const { return contacts_; }

 private:
  std::vector<Contact> contacts_;
};

inline GivenContacts read_contacts(py::handle x, const Call& call, const char* name) {
  return {x, {call.name, name}, call.robot};
}
inline Array read_multipliers(py::handle x, const Call& call, const char* name) {
  return checked_numbers(x, {call.name, name});
}

inline word::Word<GivenContacts, py::tuple> contacts() { return {"contacts", read_contacts}; }
inline auto contacts_by_name() { return word::ByName{contacts()}; }
inline word::Word<Array> multipliers() { return {"lambda_", read_multipliers}; }

/// The instant of a call, for constraints that depend on it.
inline auto instant() {
  return word::ByName{word::Word<double, double>{"time", word::read_number, 0}};
}
template <class X>
const X& timed(const X& x, double) {
  return x;
}
inline Surroundings timed(Surroundings around, double time) {
  around.time = time;
  return around;
}
inline SeriesSurroundings timed(const SeriesSurroundings& around, double time) {
  const MatrixArg& torques = around.joint_torques;  // columns one after the other
  const auto numbers = std::size_t(torques.rows()) * std::size_t(torques.columns());
  const double* first = numbers > 0 ? torques.column(0).data() : nullptr;
  return {around.wrenches,
          around.ground,
          around.passive,
          around.gravity,
          {{first, numbers}, torques.rows()},
          time};
}
/// f(d, ..., around, ...) of a call whose last argument is the instant.
template <class F>
auto at_time(F f) {
  return [f](auto& d, const auto&... x) {
    const auto all = std::tie(x...);
    const double time = std::get<sizeof...(x) - 1>(all);
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return f(d, timed(std::get<k>(all), time)...);
    }
    (std::make_index_sequence<sizeof...(x) - 1>());
  };
}

inline const char* const about_contacts =
    "\n\ncontacts are frames that the ground holds in this call, each a frame or (frame, kind): "
    "'fixed' unless given, 'point' for a tip, or another kind of loop about the frame's z axis. "
    "Their rows follow those of the loops.";

}  // namespace jounce::python
