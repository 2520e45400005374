// SPDX-License-Identifier: BSD-3-Clause
// The words that methods of doors take: each says which arguments it is in Python, and reads what
// was given for them. A string is a vector of that name.
//
//   places()   its py::arg's before the `*` of a signature
//   names()    those after it
//   objects    how many there are
//   read       from as many objects, checked, with memory of its own
#pragma once

#include <jounce/algorithm/coriolis.hpp>
#include <jounce/door/into.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "surroundings.hpp"

namespace jounce::python {

/// Whose accelerations a hybrid call is given: one bool for each velocity coordinate.
class Flags {
 public:
  Flags() = default;  ///< none are given
  Flags(py::handle prescribed, const Argument& argument);
  std::span<const bool> get() const { return {values_.get(), size_}; }

 private:
  std::unique_ptr<bool[]> values_;
  std::size_t size_ = 0;
};

/// Where a vector goes, or a row for each of many states: an array of the caller's, or a new one.
class Room {
 public:
  /// TypeError and InputError for what cannot be written in place.
  Room(py::handle out, const Argument& argument, const Call& call);
  Into<double> of_state(py::ssize_t state) const { return {data_ + state * size_, size_, 1}; }
  const py::array& array() const { return array_; }

 private:
  py::array array_;
  double* data_;
  long size_;
};

// What was read, as an argument of the library: the whole of it, or the part of a state.
inline std::span<const double> argument(const Array& x, py::ssize_t state = 0) {
  if (x.ndim() == 1) return view(x);
  const auto n = static_cast<std::size_t>(x.shape(1));
  return {x.data() + state * x.shape(1), n};
}
inline std::optional<std::span<const double>> argument(const std::optional<Array>& x,
                                                       py::ssize_t state) {
  if (!x) return {};
  return argument(*x, state);
}
inline Eigen::Map<const Eigen::MatrixXd> argument(const ByColumns& x, py::ssize_t state) {
  const py::ssize_t rows = x.shape(0), columns = x.shape(1);
  return {x.data() + (x.ndim() == 2 ? 0 : state * rows * columns), rows, columns};
}
template <class T>
decltype(auto) argument(const T& x, py::ssize_t state) {
  if constexpr (requires { x.of_state(state); }) return x.of_state(state);
  else if constexpr (requires { x.get(); }) return x.get();
  else return x;
}

namespace word {

struct Needed {};  ///< no default

/// "\nq: shape (nq,), ...", a line of a docstring for the arguments that have a meaning of their
/// own.
std::string about(std::string_view name);

/// One argument, by place or by name.
template <class T, class Default = Needed>
struct Word {
  static constexpr int objects = 1;
  const char* name;
  T (*reader)(py::handle, const Call&, const char* name);
  Default fallback{};

