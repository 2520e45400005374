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
    def test_forward_undoes_inverse(self):
        arm = j.load("builtin:arm7")
        dynamics = j.Dynamics(arm)
        q, v, a = arm.random(4), np.linspace(-1, 1, arm.nv), np.linspace(2, -1, arm.nv)
        tau = dynamics.inverse(q, v, a)
        self.assert_close(dynamics.forward(q, v, tau), a, 1e-9)
        tau = dynamics.inverse(q, v, a, passive=False)
        self.assert_close(dynamics.mass(q) @ a + dynamics.bias(q, v), tau, 1e-10)
        self.assert_close(dynamics.gravity(q), dynamics.bias(q, np.zeros(arm.nv)), 1e-12)
        message = 'inverse: a has 6 elements, robot "arm7" needs 7'
        self.refused(message, dynamics.inverse, q, v, a[:6])

    def test_wrenches_from_outside(self):
        for robot, dynamics, (q, v, a), wrenches in self.cases():
            free = dynamics.inverse(q, v, a)
            at = j.Kinematics(robot).at(q)
            felt = sum(at.jacobian(frame, kind).T @ F for frame, F, kind in wrenches)
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
            found = dynamics.hybrid(prescribed, q, v, given_a, given_tau, wrenches)
            a, tau = found.a, found.tau
            np.testing.assert_array_equal(a[prescribed], given_a[prescribed])
            np.testing.assert_array_equal(tau[~prescribed], given_tau[~prescribed])
            bias = dynamics.inverse(q, v, np.zeros(robot.nv), wrenches)
            self.assert_solves(dynamics.mass(q), a, bias, tau, robot)
            again = dynamics.hybrid(list(map(bool, prescribed)), q, v, given_a, given_tau, wrenches)
            np.testing.assert_array_equal(again[0], a)

    def test_energy(self):
        for robot, dynamics, (q, v, _), _ in self.cases():
            energy = dynamics.energy(q, v)
            kinetic, potential = energy
            self.assertEqual((energy.kinetic, energy.potential), (kinetic, potential))
            self.assert_close(kinetic, v @ dynamics.mass(q) @ v / 2, 1e-12 * kinetic, robot)
            com = j.Kinematics(robot).at(q).com()
            height = -np.dot(robot.gravity, com) * robot.mass
            self.assert_close(potential, height, 1e-11 * (1 + abs(height)), robot)


