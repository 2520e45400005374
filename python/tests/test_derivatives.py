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
            dynamics, free = j.Dynamics(robot), {"passive": False}
            tau = dynamics.inverse(q, v, a, **free)
            dq, dv, da = dynamics.inverse_derivatives(q, v, a, **free)
            size = 1 + abs(dq).max() + abs(dv).max() + abs(da).max()
            for found, f in [(dq, lambda d: dynamics.inverse(robot.integrate(q, d), v, a, **free)),
                             (dv, lambda d: dynamics.inverse(q, v + d, a, **free)),
                             (da, lambda d: dynamics.inverse(q, v, a + d, **free))]:
                self.assert_close(found, slopes(n, f), 1e-8 * size, robot)
            a_dq, a_dv, a_dtau = dynamics.forward_derivatives(q, v, tau, **free)
            self.assert_close(da @ a_dq, -dq, 1e-9 * size, robot)
            self.assert_close(da @ a_dv, -dv, 1e-9 * size, robot)
            self.assert_close(da @ a_dtau, np.eye(n), 1e-9 * size, robot)
            y = self.vector(n)
            for found, J in zip(dynamics.inverse_vector_jacobian(y, q, v, a, **free), (dq, dv, da)):
                self.assert_close(found, y @ J, 1e-10 * size * n, robot)
            for found, J in zip(dynamics.forward_vector_jacobian(y, q, v, tau, **free),
                                (a_dq, a_dv, a_dtau)):
                self.assert_close(found, y @ J, 1e-9 * n * (1 + abs(J).max()), robot)
            for prescribed, expected in [([True] * n, (dq, dv, da)),
                                         ([False] * n, (a_dq, a_dv, a_dtau))]:
                found = dynamics.hybrid_derivatives(prescribed, q, v, a, tau, **free)
                for x, y in zip(found, expected):
                    self.assert_close(x, y, 1e-9 * (1 + abs(y).max()), robot)

    def test_surroundings(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a, y, z = (self.vector(n) for _ in range(4))
            pushes = [(robot.frames[-1], self.vector(6), "space"),
                      (len(robot.frames) // 2, self.vector(6), "hybrid")]
            dynamics, outside = j.Dynamics(robot), {
                "wrenches": pushes, "ground": (self.vector(6), self.vector(6)), "passive": False}
            tau = dynamics.inverse(q, v, a, **outside)
            inverse = dynamics.inverse_derivatives(q, v, a, **outside)
            forward = dynamics.forward_derivatives(q, v, tau, **outside)
            size = 1 + max(abs(x).max() for x in inverse + forward)
            expected = slopes(n, lambda d: dynamics.inverse(robot.integrate(q, d), v, a, **outside))
            self.assert_close(inverse[0], expected, 1e-8 * size, robot)
            self.assert_close(inverse[2] @ forward[0], -inverse[0], 1e-9 * size ** 2, robot)
            given = dynamics.hybrid_derivatives([False] * n, q, v, a, tau, **outside)
            self.assert_close(given[0], forward[0], 1e-9 * size, robot)
            for J, right, left in [
                    (inverse, dynamics.inverse_jacobian_vector(q, v, a, y, z, v, **outside),
                     dynamics.inverse_vector_jacobian(y, q, v, a, **outside)),
                    (forward, dynamics.forward_jacobian_vector(q, v, tau, y, z, v, **outside),
                     dynamics.forward_vector_jacobian(y, q, v, tau, **outside))]:
                self.assert_close(right, J[0] @ y + J[1] @ z + J[2] @ v, 1e-9 * n * size, robot)
                self.assert_close(left[0], y @ J[0], 1e-9 * n * size, robot)
            T = dynamics.inverse_second_derivatives(q, v, a, **outside)
            T_size = 1 + max(abs(x).max() for x in T)
            bent = slopes(n, lambda d: dynamics.inverse_derivatives(
                robot.integrate(q, d), v, a, **outside)[0].reshape(n * n))
            self.assert_close(T[0].reshape(n * n, n), bent, 1e-7 * T_size, robot)
            H = dynamics.inverse_second_products(y, q, v, a, **outside)
            self.assert_close(H[0], np.tensordot(y, T[0], 1), 1e-10 * n * T_size, robot)
            F = dynamics.forward_second_derivatives(q, v, tau, **outside)[0]
            H = dynamics.forward_second_products(y, q, v, tau, **outside)
            self.assert_close(H[0], np.tensordot(y, F, 1), 1e-8 * n * (1 + abs(F).max()), robot)

    def test_second(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a, y = self.vector(n), self.vector(n), self.vector(n)
            dynamics, free = j.Dynamics(robot), {"passive": False}
            tau = dynamics.inverse(q, v, a, **free)
            first = lambda d, e: dynamics.inverse_derivatives(
                robot.integrate(q, d), v + e, a, **free)
            flat = lambda x: x.reshape(n * n)
            T = dynamics.inverse_second_derivatives(q, v, a, **free)
            size = 1 + max(abs(x).max() for x in T)
            still = np.zeros(n)
            for found, f in [(T[0], lambda d: flat(first(d, still)[0])),
                             (T[1], lambda d: flat(first(still, d)[0])),
                             (T[2], lambda d: flat(first(still, d)[1])),
                             (T[3], lambda d: flat(first(d, still)[2]))]:
                self.assert_close(found.reshape(n * n, n), slopes(n, f), 1e-7 * size, robot)
            for found, x in zip(dynamics.inverse_second_products(y, q, v, a, **free), T):
                self.assert_close(found, np.tensordot(y, x, 1), 1e-10 * n * size, robot)
            forward = dynamics.forward_second_derivatives(q, v, tau, **free)
            for found, x in zip(dynamics.forward_second_products(y, q, v, tau, **free), forward):
                self.assert_close(found, np.tensordot(y, x, 1), 1e-8 * n * (1 + abs(x).max()),
                                  robot)
            self.assert_close(dynamics.mass_derivatives(q), T[3], 1e-11 * size, robot)
            bent = slopes(n, lambda d: flat(
                dynamics.mass_derivatives(robot.integrate(q, d))[:, :, n - 1]))
            self.assert_close(dynamics.mass_second_derivative(q, n - 1, 0).reshape(n * n),
                              bent[:, 0], 1e-7 * size, robot)

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

    def test_sensitivity_with_wrenches_on_a_moving_ground(self):
        robot = j.load("builtin:arm7")
        q, v, a = robot.random(1), self.vector(7), self.vector(7)
        ground = j.Twist(self.vector(6)), j.Twist(self.vector(6))
        pushes = [("link_7", self.vector(6), "space"), ("link_3", self.vector(6))]
        links = [f"link_{k}" for k in range(1, 8)]
        of_mass = j.Sensitivity(robot, [("inertia", link, 0) for link in links])
        dynamics = j.Dynamics(robot)
        tau = dynamics.inverse(q, v, a, pushes, ground=ground)
        dtau = of_mass.force(q, v, a, pushes, ground=ground)
        dacceleration = of_mass.acceleration(q, v, tau, pushes, ground=ground)
        self.assert_close(dynamics.mass(q) @ dacceleration, -dtau, 1e-10 * abs(dtau).max())
        Y = j.Regressor(robot).force(q, v, a, ground=ground)
        masses = [10 * robot.frame(link) for link in links]
        self.assert_close(dtau, Y[:, masses], 1e-12 * abs(Y).max())
        up = j.Sensitivity(robot, [("gravity", "", 2)])
        self.assertTrue(up.force(q, v, a).any())
        self.assertFalse(up.force(q, v, a, gravity=False).any())

    def test_kinematics_momentum_energy(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a = self.vector(n), self.vector(n)
            dynamics, frame = j.Dynamics(robot), len(robot.frames) - 1

            def at(answer):
                def moved(d):
                    dynamics.kinematics(robot.integrate(q, d), v, a)
                    return answer()
                return slopes(n, moved)

            def numbers(X):
                return np.concatenate([X.w, X.v])
            twist = at(lambda: numbers(dynamics.twist_space(frame)))
            classical = at(lambda: numbers(dynamics.classical_acceleration_hybrid(frame)))
            spatial = at(lambda: numbers(dynamics.spatial_acceleration_space(frame)))
            velocity = at(lambda: dynamics.com().velocity)
            dynamics.kinematics(q, v, a)
            dq, dv = dynamics.twist_derivatives(frame, "space")
            self.assert_close(dq, twist, 1e-8 * (1 + abs(dq).max()), robot)
            self.assert_close(dv, dynamics.jacobian_space(frame), 1e-12 * (1 + abs(dv).max()))
            dq, _, da = dynamics.classical_acceleration_derivatives(frame, "hybrid")
            self.assert_close(dq, classical, 1e-8 * (1 + abs(dq).max()), robot)
            self.assert_close(da, dynamics.jacobian_hybrid(frame), 1e-12 * (1 + abs(da).max()))
            dq, _, da = dynamics.spatial_acceleration_derivatives(frame, "space")
            self.assert_close(dq, spatial, 1e-8 * (1 + abs(dq).max()), robot)
            self.assert_close(da, dynamics.jacobian_space(frame), 1e-12 * (1 + abs(da).max()))
            com = dynamics.com_derivatives()
            self.assert_close(com["velocity_dq"], velocity, 1e-8 * (1 + abs(velocity).max()), robot)
            h = dynamics.momentum_derivatives(q, v, a)
            A, _ = dynamics.centroidal(q, v)
            self.assert_close(h["momentum_dv"], A, 1e-12 * (1 + abs(A).max()), robot)
            _, kinetic_dv, potential_dq = dynamics.energy_derivatives(q, v)
            p = dynamics.mass(q) @ v
            self.assert_close(kinetic_dv, p, 1e-12 * (1 + abs(p).max()), robot)
            g = dynamics.gravity(q)
            self.assert_close(potential_dq, g, 1e-11 * (1 + abs(g).max()), robot)

    def test_higher_order(self):
        robot = j.load("builtin:arm7")
        q, motion = robot.random(2), np.column_stack([self.vector(7) for _ in range(4)])
        d, dynamics = j.SeriesDerivatives(robot, 2), j.Dynamics(robot)
        self.assertEqual(d.order, 2)
        taus = d.inverse_series(q, motion)
        self.assert_close(taus, dynamics.inverse_series(q, motion), 0)
        for s in range(5):
            def rate(x, s=s):
                changed = motion.copy()
                if s > 0:
                    changed[:, s - 1] += x
                at = q if s > 0 else robot.integrate(q, x)
                return dynamics.inverse_series(at, changed)[:, 2]
            found = d.force(2, s)
            self.assert_close(found, slopes(7, rate), 1e-7 * (1 + abs(found).max()))
        d.forward_series(q, motion[:, 0], taus)
        self.assert_close(d.force(0, 2) @ d.acceleration(0, 2), np.eye(7), 1e-9)
        self.refused("SeriesDerivatives: force(0, 3) is out of range, order 2", d.force, 0, 3)

    def test_higher_order_from_outside(self):
        robot = j.load("builtin:arm7")
        q, motion = robot.random(3), np.column_stack([self.vector(7) for _ in range(4)])
        d, dynamics = j.SeriesDerivatives(robot, 2), j.Dynamics(robot)
        outside = {"wrenches": [("flange", [self.vector(6) for _ in range(3)], "space")],
                   "ground": [j.Twist(self.vector(6)) for _ in range(4)], "passive": False,
                   "gravity": False, "joint_torques": self.numbers.normal(size=(7, 2))}
        taus = d.inverse_series(q, motion, **outside)
        self.assert_close(taus, dynamics.inverse_series(q, motion, **outside), 0)
        found = d.force(2, 0)
        slope = slopes(7, lambda x: dynamics.inverse_series(
            robot.integrate(q, x), motion, **outside)[:, 2])
        self.assert_close(found, slope, 1e-7 * (1 + abs(found).max()))  # differences keep 1e-8
        again = d.forward_series(q, motion[:, 0], taus, **outside)
        self.assert_close(again, dynamics.forward_series(q, motion[:, 0], taus, **outside), 0)
        self.assertGreater(abs(taus - d.inverse_series(q, motion)).max(), 1e-3)

    def test_regulators(self):
        robot = j.load("builtin:planar_2r")
        dynamics, q, zero = j.Dynamics(robot), [0.3, 0.4], np.zeros(2)
        tau = dynamics.gravity(q)
        A, B = j.linearise(dynamics, q, zero, tau)
        self.assert_close(A[2:, :2], dynamics.forward_derivatives(q, zero, tau)[0], 0)
        around = {"wrenches": [(robot.frames[-1], self.vector(6), "space")], "passive": False,
                  "ground": self.numbers.normal(size=(2, 6)), "gravity": False}
        found = j.linearise(dynamics, q, zero, tau, **around)[0]
        self.assert_close(found[2:, :2], dynamics.forward_derivatives(q, zero, tau, **around)[0], 0)
        self.assertGreater(abs(found - A).max(), 1e-3)
        Q, R = np.eye(4), np.eye(2)
        gain, cost, residual = j.continuous_regulator(A, B, Q, R)
        riccati = A.T @ cost + cost @ A - cost @ B @ B.T @ cost + Q
        self.assert_close(riccati, 0 * Q, 1e-9 * abs(cost).max())
        self.assertLess(residual, 1e-10)
        self.assertLess(np.linalg.eigvals(A - B @ gain).real.max(), 0)
        A_step, B_step = j.discretise(A, B, 0.01)
        gain, cost, _ = j.discrete_regulator(A_step, B_step, Q, R)
        self.assertLess(abs(np.linalg.eigvals(A_step - B_step @ gain)).max(), 1)
        gains = j.finite_horizon_gains([(A_step, B_step)] * 20, Q, R, cost)
        self.assertEqual(len(gains), 20)
        self.assert_close(gains[0], gain, 1e-9 * abs(gain).max())  # the cost to go from the start
        self.refused("discretise: B is 3 x 2, needs to be 4 x 2", j.discretise, A, B[:3], 0.01)
        self.refused("discretise: dt is 0.000000, needs to be positive and finite",
                     j.discretise, A, B, 0)
        self.refused("finite_horizon_gains: A of step 1 is 2 x 2, needs to be 4 x 4",
                     j.finite_horizon_gains, [(A, B), (R, B)], Q, R, Q)
        self.refused("finite_horizon_gains: Q_end is not finite",
                     j.finite_horizon_gains, [(A, B)], Q, R, np.nan * Q)
        skew = [[1, 5], [0, 1]]
        self.refused("continuous_regulator: R is not symmetric: R(0, 1) is 5, R(1, 0) is 0",
                     j.continuous_regulator, A, B, Q, skew)
        self.refused("discrete_regulator: Q must be positive semidefinite",
                     j.discrete_regulator, A_step, B_step, -Q, R)
        with self.assertRaisesRegex(j.ComputationError, "is not detectable"):
            j.continuous_regulator([[1.0]], [[1.0]], [[0.0]], [[1.0]])
        with self.assertRaisesRegex(j.ComputationError, "grows beyond all numbers"):
            j.discretise([[1e3]], [[1.0]], 1.0)

    def test_messages(self):
        dynamics = j.Dynamics(j.load("builtin:arm7"))
        q = np.zeros(7)
        self.refused('inverse_derivatives: v has 6 elements, robot "arm7" needs 7',
                     dynamics.inverse_derivatives, q, q[:6], q)
        self.refused('hybrid_derivatives: prescribed has 2 elements, robot "arm7" needs 7',
                     dynamics.hybrid_derivatives, [True, False], q, q, q, q)
        for wrong in [0, 1, 2, 3, 4, 5, 6], [2.5] * 7, [None] * 7, None, [[True] * 7], "TTTTTTT":
            self.wrong_type("hybrid_derivatives: prescribed needs one bool per velocity coordinate",
                            dynamics.hybrid_derivatives, wrong, q, q, q, q)


if __name__ == "__main__":
    unittest.main()
