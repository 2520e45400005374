# SPDX-License-Identifier: BSD-3-Clause
"""The geometry of the kinetic-energy metric and motions that cost least, from Python."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest


class Geometry(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.dynamics, self.geometry = j.Dynamics(self.arm), j.Geometry(self.arm)
        self.q = self.arm.random(5)
        self.v = self.numbers.uniform(-1, 1, 7)

    def test_christoffel_is_the_coriolis_matrix(self):
        gamma = self.geometry.christoffel(self.q)
        C = self.dynamics.coriolis(self.q, self.v).matrix
        self.assert_close(np.einsum("ijk,i->kj", gamma, self.v), C, 1e-12)
        M = self.dynamics.mass(self.q)
        self.assert_close(self.geometry.second_kind(self.q) @ M, gamma, 1e-10)
        slope = self.geometry.christoffel_derivatives(self.q)
        h, step = 1e-4, np.eye(7)[2]
        change = (self.geometry.christoffel(self.q + h * step)
                  - self.geometry.christoffel(self.q - h * step)) / (2 * h)
        self.assert_close(slope[2], change, 1e-6)

    def test_curvature(self):
        found = self.geometry.curvature(self.q)
        R, inverse = found.riemann, np.linalg.inv(found.mass)
        self.assert_close(np.einsum("ik,ijkl->jl", inverse, R), found.ricci, 1e-9)
        self.assertAlmostEqual(np.sum(inverse * found.ricci), found.scalar, 6)
        self.assert_close(R, -R.transpose(1, 0, 2, 3), 0)
        x, y = self.v, np.eye(7)[1]
        M = found.mass
        area = (x @ M @ x) * (y @ M @ y) - (x @ M @ y) ** 2
        self.assertAlmostEqual(np.einsum("ijkl,i,j,k,l", R, x, y, x, y) / area,
                               self.geometry.sectional(self.q, x, y), 9)

    def test_paths(self):
        free = self.geometry.geodesic(self.q, self.v, [0.1, 0.2])
        speed = [self.dynamics.energy(q, v).kinetic for q, v in zip(free.q.T, free.v.T)]
        self.assertAlmostEqual(speed[0], speed[1], 12)
        arm = j.load("builtin:planar_2r")
        geometry = j.Geometry(arm)
        path = geometry.shortest_path([0.2, 0.3], [1.4, 1.9])
        self.assertTrue(path.converged)
        best = j.MinimumMotion(arm, limits=False, control_points=30).find([0.2, 0.3], [1.4, 1.9])
        self.assertTrue(best.converged)
        self.assertAlmostEqual(path.length**2, best.value, 9)
        self.assert_close(best.path(1), [1.4, 1.9], 1e-12)
        self.assertLess(best.value, best.straight)
        end = geometry.geodesic([0.2, 0.3], path.v[:, 0], [1])
        self.assert_close(end.q[:, 0], [1.4, 1.9], 1e-8)

    def test_motion_from_a_path(self):
        motion = j.MinimumMotion(self.arm, limits=False)
        q1 = self.q + 0.3 * self.v
        line = motion.line(self.q, q1)
        found = motion.find(self.q, q1)
        again = motion.find(found.path)
        self.assertTrue(found.converged and again.converged)
        self.assertAlmostEqual(again.straight, found.value, 15)  # the same cost, summed elsewhere
        self.assertLessEqual(again.iterations, 1)
        self.assertAlmostEqual(motion.cost(line), found.straight, 15)
        control, h = line.control.copy(), 1e-5
        control[2, 5] += h
        up = j.SplinePath(control)
        control[2, 5] -= 2 * h
        down = j.SplinePath(control)
        g = motion.gradient(line)
        self.assertEqual(g.shape, control.shape)
        self.assertAlmostEqual((motion.cost(up) - motion.cost(down)) / (2 * h), g[2, 5], 7)
        change = (motion.gradient(up) - motion.gradient(down))[:, 1:-1] / (2 * h)
        H = motion.hessian(line)
        self.assertEqual(H.shape, (84, 84))
        self.assert_close(H[:, 7 * 4 + 2], change.T.reshape(-1), 1e-6)
        with self.assertRaisesRegex(j.InputError, "a path of 7 x 13 numbers"):
            motion.find(j.SplinePath(control[:, 1:]))
        with self.assertRaisesRegex(j.InputError, "control must have two indices"):
            j.SplinePath([1, 2, 3])

    def test_parks_closed_form(self):
        form = j.LagrangianForm(self.arm, self.q)
        n = range(form.n)
        M = self.dynamics.mass(self.q)
        self.assert_close(np.array([[form.mass(i, k) for k in n] for i in n]), M, 1e-12)
        A, L, D = form.factors()
        self.assert_close(A.T @ L.T @ D @ L @ A, M, 1e-12)
        S, G, J, Q = form.newton_euler_factors()
        self.assert_close(S.T @ G.T @ J @ G @ S, M, 1e-12)
        self.assert_close(Q @ S, A, 1e-12)
        H, phi, J = form.shift_factors()
        self.assert_close(H.T @ phi.T @ J @ phi @ H, M, 1e-12)
        self.assert_close(form.pullback_jacobian(), L @ A, 1e-12)
        gamma = self.geometry.christoffel(self.q)
        self.assertAlmostEqual(form.christoffel(1, 2, 3), gamma[1, 2, 3], 12)
        slope = gamma[3, 1, 2] + gamma[3, 2, 1]
        self.assertAlmostEqual(form.mass_derivative(1, 2, 3), slope, 12)
        gravity = self.dynamics.gravity(self.q)
        self.assert_close(np.array([form.gravity_force(k) for k in n]), gravity, 1e-12)
        V = form.chain_derivative(4, 2, form.A[1], 3)
        self.assertIsInstance(V, j.Twist)
        self.assertAlmostEqual(form.mass(2, 2), sum(
            form.inner(k, form.column(k, 2), form.column(k, 2)) for k in n), 14)
        with self.assertRaisesRegex(j.InputError, "k is 7, needs 0 ... 6"):
            form.gravity_force(7)
        arm = j.load("builtin:planar_2r")
        two = j.TwoScrewArm(j.LagrangianForm(arm, [0.3, 0.7]))
        R = j.Geometry(arm).curvature([0.3, 0.7])
        self.assertAlmostEqual(two.scalar_curvature(), R.scalar, 12)
        self.assert_close(two.C(1, 2), j.Dynamics(arm).coriolis([0.3, 0.7], [1, 2]).matrix, 1e-13)

    def test_transport_keeps_lengths(self):
        def curve(t):
            return self.q + t * self.v, self.v
        Y = self.geometry.transport(curve, 0, 0.5, 20, np.ones(7))
        M = [self.dynamics.mass(curve(t)[0]) for t in (0, 0.5)]
        self.assertAlmostEqual(Y @ M[1] @ Y, np.ones(7) @ M[0] @ np.ones(7), 12)
        with self.assertRaisesRegex(j.InputError, "curve gives 6 numbers for q"):
            self.geometry.transport(lambda t: (np.ones(6), self.v), 0, 1, 2, np.ones(7))

    def test_flatness(self):
        self.assertFalse(self.geometry.flatness().flat)
        point = self.geometry.flat_coordinates(self.q, self.q)
        self.assert_close(point.y, np.zeros(7), 0)
        self.assert_close(point.N.T @ point.N, self.dynamics.mass(self.q), 1e-12)

    def test_parameters(self):
        to = j.GeometrySensitivity(self.arm, [("inertia", "link_3", 0), ("gravity", "", 2)])
        self.assertEqual(to.mass(self.q).shape, (7, 7, 2))
        gamma = to.christoffel(self.q)
        self.assertEqual(gamma.shape, (7, 7, 7, 2))
        self.assert_close(gamma[..., 1], np.zeros((7, 7, 7)), 0)
        v = self.v
        force = j.Sensitivity(self.arm, [("inertia", "link_3", 0)]).force(
            self.q, v, np.zeros(7), gravity=False, passive=False)
        self.assert_close(np.einsum("ijk,i,j->k", gamma[..., 0], v, v), force[:, 0], 1e-12)

    def test_refusals(self):
        with self.assertRaisesRegex(j.InputError, "christoffel: q has 6 elements"):
            self.geometry.christoffel(np.zeros(6))
        with self.assertRaisesRegex(j.InputError, "cost is \"speed\""):
            j.MinimumMotion(self.arm, cost="speed")
        with self.assertRaisesRegex(j.InputError, "its limits are"):
            j.MinimumMotion(self.arm).find(np.zeros(7), 40 * np.ones(7))
        with self.assertRaisesRegex(j.InputError, "is free"):
            j.MinimumMotion(j.load("builtin:quadruped"))


if __name__ == "__main__":
    unittest.main()