class Owners(ForcesTest):
    """Results belong to the caller; where they go is the caller's choice."""

    def calls(self):
        """(name, call(out=...) -> vector, an array that is an argument of it)."""
        for robot, dynamics, (q, v, a), wrenches in self.cases():
            factors, derivatives = j.MassFactors(robot).at(q), j.Derivatives(robot)
            kinematics = j.Kinematics(robot).at(q)
            around = {"wrenches": wrenches, "ground": self.numbers.normal(size=(2, 6))}
            for name, call, given in [
                    ("inverse", lambda **x: dynamics.inverse(q, v, a, **around, **x), a),
                    ("forward", lambda **x: dynamics.forward(q, v, a, **around, **x), v),
                    ("bias", lambda **x: dynamics.bias(q, v, **x), v),
                    ("gravity", lambda **x: dynamics.gravity(q, **x), None),
                    ("inverse_reference",
                     lambda **x: dynamics.inverse_reference(q, v, a, a, **x), a),
                    ("solve", lambda **x: factors.solve(v, **x), v),
                    ("manipulability_gradient",
                     lambda **x: kinematics.manipulability_gradient(robot.frames[-1], **x), None),
                    ("inverse_jacobian_vector",
                     lambda **x: derivatives.inverse_jacobian_vector(q, v, a, a, v, a, **x), a),
                    ("forward_jacobian_vector",
                     lambda **x: derivatives.forward_jacobian_vector(q, v, a, a, v, a, **x), v)]:
                yield (robot, name), call, given

    def test_two_results_are_two_arrays(self):
        for name, call, _ in self.calls():
            first, second = call(), call()
            self.assertFalse(np.shares_memory(first, second), name)
            self.assertTrue(first.flags.owndata and first.flags.writeable, name)
            np.testing.assert_array_equal(first, second)
        for robot, dynamics, (q, v, a), _ in self.cases():
            for call in (lambda: dynamics.mass(q), lambda: dynamics.hybrid(v > 0, q, v, a, a).a,
                         lambda: dynamics.coriolis(q, v).matrix,
                         lambda: j.Derivatives(robot).inverse(q, v, a).dq):
                first, second = call(), call()
                self.assertFalse(np.shares_memory(first, second))
                kept = first.copy()
                second[:] = 0
                np.testing.assert_array_equal(first, kept)
            now = dynamics.inverse(q, v, a)
            self.assertGreater(abs(dynamics.inverse(q, v, a + 1) - now).max(), 0)

    def test_matrices_are_in_fortran_order(self):
        arm = j.load("builtin:arm7")
        q, v = arm.random(1), self.vector(7)
        dynamics, motion = j.Dynamics(arm), self.numbers.normal(size=(7, 3))
        for matrix in [dynamics.mass(q), dynamics.mass_inverse(q), dynamics.coriolis(q, v).matrix,
                       j.Derivatives(arm).forward(q, v, v).dtau,
                       j.SecondDerivatives(arm).inverse(q, v, v).dqdq,
                       j.SecondDerivatives(arm).mass(q), j.Regressor(arm).force(q, v, v),
                       j.Series(arm, 1).inverse(q, motion), j.MassFactors(arm).at(q).LD()]:
            self.assertTrue(matrix.flags.f_contiguous and matrix.flags.writeable, matrix.shape)

    def test_tensors_outlive_what_they_came_with(self):
        arm = j.load("builtin:arm7")
        q, v = arm.random(1), self.vector(7)
        second = j.SecondDerivatives(arm)
        dadq, mass = second.inverse(q, v, v).dadq, second.mass(q)
        kept = dadq.copy(), mass.copy()
        second.inverse(2 * q, v, v).dadq[:] = 1
        second.mass(2 * q)[:] = 1
        del second
        np.testing.assert_array_equal(dadq, kept[0])
        np.testing.assert_array_equal(mass, kept[1])
        mass[0, 1, 2] += 1  # and may be written

    def test_out_is_written_in_place(self):
        for name, call, _ in self.calls():
            expected = call()
            whole = np.full(len(expected) + 2, 7.0)
            columns = np.asfortranarray(np.full((len(expected), 2), 7.0))
            for out in np.full(len(expected), np.nan), whole[1:-1], columns[:, 1]:
                self.assertIs(call(out=out), out, name)
                np.testing.assert_array_equal(out, expected, str(name))
            self.assertTrue(whole[0] == whole[-1] == 7 and np.all(columns[:, 0] == 7), name)

    def test_out_may_be_an_argument(self):
        for name, call, given in self.calls():
            if given is None:
                continue
            before, expected = given.copy(), call()
            np.testing.assert_array_equal(given, before, str(name))
            self.assertIs(call(out=given), given, name)
            np.testing.assert_array_equal(given, expected, str(name))
            given[:] = before

    def test_wrong_out(self):
        arm = j.load("builtin:arm7")
        q, dynamics = np.zeros(7), j.Dynamics(arm)
        frozen, needs = np.zeros(7), "needs float64 of shape (7,)"
        frozen.flags.writeable = False
        bytes_ = np.zeros(7 * 8 + 1, np.uint8)[1:].view(np.float64)
        for kind, message, out in [
                (TypeError, f"out is of type list, {needs.replace('float', 'an array of float')}",
                 [0] * 7),
                (TypeError, f"out is an array of float32, {needs}", np.zeros(7, np.float32)),
                (TypeError, f"out is an array of int64, {needs}", np.zeros(7, np.int64)),
                (TypeError, f"out is an array of >f8, {needs}", np.zeros(7, ">f8")),
                (TypeError, "out is a masked array, needs plain numbers", np.ma.zeros(7)),
                (j.InputError, "out has shape (6,), needs (7,)", np.zeros(6)),
                (j.InputError, "out has shape (7, 1), needs (7,)", np.zeros((7, 1))),
                (j.InputError, "out has shape (), needs (7,)", np.zeros(())),
                (j.InputError, "out is read-only", frozen),
                (j.InputError, "out needs numbers that lie together in memory", np.zeros(14)[::2]),
                (j.InputError, "out needs numbers that lie together in memory", bytes_)]:
            self.assert_raises(kind, "gravity: " + message, dynamics.gravity, q, out=out)
            self.assert_raises(kind, "inverse: " + message, dynamics.inverse, q, q, q, out=out)
        with self.assertRaisesRegex(TypeError, "incompatible function arguments"):
            dynamics.gravity(q, np.zeros(7))  # by name only

    def test_flags_are_flags(self):
        dynamics, q = j.Dynamics(j.load("builtin:arm7")), np.zeros(7)
        self.wrong_type("inverse: passive is of type str, needs True or False", dynamics.inverse, q,
                        q, q, passive="no")
        np.testing.assert_array_equal(dynamics.inverse(q, q, q, gravity=np.False_),
                                      dynamics.inverse(q, q, q, gravity=False))


