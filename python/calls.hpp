// SPDX-License-Identifier: BSD-3-Clause
// Methods of doors in Python, each made from the library's call and the words that it takes:
//
//   add(c, "inverse", [](auto& d, const auto&... x) { d.inverse(x...); }, "The forces ...", "q",
//       "v", "a", word::around, word::out);
#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <jounce/door/clone.hpp>
#include <span>
#include <vector>

#include "bindings.hpp"
#include "results.hpp"

namespace jounce::python {

/// A method, and what messages call it.
struct Name {
  Name(const char* method_) : Name(method_, method_) {}  // NOLINT: an argument
  Name(const char* method_, const char* function_) : method(method_), function(function_) {}

  const char *method, *function;
};

/// "q" or "kind='body'", as a signature has it.
inline std::string argument_text(const py::arg& x) { return x.name; }
inline std::string argument_text(const py::arg_v& x) {
  return std::string(x.name) + "=" + std::string(py::repr(x.value));
}
inline std::string argument_text(const py::kw_only&) { return "*"; }

/// All arguments of these words, with the `*` between places and names where there are names.
template <class... Words>
auto arguments_of(const Words&... words) {
  const auto names = std::tuple_cat(words.names()...);
  if constexpr (std::tuple_size_v<decltype(names)> == 0) return std::tuple_cat(words.places()...);
  else return std::tuple_cat(words.places()..., std::tuple(py::kw_only()), names);
}

/// run(door, arguments...), each argument read by its word; what word::out gave room for is the
/// answer.
template <class Door, class Run, class... Words>
struct BoundCall {
  Name name;
  Run run;
  std::tuple<Words...> words;

  static constexpr bool writes_out = (std::same_as<Words, word::Out> || ...);

