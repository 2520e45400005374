# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of whole simulations against differences."""
import unittest

import numpy as np

import jounce


class SimulationGradientTest(unittest.TestCase):
    def setUp(self):
        self.arm = jounce.load("builtin:arm7")
        rng = np.random.default_rng(1)
        self.q0, self.v0 = rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 7)
        self.steps = np.full(20, 0.005)
        self.taus = rng.uniform(-1, 1, (7, 20))
        self.by_q, self.by_v = rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 7)

    def cost(self, gradient, q0, taus):
        gradient.simulate(q0, self.v0, self.steps, taus)
        return self.by_q @ gradient.q + self.by_v @ gradient.v

    def test_adjoint_is_the_slope_of_the_cost(self):
        gradient = jounce.SimulationGradient(self.arm)
        self.cost(gradient, self.q0, self.taus)
        self.assertEqual(gradient.steps, 20)
        g = gradient.adjoint(self.by_q, self.by_v)
        tangents = gradient.tangents()
        np.testing.assert_allclose(
            self.by_q @ tangents.q[:, :7] + self.by_v @ tangents.v[:, :7], g.q0, rtol=1e-10)
        e = 1e-5
        for k in range(7):
            d = e * np.eye(7)[k]
            slope = self.cost(gradient, self.q0 + d, self.taus) - self.cost(
                gradient, self.q0 - d, self.taus)
            self.assertAlmostEqual(g.q0[k], slope / (2 * e), delta=1e-7 * np.abs(g.q0).max())
        d = np.zeros((7, 20))
        d[3, 11] = 1e-3
        slope = self.cost(gradient, self.q0, self.taus + d) - self.cost(
            gradient, self.q0, self.taus - d)
        self.assertAlmostEqual(g.tau[3, 11], slope / 2e-3, delta=1e-7 * np.abs(g.tau).max())

    def test_parameters_and_refusals(self):
        gradient = jounce.SimulationGradient(
            self.arm, "dopri5", [("gravity", "", 2)], little_memory=True)
        self.cost(gradient, self.q0, self.taus)
        self.assertEqual(gradient.adjoint(self.by_q, self.by_v).parameters.shape, (1,))
        with self.assertRaisesRegex(ValueError, "needs an explicit Runge-Kutta method"):
            jounce.SimulationGradient(self.arm, "taylor")
        with self.assertRaisesRegex(ValueError, "taus is 7 x 3"):
            gradient.simulate(self.q0, self.v0, self.steps, self.taus[:, :3])


if __name__ == "__main__":
    unittest.main()