class MassMatrix(ForcesTest):
    def test_inverse_and_factors(self):
        for robot, dynamics, (q, _, _), _ in self.cases():
            M, W = dynamics.mass(q), dynamics.mass_inverse(q)
            size = np.linalg.norm(M) * np.linalg.norm(W)
            self.assert_close(M @ W, np.eye(robot.nv), 1e-13 * size, robot)
            LD = j.MassFactors(robot).at(q).LD()
            L, D = np.tril(LD, -1) + np.eye(robot.nv), np.diag(LD)
            self.assert_close(L.T @ np.diag(D) @ L, M, 1e-12 * abs(M).max(), robot)
            np.testing.assert_array_equal(np.triu(LD, 1), np.zeros_like(M))

    def test_solve(self):
        for robot, dynamics, (q, x, _), _ in self.cases():
            factors = j.MassFactors(robot).at(q)
            M, X = dynamics.mass(q), self.numbers.normal(size=(robot.nv, 3))
            zero = np.zeros(robot.nv)
            self.assert_solves(M, factors.solve(x), zero, x, robot)
            for given in X, np.asfortranarray(X), X.tolist():
                columns = factors.solve_columns(given)
                for k in range(3):
                    np.testing.assert_array_equal(columns[:, k], factors.solve(X[:, k]))

    def test_messages(self):
        arm = j.load("builtin:arm7")
        dynamics, factors, q = j.Dynamics(arm), j.MassFactors(arm), arm.neutral()
        needs = "needs a configuration, call at(q) first"
        self.refused("solve: " + needs, factors.solve, q)
        self.refused("LD: " + needs, factors.LD)
        self.refused("operational_inertia: " + needs, factors.operational_inertia, "flange", "body")
        self.refused('mass_inverse: q has 6 elements, robot "arm7" needs 7',
                     dynamics.mass_inverse, q[:6])
        factors.at(q)
        self.refused("solve_columns: X has shape (6, 2), needs (7, 2)", factors.solve_columns,
                     np.zeros((6, 2)))
        self.refused("solve_columns: X has shape (7,), needs (7, 1)", factors.solve_columns, q)
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
            self.wrong_type("solve: x is a masked array, needs plain numbers",
                            factors.solve, masked)
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
                lambda: j.Derivatives(arm).inverse(q, fast, q),
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
        q = arm.random(5)
        kinematics, factors = j.Kinematics(arm).at(q), j.MassFactors(arm).at(q)
        W = np.linalg.inv(j.Dynamics(arm).mass(q))
        for kind in "body", "space", "hybrid":
            J = kinematics.jacobian("flange", kind)
            inertia = factors.operational_inertia("flange", kind)
            expected = np.linalg.inv(J @ W @ J.T)
            self.assert_close(inertia, expected, 1e-9 * abs(expected).max(), kind)
            back = factors.consistent_inverse("flange", kind)
            self.assert_close(back, W @ J.T @ expected, 1e-9 * abs(back).max(), kind)
        J = kinematics.jacobian_body("flange")
        N = factors.null_space_projector("flange")
        self.assert_close(J @ W @ N.T, np.zeros((6, 7)), 1e-9 * abs(W).max())
        self.refused("operational_inertia: cutoff is -1, needs a number >= 0",
                     factors.operational_inertia, "flange", "body", -1)
        self.wrong_type("operational_inertia: cutoff is of type str, needs a number",
                        factors.operational_inertia, "flange", "body", "small")
        self.wrong_type("operational_inertia: kind is of type int, needs a name",
                        factors.operational_inertia, "flange", 1)


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
