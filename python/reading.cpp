// SPDX-License-Identifier: BSD-3-Clause
// Robots from files, from text, from those bundled with the library, and random ones, in Python.
#include <pybind11/stl.h>

#include <jounce/io.hpp>
#include <jounce/model/generate.hpp>
#include <jounce/model/operations.hpp>
#include <jounce/model/robot.hpp>

#include "array.hpp"
#include "bindings.hpp"
#include "description.hpp"
#include "results.hpp"

namespace jounce::python {
namespace {

/// A robot and what its reader noticed.
struct Reading {
  Robot robot;
  std::vector<Finding> findings;
  std::vector<CutJoint> cuts = {};
};

/// What all four readers take beside the robot.
struct Arguments {
  bool couple_mimic;
  py::object folders;
  std::string inertia;
  bool strict = false;
  bool xacro = false;
  std::string base = {};  ///< "fixed", "floating", or empty: as the file says
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

InertiaPolicy inertia_policy(const char* function, const std::string& word) {
  if (word == "warn") return InertiaPolicy::warn;
  if (word == "strict") return InertiaPolicy::strict;
  if (word == "repair") return InertiaPolicy::repair;
  throw InputError(subject({function, "inertia"}) + " is \"" + word +
                   "\", needs \"warn\", \"strict\" or \"repair\"");
}

ReadOptions read_options(const char* function, const Arguments& arguments) {
  ReadOptions options;
  options.couple_mimic = arguments.couple_mimic;
  options.strict = arguments.strict;
  options.inertia = inertia_policy(function, arguments.inertia);
  options.run_xacro = arguments.xacro;
  const Argument argument{function, "package_folders"};
  if (is_path(arguments.folders)) {  // one folder or several
    options.package_folders.emplace_back(path_text(arguments.folders, argument));
    return options;
  }
  for (const py::handle folder : arguments.folders)
    options.package_folders.emplace_back(path_text(folder, argument));
  return options;
}

/// None, or a word.
std::string base_word(const char* function, const py::object& base) {
  if (base.is_none()) return "";
  const std::string word = py::str(base);
  if (word != "fixed" && word != "floating")
    throw InputError(subject({function, "base"}) + " is \"" + word +
                     "\", needs \"fixed\", \"floating\" or None");
  return word;
}
/// On the base that the arguments say.
Robot on_base(Robot robot, const std::string& base) {
  if (base.empty()) return robot;
  return with_base(robot, base == "fixed" ? JointKind::fixed : JointKind::free);
}

Reading read_path(const char* function, const py::object& path_, const Arguments& arguments) {
  const std::string path = path_text(path_, {function, "path", " or \"builtin:NAME\""});
  const ReadOptions options = read_options(function, arguments);
  const py::gil_scoped_release release;
  Loaded loaded = read_robot(path, options);
  return {on_base(Robot(std::move(loaded.robot)), arguments.base), std::move(loaded.findings)};
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
                  const std::string& origin, const Arguments& arguments) {
  const bool json = is_json(function, text, format);
  const ReadOptions options = read_options(function, arguments);
  const py::gil_scoped_release release;
  Loaded loaded = json ? read_json(text, origin, options) : read_urdf(text, origin, options);
  return {Robot(std::move(loaded.robot)), std::move(loaded.findings), std::move(loaded.cuts)};
}

py::tuple both(Reading reading) {
  return py::make_tuple(std::move(reading.robot), std::move(reading.findings));
}

/// The robot; each warning, and what is unknown, becomes a UserWarning.
Robot with_warnings(Reading reading, bool warn, const std::string& origin) {
  if (!warn) return std::move(reading.robot);
  std::erase_if(reading.findings, [](const Finding& finding) { return !is_told(finding); });
  for (const std::string& line : lines(reading.findings, origin))
    if (PyErr_WarnEx(PyExc_UserWarning, line.c_str(), 1) != 0) throw py::error_already_set();
  return std::move(reading.robot);
}

void bind_findings(py::module_& m) {
  py::class_<Remark> remark(m, "Remark", "One thing noticed at one place of a file.");
  remark.def_readonly("line", &Remark::line, "Its line, counted from 1; 0 where there is no file.");
  remark.def_readonly("column", &Remark::column, "Its column in bytes, counted from 1.");
  remark.def_readonly("name", &Remark::name, "The link or joint it is about, or \"\".");
  remark.def_readonly("what", &Remark::what,
                      "What it is, for example: attribute \"quat\" of <origin> of joint \"j4\".");
  const auto message = [](const Remark& x) {
    return std::to_string(x.line) + ":" + std::to_string(x.column) + ": " + x.what;
  };
  remark.def("__str__", message);
  remark.def("__repr__", [message](const Remark& x) { return "Remark(" + message(x) + ")"; });
  py::class_<Finding> c(m, "Finding", "Like remarks about one robot or its file.");
  c.def_property_readonly(
      "level", [](const Finding& x) { return name(x.level); },
      "\"note\", \"warning\" or \"fault\".");
  c.def_property_readonly(
      "kind", [](const Finding& x) { return name(x.kind); },
      "What it is about: \"inertia\", \"repeated\", \"unused\", ...: docs/formats.md lists them.");
  c.def_readonly("subject", &Finding::subject, "What they have in common, \"<gazebo>\", or \"\".");
  c.def_readonly("count", &Finding::count, "How many there are.");
  c.def_readonly("places", &Finding::places, "The first of them, in the order of the file.");
  c.def_property_readonly(
      "remedy", [](const Finding& x) { return remedy(x.kind); }, "How to mend it.");
  c.def("__str__", [](const Finding& x) { return text(x); });
  c.def("__repr__", [](const Finding& x) {
    return std::string("Finding(") + name(x.level) + ": " + text(x) + ")";
  });
}

void bind_files(py::module_& m) {
  m.def(
      "load",
      [](const py::object& path, bool couple_mimic, const py::object& folders, bool warn,
         bool strict, const std::string& inertia, bool xacro, const py::object& base) {
        Reading reading = read_path(
            "load", path, {couple_mimic, folders, inertia, strict, xacro, base_word("load", base)});
        const py::str name(py::module_::import("os").attr("fsdecode")(path));
        return with_warnings(std::move(reading), warn, name);
      },
      py::arg("path"), py::kw_only(), py::arg("couple_mimic") = true,
      py::arg("package_folders") = py::tuple(), py::arg("warn") = true, py::arg("strict") = false,
      py::arg("inertia") = "warn", py::arg("xacro") = false, py::arg("base") = py::none(),
      "load(path, *, couple_mimic=True, package_folders=(), warn=True, strict=False, "
      "inertia='warn', xacro=False, base=None)\n--\n\n"
      "The Robot in a file (a str or pathlib path; XML is URDF, { is JSON), or a bundled one: "
      "\"builtin:arm7\", see builtin_robots().\n\n"
      "couple_mimic=False makes mimic joints independent. package_folders are searched for meshes "
      "with package://, first of all. Warnings tell what was read in the one natural way, not "
      "applied or unknown (warn=False: none; strict=True refuses it); jounce.read lists all. "
      "Inertias that no rigid body has are kept with a warning, refused (inertia='strict') or "
      "replaced by the nearest (inertia='repair'). xacro=True runs a xacro file through the "
      "program xacro: the file names code that is run. base='floating' puts the robot on a free "
      "joint, 'fixed' on the ground; None leaves it as it is.");
  m.def(
      "read",
      [](const py::object& path, bool couple_mimic, const py::object& folders,
         const std::string& inertia, bool xacro) {
        return both(read_path("read", path, {couple_mimic, folders, inertia, false, xacro}));
      },
      py::arg("path"), py::kw_only(), py::arg("couple_mimic") = true,
      py::arg("package_folders") = py::tuple(), py::arg("inertia") = "warn",
      py::arg("xacro") = false,
      "read(path, *, couple_mimic=True, package_folders=(), inertia='warn', xacro=False)\n--\n\n"
      "As load, with a report: (robot, list of Finding), what matters most first.");
}

void bind_texts(py::module_& m) {
  m.def(
      "loads",
      [](const std::string& text, const py::object& format, const std::string& origin,
         bool couple_mimic, const py::object& folders, bool warn, bool strict,
         const std::string& inertia) {
        return with_warnings(
            read_text("loads", text, format, origin, {couple_mimic, folders, inertia, strict}),
            warn, origin);
      },
      py::arg("text"), py::arg("format") = py::none(), py::kw_only(), py::arg("origin") = "text",
      py::arg("couple_mimic") = true, py::arg("package_folders") = py::tuple(),
      py::arg("warn") = true, py::arg("strict") = false, py::arg("inertia") = "warn",
      "loads(text, format=None, *, origin='text', couple_mimic=True, package_folders=(), "
      "warn=True, strict=False, inertia='warn')\n--\n\n"
      "The Robot that a text describes; format is \"urdf\" or \"json\", or None to tell by its "
      "first character.\n\norigin names the text in messages and resolves relative mesh paths; "
      "the other arguments are those of load.");
  m.def(
      "reads",
      [](const std::string& text, const py::object& format, const std::string& origin,
         bool couple_mimic, const py::object& folders, const std::string& inertia) {
        return both(read_text("reads", text, format, origin, {couple_mimic, folders, inertia}));
      },
      py::arg("text"), py::arg("format") = py::none(), py::kw_only(), py::arg("origin") = "text",
      py::arg("couple_mimic") = true, py::arg("package_folders") = py::tuple(),
      py::arg("inertia") = "warn",
      "reads(text, format=None, *, origin='text', couple_mimic=True, package_folders=(), "
      "inertia='warn')\n--\n\n"
      "As loads, with a report: (robot, list of Finding).");
  m.def(
      "builtin_robots",
      [] { return std::vector(builtin_robots().begin(), builtin_robots().end()); },
      "builtin_robots()\n--\n\n"
      "The names of the bundled robots; jounce.load(\"builtin:\" + name) gives one.");
}

/// A dict, or its JSON.
std::string json_text(const py::object& graph) {
  if (py::isinstance<py::dict>(graph))
    return py::module_::import("json").attr("dumps")(graph).cast<std::string>();
  if (py::isinstance<py::str>(graph) || py::isinstance<py::bytes>(graph))
    return graph.cast<std::string>();
  throw py::type_error("cut_loops: graph is of type " + type_name(graph) +
                       ", needs a dict, or JSON as str or bytes");
}

void bind_graphs(py::module_& m) {
  const auto cut = record(
      m, "CutJoint", "A joint that became a loop of its name.",
      Field{"joint", &CutJoint::joint, "Its name."},
      Field{"kind", [](const CutJoint& x) { return name(x.kind); }, "The loop's kind."},
      Field{"lost", &CutJoint::lost, "What of it no loop has: \"damping, limits\", or \"\"."});
  const py::object both =
      named_tuple(m, "CutGraph", "What cut_loops finds.",
                  {{"robot", "The Robot, whose loops were joints."},
                   {"cuts", "A list of CutJoint, in the order of the graph's joints."}});
  m.def(
      "cut_loops",
      [cut, both](const py::object& graph) {
        Reading reading = read_text("cut_loops", json_text(graph), py::str("json"), "graph",
                                    {true, py::tuple(), "warn"});
        py::list cuts;
        for (CutJoint& one : reading.cuts) cuts.append(cut(std::move(one)));
        return both(with_warnings(std::move(reading), true, "graph"), std::move(cuts));
      },
      py::arg("graph"),
      "cut_loops(graph)\n--\n\n"
      "A Robot whose joints may close cycles, and where they were cut, a CutGraph (robot, "
      "cuts).\n\n"
      "graph is a robot of the JSON format, a dict or its text. Of the joints that have one link "
      "as "
      "child, one stays in the tree (one with a motor before others, else the first), and the "
      "others become loops of their kind. load and loads cut such files as well.");
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
  bind_findings(m);
  bind_files(m);
  bind_texts(m);
  bind_graphs(m);
  bind_generate(m);
}

}  // namespace jounce::python
