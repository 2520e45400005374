# SPDX-License-Identifier: BSD-3-Clause
"""Gough-Stewart platforms from Python: round trips, statics, methods, dynamics, messages."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest

BASE = [[28.9778, 7.7646, 0], [-7.7646, 28.9778, 0], [-21.2132, 21.2132, 0],
        [-21.2132, -21.2132, 0], [-7.7646, -28.9778, 0], [28.9778, -7.7646, 0]]
PLATFORM = [[14.1421, 14.1421, 0], [5.1764, 19.3185, 0], [-19.3185, 5.1764, 0],
            [-19.3185, -5.1764, 0], [5.1764, -19.3185, 0], [14.1421, -14.1421, 0]]


class StewartTest(RobotTest):
    def setUp(self):
        super().setUp()
        self.platform = j.Stewart(BASE, PLATFORM)
        self.home = j.SE3(j.SO3(), [0, 0, 50])

    def pose(self):
        return self.home * j.exp(j.Twist(0.1 * self.vector(3), 3 * self.vector(3)))


class Kinematics(StewartTest):
    def test_lengths(self):
        for _ in range(20):
            T = self.pose()
            legs = T * np.array(PLATFORM) - np.array(BASE)
            self.assert_close(self.platform.lengths(T), np.linalg.norm(legs, axis=1))

    def test_jacobians_and_twist(self):
        T, V = self.pose(), j.Twist(self.vector(6))
        rates = self.platform.rates(T, V)
        self.assert_close(self.platform.jacobian_body(T) @ V.vector, rates, 1e-12)
        self.assert_close(self.platform.jacobian_space(T) @ j.Ad(T, V).vector, rates, 1e-11)
        self.assertTrue(self.platform.twist(T, rates).is_approx(V, 1e-11))
        step = 1e-4
        ahead, behind = (self.platform.rates(T * j.exp(V * s), V) for s in (step, -step))
        self.assert_close(self.platform.accelerations(T, V, j.Twist()),
                          (ahead - behind) / (2 * step), 1e-5)

    def test_statics(self):
        T, F = self.pose(), j.Wrench(self.vector(6))
        forces = self.platform.leg_forces(T, F)
        self.assertTrue(self.platform.platform_wrench(T, forces).is_approx(F * -1, 1e-11))
        J = self.platform.jacobian_body(T)
        self.assert_close(self.platform.stiffness(T, np.arange(1, 7)),
                          J.T @ np.diag(np.arange(1, 7)) @ J, 1e-10)

    def test_angles_of_leg_joints(self):
        """Both joints of a leg meet in it, whatever the pose."""
        mounts = self.platform.mounts_at(self.home)
        self.assert_close(self.platform.joint_angles(self.home, mounts), np.zeros((6, 4)), 1e-12)
        T = self.pose()
        angles = self.platform.joint_angles(T, mounts)
        legs = T * np.array(PLATFORM) - np.array(BASE)
        legs /= np.linalg.norm(legs, axis=1)[:, None]
        for (first, second, tilt, upper), base, top, leg in zip(angles, *mounts, legs):
            turned = j.SO3(base) * j.exp([first, 0, 0]) * j.exp([0, second, 0])
            self.assert_close(np.asarray(turned)[:, 2], leg, 1e-12)
            self.assert_close(np.cos(tilt), leg @ np.asarray(base)[:, 2], 1e-12)
            self.assert_close(np.cos(upper), leg @ (T.R @ np.asarray(top))[:, 2], 1e-12)

    def test_generic_rank(self):
        self.assertEqual(j.generic_rank(BASE, PLATFORM), 6)
        self.assertLess(j.generic_rank(BASE, np.array(BASE) / 2), 6)  # similar ones move

    def test_singularity(self):
        self.assertLess(self.platform.normalised_determinant(self.home), -1)
        self.assertGreater(self.platform.singularity_distance(self.home), 0.4)
        self.assertAlmostEqual(self.platform.size, 20, 3)
        self.assertEqual(self.platform.base.shape, (6, 3))
        self.assertFalse(self.platform.platform.flags.writeable)


class Poses(StewartTest):
    def test_distance_of_the_solution(self):
        solver = j.PoseSolver(self.platform, self.home)
        T = self.pose()
        solver.solve(self.platform.lengths(T))
        self.assertAlmostEqual(solver.singularity_distance(),
                               self.platform.singularity_distance(T), 9)

    def test_solver_follows(self):
        solver = j.PoseSolver(self.platform, self.home)
        for _ in range(50):
            T = self.pose()
            found = solver.solve(self.platform.lengths(T))
            self.assertTrue(found.converged and not found.branch_flip, found)
            self.assertTrue(found.pose.is_approx(T, 1e-9))
            self.assertTrue(solver.solve(self.platform.lengths(T), self.home).pose.is_approx(T))
        solver.restart(self.home)
        found = solver.solve([5, 200, 5, 200, 5, 200])
        self.assertFalse(found.converged)
        self.assertGreater(found.residual, 1)
        self.assertIn("converged=False", repr(found))

    def test_six_methods(self):
        T = self.pose()
        for method in "gauss_newton", "levenberg_marquardt":
            for chart in "se3", "quaternion", "euler":
                found = j.solve_pose(self.platform, self.platform.lengths(T), self.home,
                                     method=method, chart=chart)
                self.assertTrue(found.converged, (method, chart, found))
                self.assertTrue(found.pose.is_approx(T, 1e-6))
                self.assertIn(found.stop, ("gradient", "small_step", "no_descent"))


class LegDynamics(StewartTest):
    def setUp(self):
        super().setUp()
        self.metres = j.Stewart(np.array(BASE) / 100, np.array(PLATFORM) / 100)
        self.home = j.SE3(j.SO3(), [0, 0, 0.5])
        body = j.Inertia(7, [0, 0, 0], np.diag([0.07, 0.07, 0.14]))
        rod = np.diag([0.04, 0.04, 1e-4])
        self.dynamics = j.StewartDynamics(
            self.metres, body, [j.Inertia(1, [0, 0, 0.175], rod)] * 6,
            [j.Inertia(0.5, [0, 0, -0.0875], rod)] * 6, self.home)

    def test_forward_undoes_inverse(self):
        T = self.home * j.exp(j.Twist(0.1 * self.vector(3), 0.03 * self.vector(3)))
        V, Vdot, F = j.Twist(self.vector(6)), j.Twist(self.vector(6)), j.Wrench(self.vector(6))
        forces = self.dynamics.inverse(T, V, Vdot, F)
        self.assertTrue(self.dynamics.forward(T, V, forces, F).is_approx(Vdot, 1e-9))
        M = self.dynamics.mass(T)
        self.assert_close(M, M.T, 1e-12)
        self.assertAlmostEqual(self.dynamics.kinetic_energy(T, V),
                               0.5 * V.vector @ M @ V.vector, 10)

    def test_rest_holds_the_weight(self):
        """By virtual work: what the legs do to the platform is the slope of the potential energy."""
        T, step = self.home, 1e-5
        forces = self.dynamics.inverse(T, j.Twist(), j.Twist())
        slope = []
        for k in range(6):
            X = j.Twist(np.eye(6)[k] * step)
            ahead, behind = (self.dynamics.potential_energy(T * j.exp(X * s)) for s in (1, -1))
            slope.append((ahead - behind) / (2 * step))
        self.assert_close(self.metres.jacobian_body(T).T @ forces, slope, 1e-7)


class Messages(StewartTest):
    def test_geometry(self):
        self.assert_raises(j.InputError, "Stewart: base has shape (5, 3), needs (6, 3)",
                           j.Stewart, BASE[:5], PLATFORM)
        similar = np.array(BASE) / 2
        self.assert_raises(
            j.InputError,
            "stewart geometry: architecturally singular: the legs' lines span 5 dimensions in "
            "every pose, 6 are needed; the platform moves while its legs are locked",
            j.Stewart, BASE, similar)

    def test_lengths(self):
        solver = j.PoseSolver(self.platform, self.home)
        self.assert_raises(j.InputError, "solve: lengths has shape (2,), needs (6,)",
                           solver.solve, [1, 2])
        self.assert_raises(j.InputError,
                           "stewart PoseSolver: length 2 is -1, it must be positive and below 1e100",
                           solver.solve, [50, -1, 50, 50, 50, 50])

    def test_methods(self):
        self.assert_raises(
            j.InputError, 'solve_pose: chart is "se(3)", needs one of "se3", "quaternion", "euler"',
            j.solve_pose, self.platform, [50] * 6, self.home, chart="se(3)")

    def test_dynamics(self):
        body = j.Inertia(1, [0, 0, 0], np.eye(3))
        self.assert_raises(j.InputError, "StewartDynamics: there are 5 pistons, needs 6",
                           j.StewartDynamics, self.platform, body, [body] * 6, [body] * 5,
                           self.home)
        flat = j.SE3()
        self.assert_raises(j.ComputationError, "stewart twist: the pose is singular",
                           self.platform.twist, flat, [1] * 6)


if __name__ == "__main__":
    unittest.main()
