# SPDX-License-Identifier: BSD-3-Clause
"""Every message of the group layer, word for word: what, found, needed."""

import unittest

import jounce as j
import numpy as np

CLOSEST = "; SO3.nearest(matrix) gives the closest rotation"


class Messages(unittest.TestCase):
    def assert_raises(self, kind, message, call, *arguments, **keywords):
        with self.assertRaises(kind) as caught:
            call(*arguments, **keywords)
        self.assertIs(type(caught.exception), kind)
        self.assertEqual(str(caught.exception), message)

    def refused(self, message, call, *arguments):
        self.assert_raises(j.InputError, message, call, *arguments)

    def wrong_type(self, message, call, *arguments):
        self.assert_raises(TypeError, message, call, *arguments)

    def failed(self, message, call, *arguments):
        self.assert_raises(j.ComputationError, message, call, *arguments)

    def test_kinds(self):
        self.assertTrue(issubclass(j.InputError, ValueError))
        self.assertTrue(issubclass(j.ComputationError, RuntimeError))
        self.assertEqual(j.InputError.__module__, "jounce")

    def test_shapes(self):
        z = np.zeros
        self.refused("SO3: matrix has shape (4, 4), needs (3, 3)", j.SO3, np.eye(4))
        self.refused("SO3.nearest: matrix has shape (3,), needs (3, 3)", j.SO3.nearest, z(3))
        self.refused("SE3: matrix has shape (3, 3), needs (4, 4)", j.SE3, np.eye(3))
        self.refused("SE3: R has shape (9,), needs (3, 3), or an SO3", j.SE3, z(9), z(3))
        self.refused("SE3: p has shape (3, 1), needs (3,)", j.SE3, j.SO3(), z((3, 1)))
        self.refused("Quaternion: xyzw has shape (3,), needs (4,)", j.Quaternion, z(3))
        self.refused("Twist: vector has shape (3,), needs (6,)", j.Twist, z(3))
        self.refused("Twist: w has shape (2,), needs (3,)", j.Twist, z(2), z(3))
        self.refused("Twist: v has shape (), needs (3,)", j.Twist, z(3), 1.0)
        self.refused("Wrench: vector has shape (1, 6), needs (6,)", j.Wrench, z((1, 6)))
        self.refused("Wrench: m has shape (2,), needs (3,)", j.Wrench, z(2), z(3))
        self.refused("Wrench: f has shape (0,), needs (3,)", j.Wrench, z(3), [])
        self.refused("Inertia: h has shape (2,), needs (3,)", j.Inertia, 1, z(2), np.eye(3))
        self.refused("Inertia: I has shape (6,), needs (3, 3)", j.Inertia, 1, z(3), z(6))
        self.refused("ArticulatedInertia: matrix has shape (5, 5), needs (6, 6), or an Inertia",
                     j.ArticulatedInertia, np.eye(5))
        for name in "ABM":
            blocks = {"A": np.eye(3), "B": np.eye(3), "M": np.eye(3), name: z(2)}
            self.refused(f"ArticulatedInertia: {name} has shape (2,), needs (3, 3)",
                         lambda b=blocks: j.ArticulatedInertia(**b))

    def test_shapes_in_functions(self):
        z = np.zeros
        self.refused("SO3 * x: x has shape (2,), needs (3,) or (n, 3), or an SO3",
                     lambda: j.SO3() * z(2))
        self.refused("SE3 * x: x has shape (3, 2), needs (3,) or (n, 3), or an SE3; Ad and dual_Ad "
                     "move twists and wrenches", lambda: j.SE3() * z((3, 2)))
        self.refused("exp: X has shape (6,), needs (3,), or a Twist", j.exp, z(6))
        self.refused("exp_quaternion: w has shape (4,), needs (3,)", j.exp_quaternion, z(4))
        self.refused("inverse_times: U has shape (4,), needs (3,)", j.inverse_times, j.SO3(), z(4))
        self.refused("hat: X has shape (6,), needs (3,), or a Twist", j.hat, z(6))
        self.refused("vee: m has shape (5, 5), needs (3, 3) or (4, 4)", j.vee, z((5, 5)))
        self.refused("vee: m has shape (4, 3), needs (4, 4) or (3, 3)", j.vee, z((4, 3)))
        both = "; X and Y are two vectors or two Twists"
        for f in (j.dexp_body, j.dexp_body_inv, j.dexp_space, j.dexp_space_inv):
            self.refused(f"{f.__name__}: Y has shape (2,), needs (3,){both}", f, z(3), z(2))
            self.wrong_type(f"{f.__name__}: X is of type Twist, needs real numbers of shape (3,)"
                            f"{both}", f, j.Twist(), z(3))
        self.refused("inertia_from_com: I_c has shape (3,), needs (3, 3)",
                     j.inertia_from_com, 1, j.SE3(), z(3))
        self.refused("inertia_from_parameters: pi has shape (9,), needs (10,)",
                     j.inertia_from_parameters, z(9))
        self.refused("inertia_from_pseudo: J has shape (3, 3), needs (4, 4)",
                     j.inertia_from_pseudo, z((3, 3)))

    def test_not_numbers(self):
        needs = "needs real numbers of shape (4, 4)"
        self.wrong_type(f"SE3: matrix is of type str, {needs}", j.SE3, "pose")
        self.wrong_type(f"SE3: matrix is of type NoneType, {needs}", j.SE3, None)
        self.wrong_type(f"SE3: matrix is of type list, {needs}", j.SE3, [[1, 2], [3]])
        self.wrong_type(f"SE3: matrix is an array of complex128, {needs}", j.SE3, 1j * np.eye(4))
        self.wrong_type(f"SE3: matrix is an array of bool, {needs}", j.SE3, np.eye(4) > 0)
        self.wrong_type("SE3 * x: x is of type Twist, needs real numbers of shape (3,) or (n, 3), "
                        "or an SE3; Ad and dual_Ad move twists and wrenches",
                        lambda: j.SE3() * j.Twist())
        self.refused("exp: X has shape (4, 4), needs (3,), or a Twist", j.exp, j.SE3())

    def test_nan_and_infinity(self):
        nan, inf = float("nan"), float("inf")
        bad = np.eye(4)
        bad[0, 3] = -inf
        self.refused("SE3: matrix[0, 3] is -inf, needs finite numbers", j.SE3, bad)
        self.refused("SO3: matrix[1, 0] is nan, needs finite numbers", j.SO3,
                     [[1, 0, 0], [nan, 1, 0], [0, 0, 1]])
        self.refused("Twist: w[1] is nan, needs finite numbers", j.Twist, [0, nan, 0], [0, 0, 0])
        self.refused("Quaternion: z is inf, needs a finite number", j.Quaternion, 0, 0, inf, 1)
        self.refused("Inertia: mass is nan, needs a finite number",
                     j.Inertia, nan, np.zeros(3), np.eye(3))
        self.refused("inertia_from_com: mass is inf, needs a finite number",
                     j.inertia_from_com, inf, j.SE3(), np.eye(3))
        self.refused("minus_outer: inverse_D is inf, needs a finite number",
                     j.minus_outer, j.ArticulatedInertia(), j.Wrench(), inf)
        self.refused("Twist * s: s is nan, needs a finite number", lambda: j.Twist() * nan)
        self.refused("Wrench * s: s is inf, needs a finite number", lambda: inf * j.Wrench())
        self.refused("SE3 * x: x[1, 2] is nan, needs finite numbers",
                     lambda: j.SE3() * [[0, 0, 0], [0, 0, nan]])

    def test_rotations(self):
        defect = "is no rotation: R^T R differs from 1 by 0.0201, needs at most 1e-06"
        self.refused(f"SO3: matrix {defect}{CLOSEST}", j.SO3, 1.01 * np.eye(3))
        self.refused(f"SE3: R {defect}{CLOSEST}", j.SE3, 1.01 * np.eye(3), np.zeros(3))
        self.refused(f"SE3: matrix[:3, :3] {defect}{CLOSEST}", j.SE3,
                     np.diag([1.01, 1.01, 1.01, 1]))
        self.refused("SO3: matrix is no rotation: its determinant is -1 (a reflection), needs 1" +
                     CLOSEST, j.SO3, np.diag([1, 1, -1]))
        self.refused("SO3: matrix is no rotation: R^T R differs from 1 by inf, needs at most 1e-06"
                     + CLOSEST, j.SO3, np.full((3, 3), 1e200))
        self.refused("SE3: last row of matrix is [0, 0, 1, 1], needs [0, 0, 0, 1]", j.SE3,
                     np.eye(4) + np.eye(4, k=-1) * [0, 0, 1, 0])
        j.SO3(np.eye(3) * (1 + 4e-7))  # within the tolerance
        for name in ("to_rotation", "log", "inverse"):
            self.refused(f"{name}: quaternion has length 2, needs 1 within 1e-06; normalize(q) "
                         "gives it", getattr(j, name), j.Quaternion(0, 2, 0, 0))
        self.refused("normalize: quaternion has length 0, needs a direction", j.normalize,
                     j.Quaternion(0, 0, 0, 0))

    def test_inertias(self):
        skew = np.eye(3) + np.diag([2, 0], 1)
        tail = "is not symmetric: [0, 1] is 2, [1, 0] is 0"
        self.refused(f"Inertia: I {tail}", j.Inertia, 1, np.zeros(3), skew)
        self.refused(f"inertia_from_com: I_c {tail}", j.inertia_from_com, 1, j.SE3(), skew)
        self.refused(f"ArticulatedInertia: A {tail}", j.ArticulatedInertia, skew, skew, np.eye(3))
        self.refused("ArticulatedInertia: matrix is not symmetric: [4, 5] is 1, [5, 4] is 0",
                     j.ArticulatedInertia, np.eye(6) + np.diag([0, 0, 0, 0, 1], 1))
        self.refused("inertia_from_pseudo: J is not symmetric: [2, 3] is 1, [3, 2] is 0",
                     j.inertia_from_pseudo, np.eye(4) + np.diag([0, 0, 1], 1))
        self.refused("Inertia: mass is 0, com needs a mass", lambda: j.Inertia().com)

    def test_computations(self):
        self.failed("solve: IA has the eigenvalue -1, needs a positive definite inertia", j.solve,
                    j.ArticulatedInertia(np.diag([1, 1, 1, 1, 1, -1])), j.Wrench())
        self.failed("SO3.nearest: matrix has singular values [2, 0, 0], several rotations are "
                    "equally close", j.SO3.nearest, np.diag([2, 0, 0]))
        self.failed("SO3.nearest: matrix has singular values [1, 1, 1], several rotations are "
                    "equally close", j.SO3.nearest, -np.eye(3))
        turn = [0, 2 * np.pi, 0]
        for name in ("dexp_body_inv", "dexp_space_inv"):
            message = f"{name}: |w| is 6.28319, a multiple of 2 pi, where dexp has no inverse"
            self.failed(message, getattr(j, name), turn, turn)
            self.failed(message, getattr(j, name), j.Twist(turn, turn), j.Twist())

    def test_types_do_not_mix(self):
        self.wrong_type("unsupported operand type(s) for +: 'jounce.Twist' and 'jounce.Wrench'",
                        lambda: j.Twist() + j.Wrench())
        self.wrong_type("unsupported operand type(s) for -: 'jounce.Wrench' and 'jounce.Twist'",
                        lambda: j.Wrench() - j.Twist())
        self.wrong_type("unsupported operand type(s) for *: 'jounce.Inertia' and 'jounce.Wrench'",
                        lambda: j.Inertia() * j.Wrench())
        self.wrong_type("unsupported operand type(s) for *: 'numpy.ndarray' and 'jounce.SE3'",
                        lambda: np.eye(4) * j.SE3())
        for wrong in (lambda: j.Ad(j.SE3(), j.Wrench()), lambda: j.dual_Ad(j.SE3(), j.Twist()),
                      lambda: j.dot(j.Twist(), j.Twist()), lambda: j.Twist().is_approx(j.Wrench())):
            self.assertRaises(TypeError, wrong)

    def test_comparison(self):
        message = "SE3: == would compare rounding errors, use is_approx(other)"
        self.wrong_type(message, lambda: j.SE3() == j.SE3())
        self.wrong_type(message, lambda: j.SE3() != j.SE3())
        self.wrong_type("unhashable type: 'jounce.SE3'", hash, j.SE3())
        self.refused("is_approx: tolerance is -1, needs a number >= 0", j.SE3().is_approx, j.SE3(),
                     -1)
        self.refused("unpickling: state has 3 numbers, needs 6",
                     lambda: j.Twist.__new__(j.Twist).__setstate__((1, 2, 3)))


if __name__ == "__main__":
    unittest.main()
