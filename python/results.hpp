// SPDX-License-Identifier: BSD-3-Clause
// What calls of the library find, as Python has it: arrays of the caller's, and named tuples.
//
// A matrix is in Fortran order, as in the library: it is written in place, or copied as a block;
// the memory of a tensor is handed over.
#pragma once

#include <functional>
#include <jounce/dense_matrix.hpp>
#include <jounce/door/into.hpp>
#include <jounce/tensor.hpp>
#include <memory>
#include <utility>

#include "words.hpp"

namespace jounce::python {

/// Where a call writes a matrix.
inline Into<double> into(ByColumns& x) { return {x.mutable_data(), x.shape(0), x.shape(1)}; }
inline Into<double> into(Array& x) { return {x.mutable_data(), x.size(), 1}; }

template <class Matrix>
py::array to_array(const Eigen::MatrixBase<Matrix>& m) {
  if constexpr (Matrix::IsVectorAtCompileTime) {
    Array a(m.size());
    Eigen::Map<Eigen::VectorXd>(a.mutable_data(), m.size()) = m;
    return a;
  } else {
    ByColumns a({m.rows(), m.cols()});
    Eigen::Map<Eigen::MatrixXd>(a.mutable_data(), m.rows(), m.cols()) = m;
    return a;
  }
}
inline ByColumns by_columns(const dense::Matrix& x) {
  return ByColumns({x.rows, x.columns}, x.data());
}
/// n x n x n numbers, which are not copied: the array keeps their owner.
template <class Owner>
ByColumns handed_over(int n, const double* (*numbers)(const Owner&), Owner&& found) {
  auto owner = std::make_unique<Owner>(std::move(found));
  const double* first = numbers(*owner);
  const py::capsule kept(owner.get(), [](void* x) { delete static_cast<Owner*>(x); });
  static_cast<void>(owner.release());
  return ByColumns({n, n, n}, first, kept);
}
inline ByColumns to_array(Tensor&& T) {
  return handed_over<Tensor>(
      T.n(), [](const Tensor& x) { return x.data(); }, std::move(T));
}

/// An array where there is one for it, else what pybind11 knows.
template <class T>
decltype(auto) to_python(T&& x) {
  if constexpr (requires { to_array(std::forward<T>(x)); }) return to_array(std::forward<T>(x));
  else return static_cast<T>(std::forward<T>(x));
}

/// Answers as one: arrays stacked, tuples of them member by member.
py::object stacked(const py::list& answers);

// What calls run, and how their answers become Python's. Of many states: each(first, last, use)
// calls use(k, given...) for all of them without the interpreter's lock.

/// run(door, given..., into(a matrix)) with shape(door, given...) = (rows, columns).
template <class Shape, class Run>
struct Filled {
  static constexpr bool takes_many = true;
  Shape shape;
  Run run;

  py::object many(auto& door, py::ssize_t count, const auto& with, const auto& each) const {
    const std::pair<py::ssize_t, py::ssize_t> size =
        with(0, [&](const auto&... x) { return shape(door, x...); });
    Array found({count, size.second, size.first});
    double* const to = found.mutable_data();
    each(0, count, [&](py::ssize_t k, const auto&... x) {
      run(door, x..., Into<double>(to + k * size.first * size.second, size.first, size.second));
    });
    return found.attr("swapaxes")(1, 2);
  }

  ByColumns operator()(auto& door, const auto&... given) const {
    const std::pair<py::ssize_t, py::ssize_t> size = shape(door, given...);
    ByColumns found({size.first, size.second});
    run(door, given..., into(found));
    return found;
  }
};
template <class Shape, class Run>
Filled<Shape, Run> filled(Shape shape, Run run) {
  return {shape, run};
}
/// Shapes of so many rows and a column per velocity coordinate.
inline auto rows_of(int rows) {
  return [=](const auto& door, const auto&...) { return std::pair(rows, door.robot().nv()); };
}
inline constexpr auto square = [](const auto& door, const auto&...) {
  return std::pair(door.robot().nv(), door.robot().nv());
};

/// The name of a member of a result, how to get it, and what it is.
template <class Member>
struct Field {
  const char* name;
  Member member;
  const char* doc;
};
template <class Member>
Field(const char*, Member, const char*) -> Field<Member>;

/// collections.namedtuple of the module, with the names and texts of its members.
py::object named_tuple(py::module_& m, const char* name, const char* doc,
                       const std::vector<std::pair<const char*, const char*>>& members);

/// Makes named tuples from results of the library.
template <class... Members>
auto record(py::module_& m, const char* name, const char* doc, const Field<Members>&... fields) {
  const py::object type = named_tuple(m, name, doc, {{fields.name, fields.doc}...});
  return
      [=](auto found) { return type(to_python(std::invoke(fields.member, std::move(found)))...); };
}
/// run, which asks nothing of Python, and what makes such a tuple of its answer.
template <class Run, class Finish>
struct Named {
  static constexpr bool takes_many = true;
  static constexpr py::ssize_t at_once = 64;  ///< answers that wait to become tuples
  Run run;
  Finish finish;

  auto operator()(auto& door, const auto&... given) const {
    return finish(door, run(door, given...));
  }
  py::object many(auto& door, py::ssize_t count, const auto& with, const auto& each) const {
    using Found = decltype(with(0, [&](const auto&... x) { return run(door, x...); }));
    py::list answers;
    for (py::ssize_t first = 0; first < count; first += at_once) {
      std::vector<Found> found;
      each(first, std::min(first + at_once, count),
           [&](py::ssize_t, const auto&... x) { found.push_back(run(door, x...)); });
      for (Found& one : found) answers.append(finish(door, std::move(one)));
    }
    return stacked(answers);
  }
};
template <class Record, class Run>
auto as(const Record& named, Run run) {
  const auto finish = [named](auto&, auto found) { return named(std::move(found)); };
  return Named<Run, decltype(finish)>{run, finish};
}
/// The same where then(door, answer) is what the tuple is made of.
template <class Record, class Run, class Then>
auto as(const Record& named, Run run, Then then) {
  const auto finish = [named, then](auto& door, auto found) {
    return named(then(door, std::move(found)));
  };
  return Named<Run, decltype(finish)>{run, finish};
}

/// run(door, given..., into(a vector)...) with `count` vectors of nv numbers: a tuple of this type.
template <std::size_t count, class Run>
struct Vectors {
  static constexpr bool takes_many = true;
  py::object type;
  Run run;

  auto operator()(auto& door, const auto&... given) const {
    const py::ssize_t n = door.robot().nv();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      Array found[] = {(static_cast<void>(I), Array(n))...};
      run(door, given..., into(found[I])...);
      return type(found[I]...);
    }
    (std::make_index_sequence<count>());
  }
  py::object many(auto& door, py::ssize_t states, const auto&, const auto& each) const {
    const py::ssize_t n = door.robot().nv();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      Array found[] = {(static_cast<void>(I), Array({states, n}))...};
      double* const to[] = {found[I].mutable_data()...};
      each(0, states, [&](py::ssize_t k, const auto&... x) {
        run(door, x..., Into<double>(to[I] + k * n, n, 1)...);
      });
      return type(found[I]...);
    }
    (std::make_index_sequence<count>());
  }
};
template <std::size_t count, class Run>
Vectors<count, Run> as_vectors(const py::object& type, Run run) {
  return {type, run};
}

}  // namespace jounce::python
