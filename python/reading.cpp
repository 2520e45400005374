// SPDX-License-Identifier: BSD-3-Clause
// Robots from files, from text, from those bundled with the library, and random ones, in Python.
#include <pybind11/stl.h>

#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/robot.hpp>

#include "array.hpp"
#include "bindings.hpp"
#include "description.hpp"

namespace jounce::python {
namespace {

/// A robot and what its reader skipped.
struct Reading {
  Robot robot;
  std::vector<Ignored> ignored;
};

bool is_path(py::handle object) {
  return py::isinstance<py::str>(object) || py::isinstance<py::bytes>(object) ||
         py::hasattr(object, "__fspath__");
}

std::string path_text(py::handle path, const Argument& argument) {
  if (!is_path(path))
    throw py::type_error(subject(argument) + " is of type " + type_name(path) + ", needs a path" +
                         argument.hint);
  const std::string text = py::module_::import("os").attr("fsencode")(path).cast<std::string>();
  if (text.find('\0') != std::string::npos)
    throw InputError(subject(argument) + " holds a null character");
  return text;
}

/// One folder or several.
ReadOptions read_options(const char* function, bool couple_mimic, const py::object& folders,
                         bool strict) {
  ReadOptions options{couple_mimic, {}, strict};
  const Argument argument{function, "package_folders"};
  if (is_path(folders)) {
    options.package_folders.emplace_back(path_text(folders, argument));
    return options;
  }
  for (const py::handle folder : folders)
    options.package_folders.emplace_back(path_text(folder, argument));
  return options;
}

Reading read_path(const char* function, const py::object& path_, bool couple_mimic,
                  const py::object& folders, bool strict = false) {
  const std::string path = path_text(path_, {function, "path", " or \"builtin:NAME\""});
  const ReadOptions options = read_options(function, couple_mimic, folders, strict);
  const py::gil_scoped_release release;
  Loaded loaded = read_robot(path, options);
  return {Robot(std::move(loaded.robot)), std::move(loaded.ignored)};
}

constexpr std::string_view mark = "\xef\xbb\xbf";  ///< byte-order mark

/// By its content, as with files, where no format is given.
bool is_json(const char* function, const std::string& text, const py::object& format) {
  if (format.is_none()) {
    const std::size_t first = text.find_first_not_of(" \t\r\n", text.starts_with(mark) ? 3 : 0);
    return first != std::string::npos && text[first] == '{';
  }
  const std::string name = py::str(format);
  if (name != "urdf" && name != "json")
    throw InputError(subject({function, "format"}) + " is \"" + name +
                     "\", needs \"urdf\" or \"json\"");
  return name == "json";
}

Reading read_text(const char* function, const std::string& text, const py::object& format,
                  const std::string& origin, bool couple_mimic, const py::object& folders,
                  bool strict = false) {
  const bool json = is_json(function, text, format);
  const ReadOptions options = read_options(function, couple_mimic, folders, strict);
  const py::gil_scoped_release release;
  Loaded loaded = json ? read_json(text, origin, options) : read_urdf(text, origin, options);
  return {Robot(std::move(loaded.robot)), std::move(loaded.ignored)};
}

py::tuple both(Reading reading) {
  return py::make_tuple(std::move(reading.robot), std::move(reading.ignored));
}

/// The robot; a UserWarning tells that something was ignored.
Robot with_warning(Reading reading, bool warn, const std::string& origin, const char* report) {
  const std::size_t count = reading.ignored.size();
  if (warn && count > 0) {
    const std::string text = origin + ": " + std::to_string(count) +
                             (count == 1 ? " entry" : " entries") + " ignored; " + report +
                             " lists them";
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  }
  return std::move(reading.robot);
}

void bind_ignored(py::module_& m) {
  const auto message = [](const Ignored& x) {
    return std::to_string(x.line) + ":" + std::to_string(x.column) + ": " + x.what;
  };
  py::class_<Ignored> c(m, "Ignored", "Something a reader had no use for and skipped.");
  c.def_readonly("line", &Ignored::line, "Its line, counted from 1.");
  c.def_readonly("column", &Ignored::column, "Its column in bytes, counted from 1.");
  c.def_readonly("what", &Ignored::what,
                 "What it is, for example: attribute \"quat\" of <origin> of joint \"j4\".");
  c.def("__str__", message);
  c.def("__repr__", [message](const Ignored& x) { return "Ignored(" + message(x) + ")"; });
}

void bind_files(py::module_& m) {
  m.def(
      "load",
      [](const py::object& path, bool couple_mimic, const py::object& folders, bool warn,
         bool strict) {
        Reading reading = read_path("load", path, couple_mimic, folders, strict);
        const py::str name(py::module_::import("os").attr("fsdecode")(path));
        return with_warning(std::move(reading), warn, name, "jounce.read");
      },
      py::arg("path"), py::kw_only(), py::arg("couple_mimic") = true,
      py::arg("package_folders") = py::tuple(), py::arg("warn") = true, py::arg("strict") = false,
      "load(path, *, couple_mimic=True, package_folders=(), warn=True, strict=False)\n--\n\n"
      "The Robot in a file (a str or pathlib path; XML is URDF, { is JSON), or a bundled one: "
      "\"builtin:arm7\", see builtin_robots().\n\n"
      "couple_mimic=False makes mimic joints independent. package_folders are searched for meshes "
      "with package://, before ROS_PACKAGE_PATH. A warning says how many entries of the file were "
      "ignored (warn=False: none), jounce.read lists them, strict=True refuses them.");
  m.def(
      "read",
      [](const py::object& path, bool couple_mimic, const py::object& folders) {
        return both(read_path("read", path, couple_mimic, folders));
      },
      py::arg("path"), py::kw_only(), py::arg("couple_mimic") = true,
      py::arg("package_folders") = py::tuple(),
      "read(path, *, couple_mimic=True, package_folders=())\n--\n\n"
      "As load, with a report: (robot, list of Ignored), in the order of the file.");
}

void bind_texts(py::module_& m) {
  const auto arguments = [](const char* name) {
    return std::string(name) +
           "(text, format=None, *, origin='text', couple_mimic=True, package_folders=()" +
           (name == std::string_view("loads") ? ", warn=True, strict=False" : "") + ")\n--\n\n";
  };
  m.def(
      "loads",
      [](const std::string& text, const py::object& format, const std::string& origin,
         bool couple_mimic, const py::object& folders, bool warn, bool strict) {
        return with_warning(read_text("loads", text, format, origin, couple_mimic, folders, strict),
                            warn, origin, "jounce.reads");
      },
      py::arg("text"), py::arg("format") = py::none(), py::kw_only(), py::arg("origin") = "text",
      py::arg("couple_mimic") = true, py::arg("package_folders") = py::tuple(),
      py::arg("warn") = true, py::arg("strict") = false,
      (arguments("loads") +
       "The Robot that a text describes; format is \"urdf\" or \"json\", or None to tell by its "
       "first character.\n\norigin names the text in messages and resolves relative mesh paths; "
       "warn and strict are those of load.")
          .c_str());
  m.def(
      "reads",
      [](const std::string& text, const py::object& format, const std::string& origin,
         bool couple_mimic, const py::object& folders) {
        return both(read_text("reads", text, format, origin, couple_mimic, folders));
      },
      py::arg("text"), py::arg("format") = py::none(), py::kw_only(), py::arg("origin") = "text",
      py::arg("couple_mimic") = true, py::arg("package_folders") = py::tuple(),
      (arguments("reads") + "As loads, with a report: (robot, list of Ignored).").c_str());
  m.def(
      "builtin_robots",
      [] { return std::vector(builtin_robots().begin(), builtin_robots().end()); },
      "builtin_robots()\n--\n\n"
      "The names of the bundled robots; jounce.load(\"builtin:\" + name) gives one.");
}

TreeShape shape_from(const std::string& shape) {
  if (shape == "chain") return TreeShape::chain;
  if (shape == "branches") return TreeShape::branches;
  if (shape == "binary_tree") return TreeShape::binary_tree;
  if (shape == "random_tree") return TreeShape::random_tree;
  throw InputError("generate: shape is \"" + shape +
                   "\", needs \"chain\", \"branches\", \"binary_tree\" or \"random_tree\"");
}

void bind_generate(py::module_& m) {
  m.def(
      "generate",
      [](const std::string& name, const std::string& shape, int bodies, int branches,
         const std::vector<std::string>& kinds, const std::vector<int>& weights, bool free_base,
         bool mimic, bool fixed_links, bool child_placements, bool passive, double link_length,
         std::uint64_t seed) {
        std::vector<JointKind> list;
        for (const std::string& kind : kinds) list.push_back(kind_from(kind, "generate"));
        return Robot(generate({name, shape_from(shape), bodies, branches, list, weights, free_base,
                               mimic, fixed_links, child_placements, passive, link_length, seed}));
      },
      py::kw_only(), py::arg("name") = "", py::arg("shape") = "chain", py::arg("bodies") = 6,
      py::arg("branches") = 1, py::arg("kinds") = std::vector<std::string>{"revolute"},
      py::arg("weights") = py::tuple(), py::arg("free_base") = false, py::arg("mimic") = false,
      py::arg("fixed_links") = false, py::arg("child_placements") = false,
      py::arg("passive") = false, py::arg("link_length") = 0.5, py::arg("seed") = 1,
      "generate(*, name='', shape='chain', bodies=6, branches=1, kinds=['revolute'], weights=(), "
      "free_base=False, mimic=False, fixed_links=False, child_placements=False, passive=False, "
      "link_length=0.5, seed=1)\n--\n\n"
      "A random Robot; the same arguments give the same robot everywhere.\n\n"
      "shape is \"chain\", \"branches\", \"binary_tree\" or \"random_tree\"; kinds are names of "
      "joint kinds and weights how often each occurs. Links \"base\", \"link_1\", ..., joints "
      "\"joint_1\", ..., and the frame \"tool\" on the last link.");
}

}  // namespace

void bind_reading(py::module_& m) {
  bind_ignored(m);
  bind_files(m);
  bind_texts(m);
  bind_generate(m);
}

}  // namespace jounce::python
