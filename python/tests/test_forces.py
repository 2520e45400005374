# SPDX-License-Identifier: BSD-3-Clause
"""Equations of motion, mass matrix, operational space and other libraries' states from Python."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest, random_robots


def sound_robots():
    """Robots whose mass matrix is far from singular: no random composites."""
    kinds = ["revolute", "prismatic", "helical", "universal", "spherical", "planar", "free"]
    for seed in range(1, 9):
        yield j.generate(shape="random_tree", bodies=7, kinds=kinds, free_base=seed % 2 == 0,
                         mimic=seed % 3 == 0, fixed_links=True, passive=True, seed=seed)
    for name in "arm7", "quadruped", "humanoid":
        yield j.load("builtin:" + name)


class ForcesTest(RobotTest):
    def cases(self):
        """(robot, dynamics, (q, v, a), wrenches from outside)."""
        for robot in sound_robots():
            state = robot.random(3), self.vector(robot.nv), self.vector(robot.nv)
            frames = self.numbers.choice(robot.frames, 3)
            wrenches = [(str(frame), self.vector(6), kind)
                        for frame, kind in zip(frames, ["body", "space", "hybrid"])]
            yield robot, j.Dynamics(robot), state, wrenches

    def assert_solves(self, M, a, b, tau, message):
        """Backward error: M may be ill conditioned."""
        size = np.linalg.norm(M) * np.linalg.norm(a) + np.linalg.norm(b) + np.linalg.norm(tau)
        self.assert_close(M @ a + b, tau, 1e-12 * size, message)


class EquationsOfMotion(ForcesTest):
    def test_wrenches_from_outside(self):
        for robot, dynamics, (q, v, a), wrenches in self.cases():
            free = dynamics.inverse(q, v, a)
            felt = sum(dynamics.jacobian(frame, kind, q).T @ F for frame, F, kind in wrenches)
            size = abs(free).max() + abs(felt).max()
            found = dynamics.inverse(q, v, a, wrenches)
            self.assert_close(found, free - felt, 1e-12 * size, robot)
            as_wrenches = [(frame, j.Wrench(F), kind) for frame, F, kind in wrenches]
            np.testing.assert_array_equal(dynamics.inverse(q, v, a, as_wrenches), found)
            np.testing.assert_array_equal(dynamics.inverse(q, v, a, [wrenches[0][:2]]),
                                          dynamics.inverse(q, v, a, [wrenches[0]]))

    def test_forward(self):
        for robot, dynamics, (q, v, tau), wrenches in self.cases():
            a = dynamics.forward(q, v, tau, wrenches=wrenches)
            bias = dynamics.inverse(q, v, np.zeros(robot.nv), wrenches)
            self.assert_solves(dynamics.mass(q), a, bias, tau, robot)

    def test_hybrid(self):
        for robot, dynamics, (q, v, given_a), wrenches in self.cases():
            given_tau = self.vector(robot.nv)
            prescribed = self.numbers.random(robot.nv) < 0.5
            a, tau = dynamics.hybrid(prescribed, q, v, given_a, given_tau, wrenches)
            np.testing.assert_array_equal(a[prescribed], given_a[prescribed])
            np.testing.assert_array_equal(tau[~prescribed], given_tau[~prescribed])
            bias = dynamics.inverse(q, v, np.zeros(robot.nv), wrenches)
            self.assert_solves(dynamics.mass(q), a, bias, tau, robot)
            again = dynamics.hybrid(list(map(bool, prescribed)), q, v, given_a, given_tau, wrenches)
            np.testing.assert_array_equal(again[0], a)

    def test_energy(self):
        for robot, dynamics, (q, v, _), _ in self.cases():
            kinetic, potential = dynamics.energy(q, v)
            self.assert_close(kinetic, v @ dynamics.mass(q) @ v / 2, 1e-12 * kinetic, robot)
            dynamics.kinematics(q)
            height = -np.dot(robot.gravity, dynamics.com().position) * robot.mass
            self.assert_close(potential, height, 1e-11 * (1 + abs(height)), robot)


class MassMatrix(ForcesTest):
    def test_inverse_and_factors(self):
        for robot, dynamics, (q, _, _), _ in self.cases():
            M, W = dynamics.mass(q), dynamics.mass_inverse(q)
            size = np.linalg.norm(M) * np.linalg.norm(W)
            self.assert_close(M @ W, np.eye(robot.nv), 1e-13 * size, robot)
            L, D = dynamics.mass_factors(q)
            self.assert_close(L.T @ np.diag(D) @ L, M, 1e-12 * abs(M).max(), robot)
            np.testing.assert_array_equal(np.triu(L), np.eye(robot.nv))

    def test_solve(self):
        for robot, dynamics, (q, x, _), _ in self.cases():
            dynamics.factor_mass(q)
            M, X = dynamics.mass(q), self.numbers.normal(size=(robot.nv, 3))
            zero = np.zeros(robot.nv)
            self.assert_solves(M, dynamics.mass_solve(x), zero, x, robot)
            columns = dynamics.mass_solve(X)
            for k in range(3):
                np.testing.assert_array_equal(columns[:, k], dynamics.mass_solve(X[:, k]))

    def test_messages(self):
        arm = j.load("builtin:arm7")
        dynamics, q = j.Dynamics(arm), arm.neutral()
        self.refused("mass_solve: call factor_mass first", dynamics.mass_solve, q)
        self.refused('mass_inverse: q has 6 elements, robot "arm7" needs 7',
                     dynamics.mass_inverse, q[:6])
        dynamics.factor_mass(q)
        self.refused("mass_solve: x has shape (6, 2), needs (7, 2)", dynamics.mass_solve,
                     np.zeros((6, 2)))
        needs = "inverse: wrenches needs (frame, wrench, kind) each"
        for wrong in [1], [("flange",)], 3.0, [("flange", np.zeros(6), 2)]:
            self.wrong_type(needs, dynamics.inverse, q, q, q, wrong)
        self.refused("inverse: wrenches[1] has shape (5,), needs (6,) or a Wrench",
                     dynamics.inverse, q, q, q, [("flange", np.zeros(6)), ("flange", np.zeros(5))])
        self.refused('inverse: kind is "world", needs "body", "space" or "hybrid"',
                     dynamics.inverse, q, q, q, [("flange", np.zeros(6), "world")])
        self.wrong_type("hybrid: prescribed needs one bool per velocity coordinate",
                        dynamics.hybrid, [1.0] * 7, q, q, q, q)
        self.refused('hybrid: prescribed has 2 elements, robot "arm7" needs 7', dynamics.hybrid,
                     [True, False], q, q, q, q)
        plain = np.zeros(7)
        for masked in np.ma.array(plain, mask=plain == 1), np.ma.array(plain, mask=plain == 0):
            self.wrong_type("inverse: v is a masked array, needs plain numbers", dynamics.inverse,
                            plain, masked, plain)
            self.wrong_type("mass_solve: x is a masked array, needs plain numbers",
                            dynamics.mass_solve, masked)
            self.wrong_type("hybrid: prescribed is a masked array, needs plain numbers",
                            dynamics.hybrid, masked == 0, q, q, q, q)
        np.testing.assert_array_equal(dynamics.gravity(plain.view(np.recarray)),
                                      dynamics.gravity(plain))

    def test_overflow(self):
        arm = j.load("builtin:arm7")
        dynamics, q = j.Dynamics(arm), arm.neutral()
        fast = np.full(7, 1e160)
        for message, call in {
            'inverse: tau[0] (joint "joint_1") is not finite': lambda: dynamics.inverse(q, fast, q),
            "energy: kinetic is not finite": lambda: dynamics.energy(q, fast),
            'inverse_derivatives: dtau_dq(0, 1) (joint "joint_2") is not finite':
                lambda: dynamics.inverse_derivatives(q, fast, q),
        }.items():
            with self.assertRaises(j.ComputationError) as raised:
                call()
            self.assertEqual(str(raised.exception), message)

    def test_no_mass(self):
        arm = j.loads('''<robot name="two"><link name="ground"/><link name="arm"/>
            <joint name="turn" type="continuous"><parent link="ground"/><child link="arm"/></joint>
            </robot>''')
        with self.assertRaises(j.ComputationError) as raised:
            j.Dynamics(arm).forward([0], [0], [1])
        self.assertEqual(str(raised.exception),
                         'forward: joint "turn" moves link "arm", which has no mass')


class OperationalSpace(ForcesTest):
    def test_against_dense_algebra(self):
        arm = j.load("builtin:arm7")
        dynamics, q = j.Dynamics(arm), arm.random(5)
        dynamics.kinematics(q)
        W = np.linalg.inv(dynamics.mass(q))
        for kind in "body", "space", "hybrid":
            J = dynamics.jacobian("flange", kind)
            inertia = dynamics.operational_inertia("flange", kind)
            expected = np.linalg.inv(J @ W @ J.T)
            self.assert_close(inertia, expected, 1e-9 * abs(expected).max(), kind)
            back = dynamics.dynamically_consistent_inverse("flange", kind)
            self.assert_close(back, W @ J.T @ expected, 1e-9 * abs(back).max(), kind)
        J = dynamics.jacobian_body("flange")
        N = dynamics.dynamic_null_space_projector("flange")
        self.assert_close(J @ W @ N.T, np.zeros((6, 7)), 1e-9 * abs(W).max())
        self.refused("operational_inertia: cutoff is -1, needs a number >= 0",
                     dynamics.operational_inertia, "flange", "body", -1)

    def test_path_jacobian_leaves_the_state(self):
        for robot in random_robots():
            dynamics, frame = j.Dynamics(robot), robot.frames[-1]
            for kind in "body", "space", "hybrid":
                dynamics.kinematics(robot.random(1))
                before = dynamics.jacobian(frame, kind)
                found = dynamics.jacobian(frame, kind, robot.random(2))
                np.testing.assert_array_equal(dynamics.jacobian(frame, kind), before)
                dynamics.kinematics(robot.random(2))
                self.assert_close(found, dynamics.jacobian(frame, kind),
                                  1e-13 * (1 + abs(found).max()), robot)


class StateConventions(ForcesTest):
    LIBRARIES = ["pinocchio", "mujoco", "drake", "rbdl"]

    def test_round_trips_and_power(self):
        dog = j.load("builtin:quadruped")
        q, v, a, tau = dog.random(1), *(self.vector(dog.nv) for _ in range(3))
        for library in self.LIBRARIES + ["spatial_base"]:
            to, back = getattr(j, "to_" + library), getattr(j, "from_" + library)
            theirs = to(dog, q, v, a, tau)
            self.assert_close(theirs[1] @ theirs[3], v @ tau, 1e-12, library)
            for found, expected in zip(back(dog, *theirs), (q, v, a, tau)):
                self.assert_close(found, expected, 1e-12, library)
            self.assertEqual(to(dog, q, v)[2:], (None, None))

    def test_layout(self):
        dog = j.load("builtin:quadruped")
        q, v = dog.random(1), np.arange(dog.nv, dtype=float)
        np.testing.assert_array_equal(j.to_pinocchio(dog, q, v)[1][:6], [3, 4, 5, 0, 1, 2])
        mujoco = j.to_mujoco(dog, q, v)[0]
        np.testing.assert_array_equal(mujoco[:7], [*q[:3], q[6], *q[3:6]])
        np.testing.assert_array_equal(j.to_drake(dog, q, v)[0][:7], [q[6], *q[3:6], *q[:3]])
        self.assertEqual(j.to_rbdl(dog, q, v)[0][-1], q[6])

    def test_order(self):
        arm = j.load("builtin:arm7")
        names, v = [joint.name for joint in arm.joints][::-1], np.arange(7.0)
        self.assert_close(j.to_mujoco(arm, v / 9, v, order=names)[1], v[::-1])
        self.refused(f'to_mujoco: the order names joint "{names[0]}" twice', j.to_mujoco, arm, v, v,
                     order=[names[0]] * 2)


if __name__ == "__main__":
    unittest.main()
