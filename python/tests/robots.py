# SPDX-License-Identifier: BSD-3-Clause
"""Robots and checks that the tests of robots share."""

import unittest

import jounce as j
import numpy as np

KINDS = ["revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "translational",
         "spherical", "euler_ball", "free", "composite"]
# q, v, a of builtin:five_bar on its loop.
FIVE_BAR_STATE = (np.array([2, -1.0187957003519148, 1, 1.0732881017505773]),
                  np.array([1.5, -2.044528394613004, -0.7, 1.669196553413427]),
                  np.array([3, -3.8797164317969806, -2, 4.311665324159879]))


def random_robots():
    """Trees with every kind of joint, fixed links and mimics, and the bundled robots."""
    for seed in range(1, 9):
        yield j.generate(shape="random_tree", bodies=7, kinds=KINDS, free_base=seed % 2 == 0,
                         mimic=True, fixed_links=True, child_placements=True, passive=True,
                         seed=seed)
    for name in j.builtin_robots():
        yield j.load("builtin:" + name)


class RobotTest(unittest.TestCase):
    """Random vectors, the same in every run, and messages compared word for word."""

    def setUp(self):
        self.numbers = np.random.default_rng(11)

    def vector(self, n):
        return self.numbers.normal(size=n)

    def assert_close(self, a, b, tolerance=1e-12, message=""):
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance, equal_nan=False,
                                   err_msg=str(message))

    def assert_raises(self, kind, message, call, *arguments, **keywords):
        with self.assertRaises(kind) as caught:
            call(*arguments, **keywords)
        self.assertIs(type(caught.exception), kind)
        self.assertEqual(str(caught.exception), message)

    def refused(self, message, call, *arguments, **keywords):
        self.assert_raises(j.InputError, message, call, *arguments, **keywords)

    def wrong_type(self, message, call, *arguments, **keywords):
        self.assert_raises(TypeError, message, call, *arguments, **keywords)
