# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers have, Python has: classes, free functions, and methods of classes.

The headers are read as text: what begins at the first column of a file of include/jounce, or at the
second level of a class there. What has no twin stands below, with the reason.
"""

import pathlib
import re
import unittest

import jounce

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "include" / "jounce"

KEYWORDS = "its members are keyword arguments"
MEMBERS = "its members are those of a named tuple, or arrays"
MEMORY = "how C++ hands over numbers; Python has arrays"
NUMBERS = "for other kinds of number; Python has double"
FILES = "Python reads and writes files by path, or text by loads and to_json"
FINDINGS = "a property, or the text, of Finding"
ABSENT = "not there yet"

CLASSES = {
    **dict.fromkeys(("AlongOptions AssemblyOptions EventOptions FeedbackOptions GradientOptions "
                     "IkOptions LandingOptions MinimumMotionOptions ReadOptions RunOptions "
                     "SimulationOptions StopOptions VelocityOptions Contact Parameter Plane "
                     "OutsideWrenchSeries SeriesSurroundings Law AdaptiveGains NominalState").split(), KEYWORDS),
    **dict.fromkeys(("AssemblyReport BaseParameters ClosedIkReport ConstraintReport IkReport "
                     "VelocityReport RobotState RegulatorNumbers SecondBlocks MassDerivatives "
                     "Christoffel ChristoffelDerivatives RegressorColumns RegressorMatrix Loaded "
                     "Place").split(), MEMBERS),
    **dict.fromkeys("Matrix MatrixArg Tensor".split(), MEMORY),
    "FileError": "an InputError whose text has all faults",
    "UnreadableError": "an OSError with the same text",
    "ForceTable": FILES,
    **dict.fromkeys("CompliantGround Feedback Propeller".split(), KEYWORDS),
    **dict.fromkeys("EventReport LimitReport GlobalMatrices StackedState".split(), MEMBERS),
    **dict.fromkeys("Innovations SpatialMatrices ParkJacobian".split(), ABSENT),
}
FUNCTIONS = {
    **dict.fromkeys("is_told level lines name remedy text".split(), FINDINGS),
    **dict.fromkeys(("read_checkpoint read_forces read_record record_format write_checkpoint "
                     "write_csv write_json write_npz write_record write_urdf read_motion "
                     "read_json read_urdf read_robot").split(), FILES),
    "integrator_named": "Simulation takes the name",
    "minimum_snap": "minimum_derivative_spline with s = 4",
    "polynomial_move": "interpolate, of two rows",
    "one_after_the_other": "interpolate",
    "position_names": "Robot.joints have names and slices",
    "velocity_names": "Robot.joints have names and slices",
    "assemblies": "a method of ConstrainedDynamics",
    "working_modes": "a method of ConstrainedDynamics",
    "parameter_kind": "Parameter takes the name",
    "parameter_rates": NUMBERS,
    "to_eigen": MEMORY,
}
METHODS = {
    "AdaptiveController": {"set_estimate": "estimate can be set"},
    "Command": dict.fromkeys("has_derivatives joint_law law next_break pose_path".split(),
                             "of the simulation, not of the user"),
    "ConstrainedDerivatives": {"set_path": ABSENT},
    "ConstrainedDynamics": {"set_path": ABSENT},
    "ConstrainedSeries": {"set_path": ABSENT},
    "ConstrainedSensitivity": {"parameters": "those it was made with", "set_path": ABSENT},
    "ConstrainedWrenches": {"outside": "a step of its other methods"},
    "GlobalMatrices": dict.fromkeys("C_of GS GS_rate".split(), "products of its matrices"),
    "GeometrySensitivity": {"parameters": "those it was made with"},
    "Sensitivity": {"parameters": "those it was made with"},
    "MinimumMotion": {"options": KEYWORDS},
    "Move": {"at": "along", "check": "along", "derivatives": "move(t, order)"},
    "Propellers": {"squared_speeds": "speeds, squared"},
    "PiecewisePolynomial": dict.fromkeys("degree end next_knot start".split(), "times has them"),
    "Record": {"add": "Simulation.run", "reserve": MEMORY, "size": "len(record)"},
    "SplinePath": {"derivative": "path(t, order)"},
    "Simulation": {"options": KEYWORDS, "at": "a Moment is what events are given"},
}


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


CLASS = re.compile(r"^(class|struct) (\w+)(?: final)?(?: : [^{;]*)? \{(.*?)^\};", re.M | re.S)
METHOD = re.compile(r"  (?:static |explicit |constexpr )*(?!return|throw|else|if|for|while|friend|"
                    r"using|requires)[\w:]+(?:<[^()]*>)?[ &\*]+(\w+)\(.*")
FUNCTION = re.compile(r"^(?!class|struct|using|template|return|friend)[\w:]+(?:<[^()]*>)?[ &\*]+"
                      r"(\w+)\([^;]*?\);", re.M)


def public_methods(kind, name, body):
    """Declarations at the second level; a class begins with what is private."""
    public = kind == "struct"
    for line in body.split("\n"):
        if re.match(r" (public|private|protected):", line):
            public = "public" in line
        found = METHOD.fullmatch(line)
        if public and found and found[1] != name and not found[1].endswith("_"):
            yield found[1]


class Twins(unittest.TestCase):
    def setUp(self):
        self.classes, self.functions = {}, set()
        for path in sorted(HEADERS.glob("*.hpp")):
            text = without_comments(path.read_text())
            text = re.sub(r"namespace detail \{.*?^\}", "", text, flags=re.S | re.M)
            for kind, name, body in CLASS.findall(text):
                self.classes[name] = set(public_methods(kind, name, body))
            self.functions |= set(FUNCTION.findall(CLASS.sub("", text)))

    def test_the_headers_are_read(self):
        self.assertIn("inverse", self.classes["Series"])
        self.assertIn("along", self.functions)
        self.assertGreater(len(self.classes), 100)

    def test_classes(self):
        missing = {name for name in self.classes if not name.startswith("Basic")}  # NUMBERS
        missing -= set(dir(jounce)) | set(CLASSES)
        self.assertEqual(missing, set())

    def test_functions(self):
        self.assertEqual(self.functions - set(dir(jounce)) - set(FUNCTIONS), set())

    def test_methods(self):
        plumbing = {"operator", "robot", "copy_numbers", "into", "to", "columns", "made", "found",
                    "numbers", "another"}  # the last is clone, for threads of C++
        for name, methods in self.classes.items():
            if not hasattr(jounce, name) or hasattr(getattr(jounce, name), "_fields"):
                continue
            public = {x for x in methods if not x.startswith(("run_", "write_"))} - plumbing
            missing = public - set(dir(getattr(jounce, name))) - set(METHODS.get(name, ()))
            self.assertEqual(missing, set(), name)

    def test_what_is_left_out_is_not_there(self):
        self.assertEqual({x for x in CLASSES if CLASSES[x] == ABSENT} & set(dir(jounce)), set())
        for name, methods in METHODS.items():
            for method in methods:
                self.assertFalse(hasattr(getattr(jounce, name), method), f"{name}.{method}")


if __name__ == "__main__":
    unittest.main()
