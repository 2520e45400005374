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
