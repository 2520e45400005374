# SPDX-License-Identifier: BSD-3-Clause
"""The forms of the papers: exponentials, tables, global matrices, flexible links, control."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest


class TestExponentials(RobotTest):
    TABLE = [[0, np.pi / 2, 0.6, 0], [0.4, 0, 0.1, 0.2], [0.1, -np.pi / 2, 0, 0]]

    def test_three_forms_are_one(self):
        local = j.denavit_hartenberg(self.TABLE, [False, False, True])
        q = [0.3, -0.7, 0.2]
        wanted = local.forward(q).matrix
        forms = [local.to_space(), local.to_body(), local.to_space().to_local(),
                 local.to_body().to_space()]
        for form in forms:
            self.assert_close(form.forward(q).matrix, wanted, 1e-14)
            self.assert_close(form.jacobian_body(q), local.jacobian_body(q), 1e-14)
            self.assert_close(form.jacobian_space(q), local.jacobian_space(q), 1e-14)
        robot = local.robot("arm")
        self.assert_close(j.Kinematics(robot).at(q).pose("tool").matrix, wanted, 1e-14)

    def test_chain_of_a_robot(self):
        robot = j.load("builtin:arm7")
        poe, coordinates = j.chain_to(robot, "flange")
        q = robot.random(2)
        self.assert_close(poe.forward(q[coordinates]).matrix,
                          j.Kinematics(robot).at(q).pose("flange").matrix, 1e-13)

    def test_home_screws_of_a_tree(self):
        arm = j.load("builtin:puma560")
        found = j.home_screws(arm)
        self.assertEqual((len(found.Y), len(found.A)), (6, 7))
        at = j.Kinematics(arm).at(arm.neutral())
        jacobian = at.jacobian_space(arm.frames[-1])
        self.assert_close(np.transpose([Y.vector for Y in found.Y]), jacobian, 1e-12)

    def test_refusals(self):
        self.refused("denavit_hartenberg: table has 3 columns, needs 4: a, alpha, d, theta",
                     j.denavit_hartenberg, np.zeros((2, 3)))
        self.refused("denavit_hartenberg: prismatic has 1 elements, needs 3",
                     j.denavit_hartenberg, self.TABLE, [True])
        self.refused('denavit_hartenberg: convention is "mine", needs "standard" or "modified"',
                     j.denavit_hartenberg, self.TABLE, [], "mine")


class TestForms(RobotTest):
    def test_global_matrices(self):
        robot = j.load("builtin:arm7")
        dynamics = j.Dynamics(robot)
        q, v, a = robot.random(1), self.vector(7), self.vector(7)
        g = j.global_matrices(robot, q, v)
        self.assert_close(g.M(), dynamics.mass(q), 1e-12)
        self.assert_close(g.C_ploen() @ v + g.phi(), dynamics.bias(q, v), 1e-11)
        D = g.Mdot() - 2 * g.C_ploen()
        self.assert_close(D, -D.T, 1e-12)
        ground = j.Twist(self.vector(6)), j.Twist(self.vector(6))
        x = j.stacked_motion(g, v, a, *ground)
        self.assert_close(x.tau, dynamics.inverse(q, v, a, ground=ground, passive=False), 1e-10)
        self.assertEqual(abs(np.linalg.matrix_power(g.Gamma, 7)).max(), 0)

    def test_dense_hybrid_and_a_force_at_a_point(self):
        robot = j.load("builtin:arm7")
        dynamics = j.Dynamics(robot)
        q, v, a, tau = robot.random(3), self.vector(7), self.vector(7), self.vector(7)
        prescribed = [k % 3 == 0 for k in range(7)]
        push = [j.force_at("link_5", [0.1, 0, 0.2], [1, 2, 3])]
        found = dynamics.hybrid(prescribed, q, v, a, tau, push)
        dense = j.dense_hybrid(dynamics, prescribed, q, v, a, tau, push)
        self.assert_close(dense[0], found.a, 1e-9 * (1 + abs(found.a).max()))
        self.assert_close(dense[1], found.tau, 1e-9 * (1 + abs(found.tau).max()))
        self.assert_close(push[0][1].vector, np.r_[np.cross([0.1, 0, 0.2], [1, 2, 3]), 1, 2, 3],
                          1e-15)

    def test_momentum_about_the_origin(self):
        robot = j.load("builtin:quadruped")
        dynamics, q, v = j.Dynamics(robot), robot.random(1), self.vector(18)
        about_com, com = dynamics.momentum(q, v)
        found = dynamics.momentum_about_origin(q, v).vector
        self.assert_close(found[3:], about_com.f, 1e-13)
        self.assert_close(found[:3], about_com.m + np.cross(com, about_com.f), 1e-12)

    def test_flexible_link(self):
        robot = j.load("builtin:arm7")
        self.refused('with_flexible_link: robot "arm7" has no link "boom"',
                     j.with_flexible_link, robot, "boom", [1, 0, 0], [0, 0, 1], 3.0)

    def test_linear_models_along_a_motion(self):
        robot = j.load("builtin:planar_2r")
        derivatives, dynamics = j.Derivatives(robot), j.Dynamics(robot)

        def nominal(t):
            q, v, a = np.array([t, 0.2 * t]), np.array([1, 0.2]), np.zeros(2)
            return q, v, dynamics.inverse(q, v, a)

        times = [0, 0.1, 0.3]
        models = j.linearise_along(derivatives, times, nominal, limits=False)
        self.assertEqual(len(models), 2)
        q, v, tau = nominal(0.2)
        at = j.linearise(derivatives, q, v, tau)
        step = j.discretise(at.A, at.B, 0.2)
        self.assert_close(models[1][0], step.A, 1e-13)
        self.assert_close(models[1][1], step.B, 1e-13)
        self.refused("trajectory: needs two times or more", j.linearise_along, derivatives, [0.0],
                     nominal)

    def test_path_of_poses(self):
        start, end = j.SE3(), j.exp(j.Twist([0.1, 0.2, 0.3, 1, 2, 3]))
        path = j.PosePath(start, end, j.quintic(0, 1, 2.0))
        self.assert_close(path.pose(2).matrix, end.matrix, 1e-12)
        self.assertEqual(len(path.twists(1.0, 3)), 3)

    def test_adaptive_controller(self):
        robot = j.load("builtin:planar_2r")
        control = j.AdaptiveController(robot, slide=3, damp=7, learn=1)
        pi = j.Regressor(robot).parameters()
        control.estimate = pi
        q, v, a = np.array([0.1, 0.2]), np.array([0.3, -0.4]), np.array([1.0, 2.0])
        tau = control.force(q, v, q, v, a, 0.0)
        self.assert_close(tau, j.Dynamics(robot).inverse(q, v, a, passive=False), 1e-12)
        self.refused("AdaptiveController: all gains must be positive and finite",
                     j.AdaptiveController, robot, slide=0)


class TestFunctions(RobotTest):
    def test_lie_derivatives(self):
        T = j.exp(j.Twist([0.3, -0.2, 0.5, 1, 2, 3]))
        height = lambda rows: rows[2][3] * rows[2][3]
        X = j.Twist([0.2, 0.4, -0.1, 0.5, 0.3, 0.7])
        h = 1e-6
        value = lambda t: (T * j.exp(j.Twist(X.vector * t))).matrix[2, 3] ** 2
        slope = (value(h) - value(-h)) / (2 * h)
        self.assertAlmostEqual(j.lie_derivative(height, T, X), slope, delta=1e-7)
        gradient = j.lie_gradient(height, T)
        self.assertAlmostEqual(gradient @ X.vector, slope, delta=1e-7)
        H = j.lie_hessian(height, T)
        E = np.eye(6)
        for a in range(6):
            for b in range(6):
                bracket = j.ad(j.Twist(E[a]), j.Twist(E[b])).vector
                self.assertAlmostEqual(H[a, b] - H[b, a], gradient @ bracket, delta=1e-12)
        self.refused('lie derivative: side is "up", needs "right" or "left"', j.lie_gradient,
                     height, T, "up")

    def test_custom_joint(self):
        robot = j.load("builtin:planar_2r")

        def turn(q):
            c, s = np.cos(q[0]), np.sin(q[0])
            return [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

        own = j.with_custom_joint(robot, "joint_2", 1, turn)
        q, v, a = [0.3, -0.4], [1.0, 2.0], [0.5, 0.1]
        axis = j.Dynamics(robot).inverse(q, v, a, passive=False)
        found = j.Dynamics(own).inverse(q, v, a, passive=False)
        self.assert_close(found, axis, 1e-12)
        self.refused("with_custom_joint: the function must give 4 rows of 4 numbers",
                     j.with_custom_joint, robot, "joint_2", 1, lambda q: [[1, 2], [3, 4]])


if __name__ == "__main__":
    unittest.main()
