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
            dynamics, derivatives = j.Dynamics(robot), j.Derivatives(robot)
            free = {"passive": False}
            tau = dynamics.inverse(q, v, a, **free)
            inverse = derivatives.inverse(q, v, a, **free)
            dq, dv, da = inverse.dq, inverse.dv, inverse.da
            size = 1 + abs(dq).max() + abs(dv).max() + abs(da).max()
            for found, f in [(dq, lambda d: dynamics.inverse(robot.integrate(q, d), v, a, **free)),
                             (dv, lambda d: dynamics.inverse(q, v + d, a, **free)),
                             (da, lambda d: dynamics.inverse(q, v, a + d, **free))]:
                self.assert_close(found, slopes(n, f), 1e-8 * size, robot)
            forward = derivatives.forward(q, v, tau, **free)
            a_dq, a_dv, a_dtau = forward.dq, forward.dv, forward.dtau
            self.assert_close(da @ a_dq, -dq, 1e-9 * size, robot)
            self.assert_close(da @ a_dv, -dv, 1e-9 * size, robot)
            self.assert_close(da @ a_dtau, np.eye(n), 1e-9 * size, robot)
            y = self.vector(n)
            for found, J in zip(derivatives.inverse_vector_jacobian(y, q, v, a, **free), inverse):
                self.assert_close(found, y @ J, 1e-10 * size * n, robot)
            for found, J in zip(derivatives.forward_vector_jacobian(y, q, v, tau, **free), forward):
                self.assert_close(found, y @ J, 1e-9 * n * (1 + abs(J).max()), robot)
            for prescribed, expected in [([True] * n, inverse), ([False] * n, forward)]:
                found = derivatives.hybrid(prescribed, q, v, a, tau, **free)
                self.assertEqual(found._fields, ("dq", "dv", "dgiven"))
                for x, y in zip(found, expected):
                    self.assert_close(x, y, 1e-9 * (1 + abs(y).max()), robot)

    def test_surroundings(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a, y, z = (self.vector(n) for _ in range(4))
            pushes = [(robot.frames[-1], self.vector(6), "space"),
                      (len(robot.frames) // 2, self.vector(6), "hybrid")]
            outside = {"wrenches": pushes, "ground": (self.vector(6), self.vector(6)),
                       "passive": False}
            dynamics, derivatives = j.Dynamics(robot), j.Derivatives(robot)
            tau = dynamics.inverse(q, v, a, **outside)
            inverse = derivatives.inverse(q, v, a, **outside)
            forward = derivatives.forward(q, v, tau, **outside)
            size = 1 + max(abs(x).max() for x in inverse + forward)
            expected = slopes(n, lambda d: dynamics.inverse(robot.integrate(q, d), v, a, **outside))
            self.assert_close(inverse[0], expected, 1e-8 * size, robot)
            self.assert_close(inverse[2] @ forward[0], -inverse[0], 1e-9 * size ** 2, robot)
            given = derivatives.hybrid([False] * n, q, v, a, tau, **outside)
            self.assert_close(given.dq, forward.dq, 1e-9 * size, robot)
            for J, right, left in [
                    (inverse, derivatives.inverse_jacobian_vector(q, v, a, y, z, v, **outside),
                     derivatives.inverse_vector_jacobian(y, q, v, a, **outside)),
                    (forward, derivatives.forward_jacobian_vector(q, v, tau, y, z, v, **outside),
                     derivatives.forward_vector_jacobian(y, q, v, tau, **outside))]:
                self.assert_close(right, J[0] @ y + J[1] @ z + J[2] @ v, 1e-9 * n * size, robot)
                self.assert_close(left[0], y @ J[0], 1e-9 * n * size, robot)
            second = j.SecondDerivatives(robot)
            T = second.inverse(q, v, a, **outside)
            T_size = 1 + max(abs(x).max() for x in T)
            bent = slopes(n, lambda d: derivatives.inverse(
                robot.integrate(q, d), v, a, **outside).dq.reshape(n * n))
            self.assert_close(T[0].reshape(n * n, n), bent, 1e-7 * T_size, robot)
            H = second.inverse_products(y, q, v, a, **outside)
            self.assert_close(H[0], np.tensordot(y, T[0], 1), 1e-10 * n * T_size, robot)
            F = second.forward(q, v, tau, **outside).dqdq
            H = second.forward_products(y, q, v, tau, **outside)
            self.assert_close(H[0], np.tensordot(y, F, 1), 1e-8 * n * (1 + abs(F).max()), robot)

    def test_second(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a, y = self.vector(n), self.vector(n), self.vector(n)
            derivatives, second = j.Derivatives(robot), j.SecondDerivatives(robot)
            free = {"passive": False}
            tau = j.Dynamics(robot).inverse(q, v, a, **free)
            first = lambda d, e: derivatives.inverse(robot.integrate(q, d), v + e, a, **free)
            flat = lambda x: x.reshape(n * n)
            T = second.inverse(q, v, a, **free)
            size = 1 + max(abs(x).max() for x in T)
            still = np.zeros(n)
            for found, f in [(T.dqdq, lambda d: flat(first(d, still).dq)),
                             (T.dqdv, lambda d: flat(first(still, d).dq)),
                             (T.dvdv, lambda d: flat(first(still, d).dv)),
                             (T.dadq, lambda d: flat(first(d, still).da))]:
                self.assert_close(found.reshape(n * n, n), slopes(n, f), 1e-7 * size, robot)
            for found, x in zip(second.inverse_products(y, q, v, a, **free), T):
                self.assert_close(found, np.tensordot(y, x, 1), 1e-10 * n * size, robot)
            forward = second.forward(q, v, tau, **free)
            self.assertEqual(forward._fields, ("dqdq", "dqdv", "dvdv", "dtaudq"))
            for found, x in zip(second.forward_products(y, q, v, tau, **free), forward):
                self.assert_close(found, np.tensordot(y, x, 1), 1e-8 * n * (1 + abs(x).max()),
                                  robot)
            self.assert_close(second.mass(q), T.dadq, 1e-11 * size, robot)
            bent = slopes(n, lambda d: flat(second.mass(robot.integrate(q, d))[:, :, n - 1]))
            self.assert_close(flat(second.mass_second(q, n - 1, 0)), bent[:, 0], 1e-7 * size, robot)

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
        self.refused('Sensitivity: there is no kind of parameter "colour"; there are inertia, payload, '
                     "placement, axis, pitch, gravity, wrench, bushing_stiffness, bushing_damping, "
                     "bushing_placement_1, bushing_placement_2, loop_placement_1, loop_placement_2, "
                     "loop_length, loop_radius, loop_ratio, loop_offset, "
                     "armature, stiffness, rest, damping, friction, drag", j.Sensitivity, robot,
                     [("colour", "link_1", 0)])

    def test_sensitivity_of_hybrid_dynamics_mass_and_energy(self):
        robot = j.load("builtin:arm7")
        q, v, a = robot.random(1), self.vector(7), self.vector(7)
        dynamics = j.Dynamics(robot)
        tau = dynamics.inverse(q, v, a)
        to = j.Sensitivity(robot, [("inertia", "link_4", 0), ("placement", "joint_3", 4),
                                   ("wrench", "link_6", 2)])
        prescribed = [k % 2 == 0 for k in range(7)]
        found, X = to.hybrid(prescribed, q, v, a, tau), to.force(q, v, a)
        M, p = dynamics.mass(q), np.array(prescribed)
        self.assert_close(M[np.ix_(~p, ~p)] @ found[~p], -X[~p], 1e-9)
        self.assert_close(found[p], X[p] + M[np.ix_(p, ~p)] @ found[~p], 1e-9)
        dM = to.mass(q)
        self.assertEqual(dM.shape, (7, 7, 3))
        self.assert_close(dM[:, :, 0], j.GeometrySensitivity(
            robot, [("inertia", "link_4", 0)]).mass(q)[:, :, 0], 1e-13)
        energy = to.energy(q, v)
        self.assert_close(energy[0], np.einsum("i,ijp,j->p", v, dM, v) / 2, 1e-12)
        Y = j.Regressor(robot).energy(q, v)
        self.assert_close(energy[:, 0], Y[:, 10 * robot.frame("link_4")], 1e-12)
        self.assertEqual(list(energy[:, 2]), [0, 0])

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

    def test_kinematics(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a = self.vector(n), self.vector(n)
            kinematics, derivatives = j.Kinematics(robot), j.Derivatives(robot)
            frame = len(robot.frames) - 1

            def at(answer):
                return slopes(n, lambda d: answer(kinematics.at(robot.integrate(q, d), v, a)))
            twist = at(lambda k: k.twist_space(frame).vector)
            classical = at(lambda k: k.classical_acceleration_hybrid(frame).vector)
            spatial = at(lambda k: k.spatial_acceleration_space(frame).vector)
            velocity = at(lambda k: k.com_velocity())
            acceleration = at(lambda k: k.com_acceleration())
            kinematics.at(q, v, a)
            space, hybrid = kinematics.jacobian_space(frame), kinematics.jacobian_hybrid(frame)
            for found, dq, J in [
                    (derivatives.twist(frame, "space", q, v), twist, space),
                    (derivatives.classical_acceleration(frame, "hybrid", q, v, a), classical,
                     hybrid),
                    (derivatives.spatial_acceleration(frame, "space", q, v, a), spatial, space)]:
                self.assert_close(found.dq, dq, 1e-8 * (1 + abs(dq).max()), robot)
                self.assert_close(found[-1], J, 1e-12 * (1 + abs(J).max()), robot)
            com, J = derivatives.com(q, v, a), kinematics.com_jacobian()
            self.assert_close(com.velocity_dq, velocity, 1e-8 * (1 + abs(velocity).max()), robot)
            self.assert_close(com.acceleration_dq, acceleration,
                              1e-8 * (1 + abs(acceleration).max()), robot)
            for same in com.position_dq, com.velocity_dv, com.acceleration_da:
                self.assert_close(same, J, 1e-12 * (1 + abs(J).max()), robot)

    def test_kinematics_on_a_moving_ground(self):
        arm = j.load("builtin:arm7")
        kinematics, derivatives = j.Kinematics(arm), j.Derivatives(arm)
        q, v, a, ground = arm.random(3), self.vector(7), self.vector(7), (self.vector(6),) * 2
        for found, f in [
                (derivatives.twist("flange", "hybrid", q, v, ground=ground),
                 lambda k: k.twist_hybrid("flange").vector),
                (derivatives.spatial_acceleration("flange", "body", q, v, a, ground=ground),
                 lambda k: k.spatial_acceleration_body("flange").vector)]:
            dq = slopes(7, lambda d: f(kinematics.at(arm.integrate(q, d), v, a, ground=ground)))
            self.assert_close(found.dq, dq, 1e-8 * (1 + abs(dq).max()))

    def test_momentum_and_energy(self):
        for robot in random_robots():
            n, q = robot.nv, robot.random(3)
            v, a = self.vector(n), self.vector(n)
            dynamics, derivatives = j.Dynamics(robot), j.Derivatives(robot)
            h, A = derivatives.momentum(q, v, a), dynamics.centroidal(q, v).matrix
            self.assert_close(h.momentum_dv, A, 1e-12 * (1 + abs(A).max()), robot)
            self.assert_close(h.rate_da, A, 1e-12 * (1 + abs(A).max()), robot)
            energy = derivatives.energy(q, v)
            p, g = dynamics.mass(q) @ v, dynamics.gravity(q)
            self.assert_close(energy.kinetic_dv, p, 1e-12 * (1 + abs(p).max()), robot)
            self.assert_close(energy.potential_dq, g, 1e-11 * (1 + abs(g).max()), robot)

    def test_higher_order(self):
        robot = j.load("builtin:arm7")
        q, motion = robot.random(2), np.column_stack([self.vector(7) for _ in range(4)])
        derivatives, series = j.SeriesDerivatives(robot, 2), j.Series(robot, 2)
        self.assertEqual(derivatives.order, 2)
        d = derivatives.inverse(q, motion)
        self.assertEqual(d.order, 2)
        taus = d.series()
        self.assert_close(taus, series.inverse(q, motion), 0)
        for s in range(5):
            def rate(x, s=s):
                changed = motion.copy()
                if s > 0:
                    changed[:, s - 1] += x
                at = q if s > 0 else robot.integrate(q, x)
                return series.inverse(at, changed)[:, 2]
            self.assert_close(d(2, s), slopes(7, rate), 1e-7 * (1 + abs(d(2, s)).max()))
        forward = derivatives.forward(q, motion[:, 0], taus)
        self.assert_close(d(0, 2) @ forward(0, 2), np.eye(7), 1e-9)
        with self.assertRaisesRegex(j.InputError, r"\(0, 3\) is out of range, order 2"):
            d(0, 3)

    def test_higher_order_from_outside(self):
        robot = j.load("builtin:arm7")
        q, motion = robot.random(3), np.column_stack([self.vector(7) for _ in range(4)])
        derivatives, series = j.SeriesDerivatives(robot, 2), j.Series(robot, 2)
        outside = {"wrenches": [("flange", [self.vector(6) for _ in range(3)], "space")],
                   "ground": [j.Twist(self.vector(6)) for _ in range(4)], "passive": False,
                   "gravity": False, "joint_torques": self.numbers.normal(size=(7, 2))}
        d = derivatives.inverse(q, motion, **outside)
        taus = d.series()
        self.assert_close(taus, series.inverse(q, motion, **outside), 0)
        slope = slopes(7, lambda x: series.inverse(
            robot.integrate(q, x), motion, **outside)[:, 2])
        self.assert_close(d(2, 0), slope, 1e-7 * (1 + abs(slope).max()))  # differences keep 1e-8
        again = derivatives.forward(q, motion[:, 0], taus, **outside).series()
        self.assert_close(again, series.forward(q, motion[:, 0], taus, **outside), 0)
        bare = derivatives.inverse(q, motion)
        self.assertGreater(abs(taus - bare.series()).max(), 1e-3)
        np.testing.assert_array_equal(d.series(), taus)  # not touched by the calls since
        self.assertGreater(abs(d(2, 0) - bare(2, 0)).max(), 1e-3)

    def test_regulators(self):
        robot = j.load("builtin:planar_2r")
        derivatives, q, zero = j.Derivatives(robot), [0.3, 0.4], np.zeros(2)
        tau = j.Dynamics(robot).gravity(q)
        A, B = j.linearise(derivatives, q, zero, tau)
        self.assert_close(A[2:, :2], derivatives.forward(q, zero, tau).dq, 0)
        around = {"wrenches": [(robot.frames[-1], self.vector(6), "space")], "passive": False,
                  "ground": self.numbers.normal(size=(2, 6)), "gravity": False}
        found = j.linearise(derivatives, q, zero, tau, **around).A
        self.assert_close(found[2:, :2], derivatives.forward(q, zero, tau, **around).dq, 0)
        self.assertGreater(abs(found - A).max(), 1e-3)
        Q, R = np.eye(4), np.eye(2)
        regulator = j.continuous_regulator(A, B, Q, R)
        gain, cost = regulator.gain, regulator.cost
        riccati = A.T @ cost + cost @ A - cost @ B @ B.T @ cost + Q
        self.assert_close(riccati, 0 * Q, 1e-9 * abs(cost).max())
        self.assertLess(regulator.residual, 1e-10)
        self.assertLess(np.linalg.eigvals(A - B @ gain).real.max(), 0)
        A_step, B_step = j.discretise(A, B, 0.01)
        regulator = j.discrete_regulator(A_step, B_step, Q, R)
        gain, cost = regulator.gain, regulator.cost
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
        derivatives = j.Derivatives(j.load("builtin:arm7"))
        q = np.zeros(7)
        self.refused('inverse_derivatives: v has 6 elements, robot "arm7" needs 7',
                     derivatives.inverse, q, q[:6], q)
        self.refused('hybrid_derivatives: prescribed has 2 elements, robot "arm7" needs 7',
                     derivatives.hybrid, [True, False], q, q, q, q)
        for wrong in [0, 1, 2, 3, 4, 5, 6], [2.5] * 7, [None] * 7, None, [[True] * 7], "TTTTTTT":
            self.wrong_type("hybrid_derivatives: prescribed needs one bool per velocity coordinate",
                            derivatives.hybrid, wrong, q, q, q, q)


if __name__ == "__main__":
    unittest.main()
