# SPDX-License-Identifier: BSD-3-Clause
"""Closed loops by named parameters, against linkages that are built anew and closed again."""

import json
import unittest

import jounce as j
import numpy as np
from robots import FIVE_BAR_STATE, RobotTest

Q, V, A = FIVE_BAR_STATE


class ConstrainedSensitivity(RobotTest):
    def setUp(self):
        super().setUp()
        self.dyn = j.ConstrainedDynamics(j.load("builtin:five_bar"))
        self.derivatives = j.ConstrainedDerivatives(self.dyn.robot)
        self.tau = np.array([0.3, 0, -0.2, 0])

    def rate(self, edit):
        """Accelerations of closed states by a number of the robot's file."""
        def acceleration(step):
            robot = json.loads(self.dyn.robot.to_json())
            edit(robot, step)
            dyn = j.ConstrainedDynamics(j.loads(json.dumps(robot)))
            q = dyn.assemble(Q).q
            return dyn.forward(q, dyn.project(q, V), self.tau).a

        h = 1e-5
        return (acceleration(h) - acceleration(-h)) / (2 * h)

    def test_joints_and_links(self):
        named = [("payload", "right_distal", 0), ("placement", "left_distal_joint", 3)]
        to = j.ConstrainedSensitivity(self.dyn.robot, named)
        d = to.forward(Q, V, self.tau)
        closed = to.closed(Q, V)
        self.assertEqual(d.dlambda_dp.shape, (5, 2))
        self.assertTrue(np.all(closed.dq_dp[:, 0] == 0))  # a mass does not move the loop
        self.assertLess(np.abs(closed.open_dp).max(), 1e-14)
        by = self.derivatives.forward(Q, V, self.tau)
        longer = (d.dx_dp + by.da_dq @ closed.dq_dp + by.da_dv @ closed.dv_dp)[:, 1]

        def edit(robot, step):
            robot["joints"][1]["placement"]["position"][0] += step

        self.assertEqual(json.loads(self.dyn.robot.to_json())["joints"][1]["name"], named[1][1])
        self.assert_close(longer, self.rate(edit), 1e-3)
        inverse = to.inverse(Q, V, A, optimum="torque")
        self.assertTrue(np.all(inverse.dx_dp[[1, 3]] == 0))  # no motors
        rub = np.array([0, 0.01, 0, -0.02])
        once, twice = (to.inverse(Q, V, A, passive_forces=k * rub).dx_dp for k in (1, 2))
        self.assert_close(twice - 2 * once + to.inverse(Q, V, A).dx_dp, 0 * once, 1e-12)
        self.assertGreater(np.abs(once - to.inverse(Q, V, A).dx_dp)[:, 1].max(), 1e-4)
        hybrid = to.hybrid([True, False, True, False], Q, V, A, np.zeros(4))
        self.assert_close(hybrid.dx_dp[[0, 2]], inverse.dx_dp[[0, 2]]
                          + self.derivatives.inverse(Q, V, A).dtau_da[[0, 2]][:, [1, 3]]
                          @ hybrid.dx_dp[[1, 3]], 1e-10)

    def test_loops(self):
        loop = json.loads(self.dyn.robot.to_json())["loops"][0]["name"]
        to = j.ConstrainedSensitivity(self.dyn.robot, [("loop_placement_1", loop, 3),
                                                       ("loop_placement_1", loop, 0)])
        d, closed = to.forward(Q, V, self.tau), to.closed(Q, V)
        self.assertLess(np.abs(closed.open_dp[:, 0]).max(), 1e-14)  # a longer bar
        self.assertGreater(np.abs(closed.open_dp[:, 1]).max(), 0.1)  # a tilted hinge jams
        by = self.derivatives.forward(Q, V, self.tau)
        longer = (d.dx_dp + by.da_dq @ closed.dq_dp + by.da_dv @ closed.dv_dp)[:, 0]

        def edit(robot, step):
            robot["loops"][0]["placement_1"]["position"][0] += step

        self.assert_close(longer, self.rate(edit), 1e-3)
        self.refused(f'Sensitivity: loop "{loop}" is of kind revolute and has no ratios',
                     j.ConstrainedSensitivity, self.dyn.robot, [("loop_ratio", loop, 0)])
        plain = j.Sensitivity(self.dyn.robot, [("loop_placement_1", loop, 3)])
        self.assertFalse(plain.force(Q, V, A).any())  # that door leaves loops open


if __name__ == "__main__":
    unittest.main()
