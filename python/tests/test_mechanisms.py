# SPDX-License-Identifier: BSD-3-Clause
"""Closed mechanisms from Python: assemblies, kinematics, what joints transmit, graphs."""

import json
import unittest
import warnings

import jounce as j
import numpy as np
from robots import FIVE_BAR_STATE, RobotTest

Q, V, A = FIVE_BAR_STATE


class Mechanisms(RobotTest):
    """Assemblies, kinematics and joint wrenches of the five-bar."""

    def setUp(self):
        super().setUp()
        robot = json.loads(j.load("builtin:five_bar").to_json())
        loop = robot["loops"][0]
        robot.setdefault("frames", []).append(
            {"name": "tip", "link": loop["link_1"], "placement": loop["placement_1"]})
        self.robot = j.loads(json.dumps(robot))
        self.dyn = j.ConstrainedDynamics(self.robot)

    def test_assemblies(self):
        found = self.dyn.assemblies([2, 0, 1, 0])
        self.assertTrue(found.complete)
        self.assertEqual(found.q.shape, (2, 4))
        self.assertAlmostEqual(found.discriminant, 0.6770191374064628, 14)
        off = np.abs(np.remainder(found.q - Q + np.pi, 2 * np.pi) - np.pi).max(axis=1)
        self.assertLess(off.min(), 1e-14)
        none = self.dyn.working_modes(0, [9, 0, 0], Q)
        self.assertEqual((none.q.shape, none.worst_loop), ((0, 4), 0))
        self.assertLess(none.discriminant, 0)
        newton = j.ConstrainedDynamics(j.load("builtin:stewart"))
        few = newton.assemblies(newton.robot.closed(), starts=3, seed=2)
        self.assertEqual((few.complete, few.starts), (False, 3))
        with self.assertRaisesRegex(j.InputError, "1 more coordinates free than are kept"):
            self.dyn.assemblies(Q, [True, False, False, False])

    def test_working_modes(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the tree will do
            tip = j.Kinematics(self.robot).at(Q).pose("tip").p
        modes = self.dyn.working_modes(0, tip, Q)
        self.assertEqual(modes.q.shape, (4, 4))
        self.assert_close(modes.q[0], Q, 1e-13)
        for q in modes.q:
            self.assert_close(self.dyn.closure(q), np.zeros(5), 1e-14)

    def test_jacobian(self):
        kin = j.ClosedKinematics(self.robot)
        self.assertEqual(kin.mobility, 2)
        motion = kin.motion(Q)
        self.assert_close(self.dyn.jacobian(Q) @ motion, np.zeros((5, 2)), 1e-13)
        self.assert_close(motion[[0, 2]], np.eye(2), 1e-13)
        J = kin.jacobian(Q, "tip", "hybrid")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = j.Kinematics(self.robot).at(Q).jacobian_hybrid("tip")
        self.assert_close(J, tree @ motion, 1e-13)
        self.assertEqual(kin.jacobian(Q, "tip", driven=[True, True, True, False]).shape, (6, 3))
        with self.assertRaisesRegex(j.ComputationError, "determine 1 of its 2"):
            kin.motion(Q, [True, False, False, False])
        s = kin.singularity(Q, "tip")
        self.assertEqual((s.mobility, s.instantaneous), (2, 2))
        self.assertGreater(min(s.rows, s.passive, s.frame, s.position), 0.01)

    def test_inverse_kinematics(self):
        kin = j.ClosedKinematics(self.robot)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = j.Kinematics(self.robot).at(Q).pose("tip")
        target = j.SE3(start.R, start.p + [0.02, 0, 0.03])
        found = kin.solve("tip", target, Q, rotation_weight=0)
        self.assertTrue(found.converged)
        self.assertEqual(found.end, "converged")
        self.assert_close(self.dyn.closure(found.q), np.zeros(5), 1e-12)
        far = kin.solve("tip", j.SE3(start.R, start.p + [0, 0, 9]), Q, rotation_weight=0,
                        max_restarts=1)
        self.assertEqual((far.converged, far.end), (False, "out_of_reach"))

    def test_joint_wrenches(self):
        f = self.dyn.inverse(Q, V, A)
        wrenches = j.ConstrainedWrenches(self.robot).joint_wrenches(Q, V, A, f.lambda_)
        joint = wrenches.joints["left_distal_joint"]  # passive: no moment about its axis
        self.assertGreater(np.linalg.norm(joint.f), 0.1)
        self.assertAlmostEqual(joint.m[1], 0, 12)

    def test_graphs_are_cut(self):
        graph = json.loads(self.robot.to_json())
        loop = graph["loops"].pop()
        graph["joints"].append({
            "name": "pin", "kind": "revolute", "axes": [[0, 0, 1]], "parent": loop["link_1"],
            "child": loop["link_2"], "placement": loop["placement_1"], "actuated": False})
        at = loop["placement_2"]
        R, p = np.array(at["rotation"]).reshape(3, 3), np.array(at["position"])
        graph["joints"][-1]["child_placement"] = {
            "rotation": R.T.ravel().tolist(), "position": (-R.T @ p).tolist()}
        cut = j.ConstrainedDynamics(j.loads(json.dumps(graph)))
        self.assertEqual([one.name for one in cut.robot.loops], ["pin"])
        graph["joints"][-1]["damping"] = [0.1]
        for given in (graph, json.dumps(graph), json.dumps(graph).encode()):
            with self.assertWarnsRegex(UserWarning, 'joint "pin": damping, which a loop has not'):
                found = j.cut_loops(given)
            self.assertEqual(found.cuts, [("pin", "revolute", "damping")])
            self.assertEqual(found.robot.to_json(), cut.robot.to_json())
        self.assertEqual(j.cut_loops(self.robot.to_json()).cuts, [])
        for joint in graph["joints"]:
            joint["actuated"] = True
        with self.assertRaisesRegex(j.InputError, "graph:1:.*closes a loop and has a motor"):
            j.cut_loops(graph)
        with self.assertRaisesRegex(TypeError, "cut_loops: graph is of type int, needs a dict"):
            j.cut_loops(3)
        self.assert_close(cut.forward(Q, V, A).a, self.dyn.forward(Q, V, A).a, 1e-9)


if __name__ == "__main__":
    unittest.main()
