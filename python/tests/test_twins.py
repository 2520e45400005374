# SPDX-License-Identifier: BSD-3-Clause
"""What the public headers have, Python has: classes, free functions, and methods of classes.

The headers are read as text: what begins at the first column of a file of include/jounce and its
folders, or at the second level of a class there. What has no twin stands below, with the reason;
folders and files of which algorithms are made, not calls, are passed over whole (INSIDE).
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
ARRAYS = "NumPy has it"
JSON = "robots are described as JSON: loads, Robot.to_json"
SEEDS = "random robots of tests and benchmarks"
READING = "a paper's form kept for reading; its numbers are those of Dynamics and its derivatives"
STEP = "a step of an equation that Python has as a whole"
PRINTED = "a line of a page that `jounce stewart` prints"

INSIDE = {
    "algorithm": "templates on models, which the doors call",
    "equations": "how the doors call them",
    "door": "what doors are made of",
    "integrators": "steps of Simulation",
    "scalar": NUMBERS,
    "model": "how a Robot is stored and moves; what of it is called stands in MODEL",
}
MODEL = ("cut_loops generate operations physical_inertia product_of_exponentials robot "
         "description custom flexible_link").split()

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
    **dict.fromkeys("EventReport LimitReport StackedState".split(), MEMBERS),
    **dict.fromkeys("Innovations SpatialMatrices ParkJacobian ForwardByPasses HybridByPasses "
                    "ConstrainedPasses PassCount SpatialRates SpatialWrench".split(), READING),
    **dict.fromkeys(("AllPosesOptions BranchSurveyOptions CutOptions FactorRange Flexibility "
                     "GeneratorOptions PoseSolverOptions RerootOptions StewartMethodOptions "
                     "TiedJoint WorkspaceBox DhRow DhTable SensorReading").split(), KEYWORDS),
    **dict.fromkeys(("BranchShares FrameInfo LegAngles LegBodies MethodVariant PoseSlice Reordered "
                     "Rerooted RobotChain SlicePoint WorkspaceGrid WorkspaceMap").split(), MEMBERS),
    **dict.fromkeys(("Box Capsule Cylinder FrameDescription JointDescription "
                     "JointGeometry LinkDescription Mesh Mimic RobotDescription Shape "
                     "Sphere").split(), JSON),
    **dict.fromkeys("Mat3 Sym3 Vec3".split(), ARRAYS),
    **dict.fromkeys("XiePrint XieRange XieRun XieVariant".split(), PRINTED),
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
    "to_description": "PoeLocal.robot",
    **dict.fromkeys(("park_mass_derivative park_mass_second_derivative ploen_blocks ploen_matrix "
                     "spatial_matrices innovations run_algorithm_1 "
                     "simplified_hybrid").split(), READING),
    **dict.fromkeys(("block_of inverse_of_joint sum_of_powers stack_bodies zero_rates congruent "
                     "image product transposed_image transposed_product require_times to_numbers "
                     "require_within_limits ground_force bias_wrench net_wrench displaced "
                     "moved_along shift twist_of minus_both_products minus_times_hat hat_products "
                     "rodrigues "
                     "congruence check_beam bend_of segment_of move_to_segment link_inertia "
                     "mean_of share_of slopes_of correlation_of").split(), STEP),
    **dict.fromkeys(("cross determinant norm select squared_norm symmetric trace transpose "
                     "transpose_times").split(), ARRAYS),
    **dict.fromkeys("to_mat3 to_matrix to_pose to_twist to_vec3 to_wrench".split(), MEMORY),
    **dict.fromkeys("cast lie_taylor custom_joint".split(), NUMBERS),
    **dict.fromkeys("to_body to_local to_space home_poses".split(),
                    "methods of PoeLocal and others"),
    "home_screw": "Twist(axis, cross(point, axis) + pitch * axis)",
    **dict.fromkeys(("is_circle is_composite is_custom is_fixed is_free is_helical is_planar "
                     "is_prismatic is_revolute is_spherical all_joint_kinds").split(),
                    "Joint.kind is a name"),
    **dict.fromkeys("generate_benchmark_tree generate_chain generate_four_bars".split(), SEEDS),
    **dict.fromkeys(("in_unit survey_variants xie_algorithm_claims xie_cell_claims xie_data_claims "
                     "xie_pose xie_ranges xie_reason xie_text_claims "
                     "xie_variants").split(), PRINTED),
}
METHODS = {
    "Robot": dict.fromkeys("bodies check_q check_v has_mimic has_passive has_springs".split(),
                           "asked for by doors; Robot.joints tells it"),
    "Estimate": dict.fromkeys("above_zero below_zero".split(), "low > 0, high < 0"),
    "PoseSensor": dict.fromkeys("apart is_angle".split(), STEP),
    "MethodSurvey": dict.fromkeys("samples variant".split(), PRINTED),
    "XieCell": {"difference": PRINTED},
    "AdaptiveController": {"set_estimate": "estimate can be set"},
    "Command": dict.fromkeys("has_derivatives joint_law law next_break pose_path".split(),
                             "of the simulation, not of the user"),
    "ConstrainedSensitivity": {"parameters": "those it was made with"},
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
FUNCTION = re.compile(r"^(?!class|struct|using|template|return|friend)(?:inline |constexpr |const )*"
                      r"[\w:]+(?:<[^()]*>)?[ &\*]+(\w+)\([^;]*?\)(?: noexcept)?(?:;| \{)", re.M)


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
        for path in sorted(HEADERS.rglob("*.hpp")):
            folder = path.relative_to(HEADERS).parts[0]
            if folder in INSIDE and not (folder == "model" and path.stem in MODEL):
                continue
            text = without_comments(path.read_text())
            text = re.sub(r"namespace detail \{.*?^\}", "", text, flags=re.S | re.M)
            for kind, name, body in CLASS.findall(text):
                self.classes[name] = set(public_methods(kind, name, body))
            self.functions |= set(FUNCTION.findall(CLASS.sub("", text)))

    def test_the_headers_are_read(self):
        self.assertIn("inverse", self.classes["Series"])
        self.assertIn("along", self.functions)
        self.assertGreater(len(self.classes), 100)

    def test_what_is_left_out_is_in_the_headers(self):
        self.assertEqual(set(CLASSES) - set(self.classes), set())
        self.assertEqual(set(FUNCTIONS) - self.functions, set())

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
        self.assertEqual((set(CLASSES) | set(FUNCTIONS)) & set(jounce.__all__)
                         - {"to_body", "to_local", "to_space"}, set())
        for name, methods in METHODS.items():
            for method in methods:
                self.assertFalse(hasattr(getattr(jounce, name), method), f"{name}.{method}")


if __name__ == "__main__":
    unittest.main()