  auto places() const {
    if constexpr (std::same_as<Default, Needed>) return std::tuple(py::arg(name));
    else return std::tuple(py::arg(name) = fallback);
  }
  std::tuple<> names() const { return {}; }
  std::string doc() const { return about(name); }
  T read(const Call& call, const py::handle* given) const { return reader(*given, call, name); }
};

/// One argument with a default, by name only.
template <class W>
struct ByName : W {
  std::tuple<> places() const { return {}; }
  auto names() const { return W::places(); }
};
template <class W>
ByName(W) -> ByName<W>;

Array read_vector(py::handle x, const Call& call, const char* name);
std::optional<Array> read_optional_vector(py::handle x, const Call& call, const char* name);
ByColumns read_columns(py::handle x, const Call& call, const char* name);
FrameId read_frame(py::handle x, const Call& call, const char* name);
Representation read_kind(py::handle x, const Call& call, const char* name);
Factorization read_factorization(py::handle x, const Call& call, const char* name);
std::string read_name(py::handle x, const Call& call, const char* name);
Flags read_flags(py::handle x, const Call& call, const char* name);
/// None, or flags.
Flags read_optional_flags(py::handle x, const Call& call, const char* name);
Vec3<double> read_vec3(py::handle x, const Call& call, const char* name);
bool read_flag(py::handle x, const Call& call, const char* name);
double read_number(py::handle x, const Call& call, const char* name);
double read_amount(py::handle x, const Call& call, const char* name);
int read_index(py::handle x, const Call& call, const char* name);
std::optional<Vec3<double>> read_optional_vec3(py::handle x, const Call& call, const char* name);

/// q and a guess of nq numbers, others of nv.
inline Word<Array> vector(const char* name) { return {name, read_vector}; }
inline Word<std::optional<Array>, py::none> optional_vector(const char* name) {
  return {name, read_optional_vector};
}
inline Word<std::optional<Vec3<double>>, py::none> optional_vec3(const char* name) {
  return {name, read_optional_vec3};
}
/// A derivative per column.
inline Word<ByColumns> columns(const char* name) { return {name, read_columns}; }
inline Word<int> index(const char* name) { return {name, read_index}; }
inline Word<int, int> count(const char* name, int fallback) { return {name, read_index, fallback}; }
inline Word<Vec3<double>> vec3(const char* name) { return {name, read_vec3}; }
inline Word<Flags, py::none> optional_flags(const char* name) {
  return {name, read_optional_flags};
}
inline Word<double, double> cutoff(double fallback) { return {"cutoff", read_amount, fallback}; }
inline Word<Factorization, const char*> factorization(const char* fallback) {
  return {"factorization", read_factorization, fallback};
}
inline constexpr Word<FrameId> frame{"frame", read_frame};
inline constexpr Word<Representation> kind{"kind", read_kind};
inline constexpr Word<Representation, const char*> kind_or_body{"kind", read_kind, "body"};
inline constexpr Word<Flags> prescribed{"prescribed", read_flags};

inline Word<Array> as_word(const char* name) { return vector(name); }
template <class W>
const W& as_word(const W& w) {
  return w;
}

struct GroundMotion {
  static constexpr int objects = 1;
  std::tuple<> places() const { return {}; }
  auto names() const { return std::tuple(py::arg("ground") = py::none()); }
  const char* doc() const;
  OptionalGround<double> read(const Call& call, const py::handle* given) const {
    return ground_of(given[0], call);
  }
};
inline constexpr GroundMotion ground;

struct GroundSeries : GroundMotion {
  const char* doc() const;
  std::vector<Twist<double>> read(const Call& call, const py::handle* given) const {
    return ground_series(given[0], call);
  }
};
inline constexpr GroundSeries ground_derivatives;

struct Around {
  static constexpr int objects = 4;
  auto places() const { return std::tuple(py::arg("wrenches") = py::tuple()); }
  auto names() const {
    return std::tuple(py::arg("ground") = py::none(), py::arg("passive") = true,
                      py::arg("gravity") = true);
  }
  const char* doc() const;
  GivenAround read(const Call& call, const py::handle* given) const {
    return {call, given[0], given[1], read_flag(given[2], call, "passive"),
            read_flag(given[3], call, "gravity")};
  }
};
inline constexpr Around around;

struct SeriesAround : Around {
  static constexpr int objects = 5;
  auto names() const {
    return std::tuple_cat(Around::names(), std::tuple(py::arg("joint_torques") = py::none()));
  }
  const char* doc() const;
  GivenSeriesAround read(const Call& call, const py::handle* given) const {
    return {call,
            given[0],
            given[1],
            read_flag(given[2], call, "passive"),
            read_flag(given[3], call, "gravity"),
            given[4]};
  }
};
inline constexpr SeriesAround series_around;

/// The last word of a call whose answer is a vector of nv numbers.
struct Out {
  static constexpr int objects = 1;
  std::tuple<> places() const { return {}; }
  auto names() const { return std::tuple(py::arg("out") = py::none()); }
  const char* doc() const;
  Room read(const Call& call, const py::handle* given) const {
    return {given[0], {call.name, "out"}, call};
  }
};
inline constexpr Out out;

}  // namespace word
}  // namespace jounce::python
