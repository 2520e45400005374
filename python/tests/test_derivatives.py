# SPDX-License-Identifier: BSD-3-Clause
"""Partial derivatives of the dynamics from Python, against differences."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest, random_robots

STEP = 1e-4  # five-point differences: errors of STEP^4 and of 1e-16 / STEP


def slopes(n, f):
    """The derivatives of f(d) at d = 0, column by column."""
    def along(d):
        h = STEP
        return (8 * (f(h * d) - f(-h * d)) - (f(2 * h * d) - f(-2 * h * d))) / (12 * h)
    return np.column_stack([along(d) for d in np.eye(n)])


class Derivatives(RobotTest):
    def test_against_differences(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a = self.vector(n), self.vector(n)
            dynamics = j.Dynamics(robot)
            dynamics.set_passive(False)
            tau = dynamics.inverse(q, v, a)
            dq, dv, da = dynamics.inverse_derivatives(q, v, a)
            size = 1 + abs(dq).max() + abs(dv).max() + abs(da).max()
            for found, f in [(dq, lambda d: dynamics.inverse(robot.integrate(q, d), v, a)),
                             (dv, lambda d: dynamics.inverse(q, v + d, a)),
                             (da, lambda d: dynamics.inverse(q, v, a + d))]:
                self.assert_close(found, slopes(n, f), 1e-8 * size, robot)
            a_dq, a_dv, a_dtau = dynamics.forward_derivatives(q, v, tau)
            self.assert_close(da @ a_dq, -dq, 1e-9 * size, robot)
            self.assert_close(da @ a_dv, -dv, 1e-9 * size, robot)
            self.assert_close(da @ a_dtau, np.eye(n), 1e-9 * size, robot)
            y = self.vector(n)
            for found, J in zip(dynamics.inverse_vector_jacobian(y, q, v, a), (dq, dv, da)):
                self.assert_close(found, y @ J, 1e-10 * size * n, robot)
            for found, J in zip(dynamics.forward_vector_jacobian(y, q, v, tau),
                                (a_dq, a_dv, a_dtau)):
                self.assert_close(found, y @ J, 1e-9 * n * (1 + abs(J).max()), robot)
            for prescribed, expected in [([True] * n, (dq, dv, da)),
                                         ([False] * n, (a_dq, a_dv, a_dtau))]:
                found = dynamics.hybrid_derivatives(prescribed, q, v, a, tau)
                for x, y in zip(found, expected):
                    self.assert_close(x, y, 1e-9 * (1 + abs(y).max()), robot)

    def test_sensitivity(self):
        robot = j.load("builtin:arm7")
        links = [f"link_{k}" for k in range(1, 8)]
        of_mass = j.Sensitivity(robot, [("inertia", link, k) for link in links for k in range(10)])
        q, v, a = robot.random(1), self.vector(7), self.vector(7)
        regressor = j.Regressor(robot)
        Y = regressor.force(q, v, a)
        found = of_mass.force(q, v, a)
        self.assertEqual(found.shape, (7, 70))
        self.assertLessEqual(min(abs(found[:, :1] - Y).max(axis=0)), 1e-12)
        dynamics = j.Dynamics(robot)
        up = j.Sensitivity(robot, [("gravity", "", 2)])
        self.assert_close(up.force(q, 0 * v, 0 * a)[:, 0], dynamics.gravity(q) / -9.81, 1e-11)
        tau = dynamics.inverse(q, v, a)
        self.assert_close(dynamics.mass(q) @ of_mass.acceleration(q, v, tau), -found, 1e-9)
        self.refused('Sensitivity: there is no kind of parameter "colour"', j.Sensitivity, robot,
                     [("colour", "link_1", 0)])

    def test_messages(self):
        dynamics = j.Dynamics(j.load("builtin:arm7"))
        q = np.zeros(7)
        self.refused('inverse_derivatives: v has 6 elements, robot "arm7" needs 7',
                     dynamics.inverse_derivatives, q, q[:6], q)
        self.refused('hybrid_derivatives: prescribed has 2 elements, robot "arm7" needs 7',
                     dynamics.hybrid_derivatives, [True, False], q, q, q, q)


if __name__ == "__main__":
    unittest.main()
