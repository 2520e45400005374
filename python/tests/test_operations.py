# SPDX-License-Identifier: BSD-3-Clause
"""Robots made from robots, from Python: relative poses before and after, and messages."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest


def relative(robot, q, a, b):
    """The pose of b in a."""
    kinematics = j.Kinematics(robot).at(q)
    return j.inverse_times(kinematics.pose(a), kinematics.pose(b))


class Operations(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.q = self.arm.random(6)

    def assert_same_pose(self, T, U):
        self.assertTrue(T.is_approx(U, 1e-12), f"{T}\n{U}")

    def test_lock_joints(self):
        locked = j.lock_joints(self.arm, {"joint_2": self.q[1], "joint_5": [self.q[4]]})
        self.assertEqual((locked.nv, locked.links), (5, self.arm.links))
        self.assert_same_pose(relative(locked, np.delete(self.q, [1, 4]), "base", "flange"),
                              relative(self.arm, self.q, "base", "flange"))

    def test_attach(self):
        placement = j.SE3(j.exp([0, 0.1, 0]), [0, 0, 0.2])
        tool = {"name": "gripper", "mass": np.float64(0.8), "com": np.array([0, 0, 0.05]),
                "inertia": [1e-3, 0, 1e-3, 0, 0, 1e-3]}
        for frame in "flange", self.arm.frame("flange"):
            armed = j.attach(self.arm, frame, tool, placement)
            self.assertAlmostEqual(armed.mass, self.arm.mass + 0.8)
            self.assert_same_pose(relative(armed, self.q, "flange", "gripper"), placement)
            self.assert_close(armed.inertia("gripper").com, [0, 0, 0.05])

    def test_merge(self):
        wrist = {"name": "wrist", "kind": "revolute", "axes": [[0, 0, 1]], "lower": -1, "upper": 1}
        both = j.merge(self.arm, "flange", j.load("builtin:planar_2r"), prefix="little_",
                       joint=wrist)
        self.assertEqual((both.nv, both.name), (10, "arm7"))
        self.assertEqual(both.limits.upper[both.joint("wrist").v], [1])
        angle = relative(both, [*self.q, 0.3, 0, 0], "flange", both.links[-3])
        self.assert_same_pose(angle, j.SE3(j.exp([0, 0, 0.3]), np.zeros(3)))
        self.assertEqual(j.merge(self.arm, 8, self.arm, j.SE3(), "b_").nv, 14)

    def test_sub_robot(self):
        leg = j.sub_robot(j.load("builtin:quadruped"), "hind_right_thigh", ["hind_right_foot"])
        self.assertEqual(leg.links[0], "hind_right_thigh")
        self.assertIn("hind_right_foot", leg.links)

    def test_with_gravity_and_base(self):
        moon = j.with_gravity(self.arm, [0, 0, -1.62])
        self.assert_close(moon.gravity, [0, 0, -1.62])
        self.assert_close(self.arm.gravity, [0, 0, -9.81])
        self.assertEqual(j.with_base(self.arm, "free").nv, 13)
        self.assertEqual(j.with_base(self.arm, "floating").to_json(),
                         j.with_base(self.arm, "free").to_json())
        placement = j.SE3(j.SO3(), [0, 0, 1])
        cart = j.with_base(self.arm, {"kind": "planar", "axes": [[0, 0, 1]],
                                      "placement": placement})
        self.assertEqual(cart.joints[0].kind, "planar")
        self.assert_same_pose(relative(cart, cart.neutral(), "base", "base"), j.SE3())
        self.assert_close(j.Kinematics(cart).at(cart.neutral()).pose("base").p, [0, 0, 1])

    def test_reorder(self):
        tree = j.generate(shape="branches", branches=2, bodies=6, seed=2)
        names = [joint.name for joint in tree.joints]
        order = names[3:] + names[:3]
        robot, permutation = j.reorder(tree, order)
        self.assertEqual([joint.name for joint in robot.joints], order)
        q, v = tree.random(1), self.vector(tree.nv)
        self.assert_same_pose(relative(robot, permutation.apply_q(q), "base", "tool"),
                              relative(tree, q, "base", "tool"))
        np.testing.assert_array_equal(permutation.undo_q(permutation.apply_q(q)), q)
        np.testing.assert_array_equal(permutation.undo_v(permutation.apply_v(v)), v)
        np.testing.assert_array_equal(v[permutation.v], permutation.apply_v(v))
        self.assertEqual(j.permutation(tree, order).q, permutation.q)

    def test_reroot(self):
        robot, coordinates, dropped = j.reroot(self.arm, "link_7")
        self.assertEqual(dropped, [])
        q = coordinates.q(self.q)
        self.assert_same_pose(relative(robot, q, "base", "flange"),
                              relative(self.arm, self.q, "base", "flange"))
        v = coordinates.v(self.q, self.vector(7))
        self.assertEqual(v.shape, (7,))

    def test_generated_robots_repeat(self):
        a, b = (j.generate(bodies=5, kinds=["spherical"], name="s", seed=4) for _ in range(2))
        self.assertEqual(a.to_json(), b.to_json())
        self.assertEqual((a.name, a.nq, a.nv), ("s", 20, 15))


class Messages(RobotTest):
    def test_names(self):
        arm = j.load("builtin:arm7")
        self.refused('lock_joints: robot "arm7" has no moving joint "j"; nearest: "joint_1", '
                     '"joint_2", "joint_3"', j.lock_joints, arm, {"j": 1})
        self.refused('lock_joints: joint "joint_1": values has 2 elements, needs 1',
                     j.lock_joints, arm, {"joint_1": [1, 2]})
        self.refused('lock_joints: values["joint_1"] is nan, needs finite numbers',
                     j.lock_joints, arm, {"joint_1": np.nan})
        self.refused('attach: robot "arm7" has no link or frame "hand"; nearest: "base", "flange", '
                     '"link_1"', j.attach, arm, "hand", {"name": "x"})
        self.refused('permutation: joint "joint_1" is missing from the list',
                     j.permutation, arm, [])
        self.refused("Permutation: q has 2 elements, needs 7",
                     j.permutation(arm, [x.name for x in arm.joints]).apply_q, [0, 0])
        self.refused('sub_robot: robot "arm7" has no link "x"; nearest: "base", "link_1", "link_2"',
                     j.sub_robot, arm, "x")

    def test_descriptions(self):
        arm = j.load("builtin:arm7")
        self.refused('attach: payload: key "masss" of link "x" means nothing',
                     j.attach, arm, "flange", {"name": "x", "masss": 1})
        self.refused('attach: payload: link "x": mass -1 is negative',
                     j.attach, arm, "flange", {"name": "x", "mass": -1})
        self.wrong_type("a value of type object cannot be part of a description",
                        j.attach, arm, "flange", {"name": object()})
        self.refused("merge: joint: child follows from the call and cannot be given",
                     j.merge, arm, "flange", arm, joint={"child": "x"})
        self.refused('with_base: base: key "lower" is not one of kind, placement, axes, pitch, '
                     'parts', j.with_base, arm, {"kind": "free", "lower": 1})
        self.refused('with_base: kind "float" is not one of fixed, revolute, prismatic, helical, '
                     'cylindrical, universal, planar, translational, spherical, euler_ball, free, '
                     'circle, composite, custom', j.with_base, arm, "float")
        self.refused('generate: shape is "star", needs "chain", "branches", "binary_tree" or '
                     '"random_tree"', j.generate, shape="star")


if __name__ == "__main__":
    unittest.main()