  auto read(const Call& call, const py::handle* given) const {
    return std::apply(
        [&](const auto&... word) {
          return std::tuple<decltype(word.read(call, given))...>{
              word.read(call, std::exchange(given, given + Words::objects))...};
        },
        words);
  }
  /// Of one state.
  decltype(auto) operator()(Door& door, const py::handle* given) const {
    const auto all = read({door.robot(), name.function}, given);
    const auto answer = [&](const auto&... x) -> decltype(auto) {
      return std::invoke(run, door, argument(x, 0)...);
    };
    if constexpr (writes_out) {
      std::apply(answer, all);
      return py::array(std::get<sizeof...(Words) - 1>(all).array());
    } else {
      return to_python(std::apply(answer, all));
    }
  }
};
template <class Door, class Run, class... Words>
BoundCall<Door, Run, Words...> bound_call(Name name, Run run, const Words&... words) {
  return {name, run, {words...}};
}

template <std::size_t>
using AnObject = const py::object&;

/// How many dimensions the array of one state has; -1 where a word is no array, `follows` where it
/// has rows if the others have.
inline constexpr int follows = -2;
template <class W>
inline constexpr int dimensions = -1;
template <class D>
inline constexpr int dimensions<word::Word<Array, D>> = 1;
template <class D>
inline constexpr int dimensions<word::Word<std::optional<Array>, D>> = 1;
template <class D>
inline constexpr int dimensions<word::Word<ByColumns, D>> = 2;
template <class W>
inline constexpr int dimensions<word::ByName<W>> = dimensions<W>;
template <>
inline constexpr int dimensions<word::Out> = follows;

/// The same of every object of these words.
template <class... Words>
constexpr auto all_dimensions() {
  std::array<int, (0 + ... + std::size_t(Words::objects))> all{};
  std::size_t k = 0;
  ((all[k] = dimensions<Words>, k += Words::objects), ...);
  for (std::size_t at = 0; int n : {Words::objects...})
    for (int i = 0; i < n; ++i, ++at)
      if (i > 0) all[at] = -1;
  return all;
}

/// How many states there are where arrays have one dimension more than that of one state, rows
/// being states; -1 where none has. InputError where their numbers differ.
py::ssize_t states_in(const py::handle* given, std::span<const int> dimensions,
                      const char* function);
/// State k of what was given.
std::vector<py::object> state_of(const py::handle* given, std::span<const int> dimensions,
                                 py::ssize_t k);

/// one(k) for every state from first to before last, without the interpreter's lock; what is thrown
/// says which state it is about.
void for_each_state(py::ssize_t first, py::ssize_t last, const char* function,
                    const std::function<void(py::ssize_t)>& one);
/// Lets other threads run where 5 ms have passed since it last did.
void let_others_run();

/// Calls that need no interpreter until their answers become Python's.
template <class Run>
concept TakesMany = Run::takes_many;

/// The answers of many states, on a door of its own: another thread may use the caller's meanwhile.
template <class Door, class Run, class... Words>
py::object answers_of(const BoundCall<Door, Run, Words...>& call, const Door& door,
                      const py::handle* given, py::ssize_t count) {
  auto own = clone(door);
  const char* const name = call.name.function;
  const auto all = call.read({door.robot(), name, count}, given);
  const auto with = [&](py::ssize_t k, const auto& use) {
    return std::apply([&](const auto&... x) { return use(argument(x, k)...); }, all);
  };
  const auto each = [&](py::ssize_t first, py::ssize_t last, const auto& use) {
    for_each_state(first, last, name,
                   [&](py::ssize_t k) { with(k, [&](const auto&... x) { use(k, x...); }); });
  };
  const Run& run = call.run;
  if constexpr (TakesMany<Run>) return run.many(own, count, with, each);
  else {
    each(0, count, [&](py::ssize_t, const auto&... x) { std::invoke(run, own, x...); });
    return py::array(std::get<sizeof...(Words) - 1>(all).array());
  }
}
/// Whether a door answers about the state of its last at.
template <class Door>
inline constexpr bool keeps_state = false;
/// Whether many states can be answered so.
template <class Door, class Run, class... Words>
inline constexpr bool needs_no_lock =
    is_clonable<Door> && !keeps_state<Door> &&
    (TakesMany<Run> || BoundCall<Door, Run, Words...>::writes_out);

template <class Answer>
concept Stackable = std::derived_from<Answer, py::object> || std::same_as<Answer, double>;
inline py::object as_object(py::object answer) { return answer; }
inline py::object as_object(double answer) { return py::float_(answer); }

/// Defines name(self, ...) in a class or module.
template <class Door, class Scope, class Run, class Self, class... Words>
void define(Scope& scope, Name name, Run run, const std::string& doc, const std::string& self_text,
            const Self& self, const Words&... words) {
  const auto arguments = arguments_of(words...);
  std::string text = std::string(name.method) + "(" + self_text;
  std::apply([&](const auto&... x) { ((text += ", " + argument_text(x)), ...); }, arguments);
  const std::string told = (std::string() + ... + words.doc());
  text += ")\n--\n\n" + doc + (told.starts_with("\n\n") || told.empty() ? "" : "\n") + told;
  const auto call = bound_call<Door>(name, run, words...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    using Answer = decltype(call(std::declval<Door&>(), static_cast<const py::handle*>(nullptr)));
    const auto method = [call, name](Door& door, AnObject<I>... given) -> decltype(auto) {
      const py::handle all[] = {given..., py::handle()};
      if constexpr (Stackable<Answer> && sizeof...(given) > 0) {
        static constexpr auto dims = all_dimensions<Words...>();
        const py::ssize_t count = states_in(all, dims, name.function);
        if (count < 0) return as_object(call(door, all));
        if constexpr (needs_no_lock<Door, Run, Words...>) return answers_of(call, door, all, count);
        py::list answers;
        for (py::ssize_t k = 0; k < count; ++k) {
          const std::vector<py::object> one = state_of(all, dims, k);
          const std::vector<py::handle> handles(one.begin(), one.end());
          answers.append(as_object(call(door, handles.data())));
          let_others_run();
        }
        return stacked(answers);
      } else {
        return call(door, all);
      }
    };
    std::apply(
        [&](const auto&... x) {
          scope.def(name.method, method, py::return_value_policy::reference, x..., text.c_str());
        },
        std::tuple_cat(self, arguments));
  }
  (std::make_index_sequence<(0 + ... + std::size_t(Words::objects))>());
}

/// A method of a door.
template <class Door, class Run, class... Words>
void add(py::class_<Door>& c, Name name, Run run, const std::string& doc, const Words&... words) {
  define<Door>(c, name, run, doc, "$self", std::tuple(), word::as_word(words)...);
}

/// Whether a door closes the loops of its robot.
template <class Door>
inline constexpr bool closes_loops = false;

/// UserWarning where the robot has loops, which a door leaves open; Python shows it once for each
/// line that makes one.
void warn_of_loops(const Robot& robot, const char* door);

/// A door made from a robot and further arguments of these types and names.
template <class Door, class... Given, class... Arguments>
py::class_<Door> add_door(py::module_& m, const char* name, const std::string& doc,
                          const Arguments&... arguments) {
  const std::string made =
      std::string(name) + "(robot" + (std::string() + ... + (", " + argument_text(arguments)));
  py::class_<Door> c(m, name, (made + ")\n\n" + doc).c_str());
  c.def(py::init([name](Robot robot, Given... given) {
          if (!closes_loops<Door>) warn_of_loops(robot, name);
          return Door(std::move(robot), std::move(given)...);
        }),
        py::arg("robot"), arguments...);
  c.def_property_readonly("robot", &Door::robot, py::return_value_policy::copy, "Its Robot.");
  return c;
}

}  // namespace jounce::python
