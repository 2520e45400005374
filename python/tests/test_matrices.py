# SPDX-License-Identifier: BSD-3-Clause
"""Coriolis and centroidal matrices, momentum, power, wrenches and regressors from Python."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest, random_robots

FACTORIZATIONS = ["plain", "ploen", "lie", "christoffel"]


class Matrices(RobotTest):
    def cases(self):
        """(robot, dynamics, q, v, a, size of the forces)."""
        for robot in random_robots():
            q, v, a = robot.random(3), self.vector(robot.nv), self.vector(robot.nv)
            dynamics = j.Dynamics(robot)
            yield robot, dynamics, q, v, a, 1 + abs(dynamics.inverse(q, v, a)).max()

    def test_coriolis(self):
        for robot, dynamics, q, v, _, size in self.cases():
            bias = dynamics.bias(q, v) - dynamics.gravity(q)
            for kind in FACTORIZATIONS:
                found = dynamics.coriolis(q, v, kind)
                C, rate = found.matrix, found.mass_rate
                self.assert_close(C @ v, bias, 1e-12 * size, (robot, kind))
                skew = rate - 2 * C
                if kind == "plain":
                    self.assert_close(v @ skew @ v, 0, 1e-12 * size * (v @ v), robot)
                else:
                    self.assert_close(skew, -skew.T, 1e-12 * size, (robot, kind))
            np.testing.assert_array_equal(dynamics.coriolis(q, v)[0], C)

    def test_reference(self):
        for robot, dynamics, q, v, a, size in self.cases():
            v_r = self.vector(robot.nv)
            for kind in FACTORIZATIONS[1:]:
                C = dynamics.coriolis(q, v, kind)[0]
                expected = dynamics.mass(q) @ a + C @ v_r + dynamics.gravity(q)
                found = dynamics.inverse_reference(q, v, v_r, a, factorization=kind)
                self.assert_close(found, expected, 1e-11 * size, (robot, kind))
            with_rotors = j.Regressor(robot, armature=True)
            Y = with_rotors.reference(q, v, v_r, a, "christoffel")
            self.assert_close(Y @ with_rotors.parameters(), found, 1e-11 * size, robot)

    def test_momentum(self):
        for robot, dynamics, q, v, a, size in self.cases():
            centroidal, momentum = dynamics.centroidal(q, v), dynamics.momentum(q, v)
            A, rate = centroidal.matrix, centroidal.rate
            self.assert_close(dynamics.centroidal_matrix(q), A, 1e-12 * size, robot)
            self.assert_close(A @ v, momentum.about_com.vector, 1e-11 * size, robot)
            self.assert_close(momentum.com, j.Kinematics(robot).at(q).com(), 1e-12, robot)
            wrenches = dynamics.joint_wrenches(q, v, a)
            self.assertEqual(list(wrenches.joints), [joint.name for joint in robot.joints])
            force = (A @ a + rate @ v)[3:] - robot.mass * np.array(robot.gravity)
            self.assert_close(wrenches.ground.f, force, 1e-11 * size, robot)

    def test_power(self):
        for robot, dynamics, q, v, a, size in self.cases():
            balance = dynamics.power_balance(q, v, a)
            rate = dynamics.energy_rate(q, v, a)
            self.assertEqual(rate, (balance.kinetic_rate, balance.potential_rate))
            self.assertEqual((rate.kinetic, rate.potential), balance[:2])
            self.assertEqual(balance.ground, 0)
            self.assert_close(balance.residual, 0, 1e-11 * size * robot.nv, robot)
            self.assert_close(balance.actuators, dynamics.inverse(q, v, a) @ v,
                              1e-11 * size * robot.nv, robot)

    def test_wrenches_from_outside(self):
        """Against inverse, the equilibrium of the whole robot and the work that wrenches do."""
        for robot, dynamics, q, v, a, size in self.cases():
            wrenches = [(str(frame), self.vector(6), kind) for frame, kind in
                        zip(self.numbers.choice(robot.links, 3), ["body", "space", "hybrid"])]
            kinematics = j.Kinematics(robot).at(q, v)
            power = sum(F @ getattr(kinematics, "twist_" + kind)(frame).vector
                        for frame, F, kind in wrenches)
            balance = dynamics.power_balance(q, v, a, wrenches)
            self.assert_close(balance.outside, power, 1e-11 * size * robot.nv, robot)
            self.assert_close(balance.actuators, dynamics.inverse(q, v, a, wrenches) @ v,
                              1e-11 * size * robot.nv, robot)
            self.assert_close(balance.residual, 0, 1e-11 * size * robot.nv, robot)
            held = dynamics.joint_wrenches(q, v, a, "space", wrenches).ground.vector
            free = dynamics.joint_wrenches(q, v, a, "space").ground.vector
            outside = [self.in_space(kinematics, *each) for each in wrenches
                       if kinematics.jacobian(each[0], "space").any()]  # not on the ground
            self.assert_close(free - held, sum(outside, np.zeros(6)), 1e-11 * size, robot)

    @staticmethod
    def in_space(kinematics, frame, F, kind):
        T = kinematics.pose(frame)
        if kind == "hybrid":
            T = j.SE3(j.SO3(np.eye(3)), T.p)
        return F if kind == "space" else j.dual_Ad_inv(T, j.Wrench(F)).vector

    def test_wrench_moves_the_zero_moment_point(self):
        robot = j.load("builtin:quadruped")
        dynamics, zero, q = j.Dynamics(robot), np.zeros(robot.nv), robot.neutral()
        com, weight = j.Kinematics(robot).at(q).com(), 9.81 * robot.mass
        force = 0.1 * weight  # along x, at the trunk's origin, which is 0.4 m above the plane
        push = [(robot.links[0], [0, 0, 0, force, 0, 0])]
        point = dynamics.zero_moment_point(q, zero, zero, [0, 0, -0.4], wrenches=push)
        self.assert_close(point, [com[0] + 0.1 * 0.4, com[1], -0.4])

    def test_zero_moment_point(self):
        robot = j.load("builtin:quadruped")
        dynamics, zero = j.Dynamics(robot), np.zeros(robot.nv)
        com = j.Kinematics(robot).at(robot.neutral()).com()
        point = dynamics.zero_moment_point(robot.neutral(), zero, zero, [0, 0, -0.4])
        self.assert_close(point, [com[0], com[1], -0.4])

    def test_regressor(self):
        for robot, dynamics, q, v, a, size in self.cases():
            regressor = j.Regressor(robot, True, True, True)
            self.assertEqual(regressor.columns, 10 * regressor.links + 3 * robot.nv)
            pi = regressor.parameters()
            Y = j.Regressor(robot, armature=True).force(q, v, a)
            self.assert_close(Y @ pi[:Y.shape[1]], dynamics.inverse(q, v, a, passive=False),
                              1e-11 * size, robot)
            linear = dynamics.momentum(q, v).about_com.f
            self.assert_close((regressor.momentum(q, v) @ pi)[3:], linear, 1e-11 * size)
            kinetic = v @ dynamics.mass(q) @ v / 2
            self.assert_close((regressor.energy(q, v) @ pi)[0], kinetic, 1e-12 * kinetic, robot)
            ground = j.Twist(self.vector(6)), j.Twist(self.vector(6))
            links = Y.shape[1]
            self.assert_close(regressor.force(q, v, a, ground=ground)[:, :links] @ pi[:links],
                              dynamics.inverse(q, v, a, ground=ground, passive=False),
                              1e-11 * size, robot)

    def test_base_parameters(self):
        robot = j.load("builtin:puma560")
        independent, regrouping = j.base_parameters(robot)
        self.assertEqual(len(independent), 36)
        regressor = j.Regressor(robot)
        Y = regressor.force(robot.random(5), self.vector(6), self.vector(6))
        pi = regressor.parameters()
        self.assert_close(Y[:, independent] @ (regrouping @ pi), Y @ pi, 1e-9)

    def test_physical(self):
        body = j.load("builtin:arm7").inertia("link_3")
        self.assertGreater(j.physical_margin(body), 0)
        self.refused("nearest_physical: margin is inf, needs to be finite and not negative",
                     j.nearest_physical, body, np.inf)

    def test_messages(self):
        dynamics = j.Dynamics(j.load("builtin:arm7"))
        q = np.zeros(7)
        self.refused('coriolis: factorization is "best", needs "plain", "ploen", "lie" or '
                     '"christoffel"', dynamics.coriolis, q, q, "best")
        self.refused('momentum: v has 6 elements, robot "arm7" needs 7', dynamics.momentum, q,
                     q[:6])
        self.refused("inverse_reference: the plain factorization is not skew-symmetric",
                     dynamics.inverse_reference, q, q, q, q, "plain")


if __name__ == "__main__":
    unittest.main()
