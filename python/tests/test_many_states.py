# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of many states, poses as arrays, robots in other processes, threads that do not wait."""

import importlib.util
import multiprocessing
import threading
import time
import unittest

import jounce as j
import numpy as np
from robots import RobotTest


def gravity_of(arm_and_q):
    arm, q = arm_and_q
    return j.Dynamics(arm).gravity(q)


class ManyStates(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.q = np.array([self.arm.random(k) for k in range(5)])
        self.v, self.a = self.numbers.normal(size=(2, 5, 7))

    def test_rows_are_states(self):
        dynamics = j.Dynamics(self.arm)
        tau = dynamics.inverse(self.q, self.v, self.a)
        self.assertEqual(tau.shape, (5, 7))
        for k in range(5):
            self.assert_close(tau[k], dynamics.inverse(self.q[k], self.v[k], self.a[k]), 0)
        # one velocity for all, keywords, Fortran order, views
        one = dynamics.bias(q=np.asfortranarray(self.q), v=self.v[0])
        self.assert_close(one[3], dynamics.bias(self.q[3], self.v[0]), 0)
        self.assert_close(dynamics.gravity(self.q[::2]), dynamics.gravity(self.q)[::2], 0)
        self.assertEqual(dynamics.mass(self.q).shape, (5, 7, 7))
        self.assert_close(dynamics.mass(self.q)[2], dynamics.mass(self.q[2]), 0)
        out = np.empty((5, 7))
        dynamics.inverse(self.q, self.v, self.a, out=out)
        self.assert_close(out, tau, 0)
        self.assertEqual(dynamics.gravity(np.zeros((0, 7))).size, 0)

    def test_results_with_members(self):
        energy = j.Dynamics(self.arm).energy(self.q, self.v)
        self.assertEqual(type(energy).__name__, "Energy")
        self.assertEqual(energy.kinetic.shape, (5,))
        self.assert_close(energy.kinetic[1],
                          j.Dynamics(self.arm).energy(self.q[1], self.v[1]).kinetic, 0)
        derivatives = j.Derivatives(self.arm).inverse(self.q, self.v, self.a)
        self.assertEqual(derivatives.dq.shape, (5, 7, 7))

    def test_series(self):
        motion = self.numbers.normal(size=(5, 7, 3))
        taus = j.Series(self.arm, 1).inverse(self.q, motion)
        self.assertEqual(taus.shape, (5, 7, 2))
        self.assert_close(taus[4], j.Series(self.arm, 1).inverse(self.q[4], motion[4]), 0)

    def test_planes_and_rows(self):
        """Matrices for each state, out in place, one row for all, no state at all."""
        dynamics, rank = j.Dynamics(self.arm), np.linalg.matrix_rank
        self.assertTrue((rank(dynamics.mass_inverse(self.q)) == 7).all())
        self.assertEqual(dynamics.mass(np.zeros((0, 7))).shape, (0, 7, 7))
        out = np.empty((5, 7))
        self.assertIs(dynamics.bias(self.q, self.v[0], out=out), out)
        self.assert_close(out[4], dynamics.bias(self.q[4], self.v[0]), 0)
        self.refused("bias: out has shape (7,), needs (5, 7)",
                     dynamics.bias, self.q, self.v, out=np.empty(7))
        taus = self.numbers.normal(size=(5, 7, 2))
        motion = j.Series(self.arm, 1).forward(self.q, self.v, taus)
        self.assert_close(motion[3], j.Series(self.arm, 1).forward(self.q[3], self.v[3], taus[3]),
                          0)
        jacobian = j.Kinematics(self.arm).jacobian("flange", "body", self.q)
        self.assert_close(jacobian[2], j.Kinematics(self.arm).at(self.q[2]).jacobian_body("flange"))
        factors = j.MassFactors(self.arm).at(self.q[0])  # the rows are right-hand sides
        self.assert_close(factors.solve(self.v)[1], factors.solve(self.v[1]), 0)

    def test_refusals(self):
        dynamics = j.Dynamics(self.arm)
        self.assert_raises(j.InputError, "inverse: arrays of 5 and 3 states, needs as many",
                           dynamics.inverse, self.q, self.v[:3], self.a)
        self.refused('gravity: state 0: q has 6 elements, robot "arm7" needs 7',
                     dynamics.gravity, np.zeros((3, 6)))
        q = self.q.copy()
        q[3, 1] = np.nan
        self.refused("mass: state 3: q[1] is NaN", dynamics.mass, q)
        with self.assertRaises((TypeError, ValueError)):
            dynamics.gravity(np.zeros((2, 2, 7)))


class Poses(RobotTest):
    def test_products_inverses_arrays(self):
        T, U = (j.exp(j.Twist(self.vector(6))) for _ in range(2))
        self.assertTrue((T @ U).is_approx(T * U))
        self.assertTrue((T @ T.inverse()).is_approx(j.SE3()))
        self.assertTrue((T.rotation @ T.rotation.inverse()).is_approx(j.SO3()))
        self.assert_close(T @ np.ones(3), T * np.ones(3))
        self.assert_close(np.asarray(T), T.matrix)
        self.assertEqual(np.asarray(T, dtype=np.float32).dtype, np.float32)
        self.assert_close(np.asarray(T.rotation), T.R)
        self.assertTrue(j.SE3(T).is_approx(T))

    def test_matrices_in_place_of_poses(self):
        T, V = j.exp(j.Twist(self.vector(6))), j.Twist(self.vector(6))
        self.assert_close(j.Ad(T.matrix, V).vector, j.Ad(T, V).vector)
        arm = j.load("builtin:arm7")
        q = arm.random(3)
        target = j.Kinematics(arm).at(q).pose("flange")
        found = j.InverseKinematics(arm).solve("flange", target.matrix, q + 0.01)
        self.assertTrue(found.converged)
        with self.assertRaises(TypeError):
            j.Ad(2 * np.eye(4), V)  # no pose


class Robots(RobotTest):
    def test_random_without_a_seed(self):
        arm = j.load("builtin:arm7")
        self.assertFalse(np.array_equal(arm.random(), arm.random()))
        self.assertTrue(np.array_equal(arm.random(3), arm.random(seed=3)))

    def test_text_is_the_tree(self):
        for name in j.builtin_robots():
            robot = j.load("builtin:" + name)
            lines = str(robot).splitlines()
            self.assertTrue(lines[0].startswith(f"{robot.name}: nq={robot.nq}, nv={robot.nv}, "))
            for link in robot.links:
                self.assertEqual(sum(line.split(" -> ")[-1] == link for line in lines), 1, link)
            for joint in robot.joints:
                line = next(x for x in lines if x.strip().startswith(joint.name + " ("))
                self.assertIn(joint.kind, line)
            self.assertEqual(sum(line.startswith("loop ") for line in lines), len(robot.loops))
        self.assertEqual(str(j.load("builtin:planar_2r")).splitlines()[2:4],
                         ["  joint_1 (revolute, q[0]) -> link_1",
                          "    joint_2 (revolute, q[1]) -> link_2"])

    def test_base(self):
        arm = j.load("builtin:arm7", base="floating")
        self.assertEqual((arm.nq, arm.nv), (14, 13))
        self.assertEqual(j.load("builtin:quadruped", base="fixed").nv,
                         j.load("builtin:quadruped").nv - 6)
        self.assert_raises(j.InputError,
                           'load: base is "free", needs "fixed", "floating" or None',
                           j.load, "builtin:arm7", base="free")

    def test_other_processes(self):
        arm = j.load("builtin:arm7")
        states = [(arm, arm.random(k)) for k in range(4)]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            found = pool.map(gravity_of, states)
        for (_, q), tau in zip(states, found):
            self.assert_close(tau, j.Dynamics(arm).gravity(q), 0)

    @unittest.skipIf(importlib.util.find_spec("distributed") is None, "Dask is not installed")
    def test_workers_of_dask(self):
        from distributed import Client, LocalCluster
        arm = j.load("builtin:arm7")
        states = [(arm, arm.random(k)) for k in range(4)]
        with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, \
                Client(cluster) as client:
            found = client.gather(client.map(gravity_of, states))
        for (_, q), tau in zip(states, found):
            self.assert_close(tau, j.Dynamics(arm).gravity(q), 0)

    def test_threads_share_a_door_in_calls_of_many_states(self):
        arm = j.load("builtin:arm7")
        dynamics, numbers = j.Dynamics(arm), self.numbers.normal(size=(4, 3, 4000, 7))
        found = [None] * len(numbers)

        def run(k):
            found[k] = dynamics.forward(*numbers[k])

        threads = [threading.Thread(target=run, args=(k,)) for k in range(len(numbers))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for given, answer in zip(numbers, found):
            self.assert_close(answer, j.Dynamics(arm).forward(*given), 0)

    def test_named_tuples_are_made_without_the_lock(self):
        """Two states of tens of ms each: others run within one, not between them alone."""
        chain = j.generate(bodies=80)
        q = np.array([chain.random(k) for k in range(2)])
        v = np.ones((2, chain.nv))
        self.check_others_run(lambda: j.SecondDerivatives(chain).inverse(q, v, v))
        self.check_others_run(lambda: j.Series(chain, 1).joint_wrenches(
            np.repeat(q, 500, axis=0), np.ones((1000, chain.nv, 3))))

    def test_members_of_many_states(self):
        """Answers of each kind are those of single states, on every door."""
        loops, arm = j.load("builtin:five_bar"), j.load("builtin:arm7")
        q, tau = np.tile(loops.closed(), (70, 1)), self.numbers.normal(size=(70, loops.nv))
        still = np.zeros_like(tau)
        many = self.numbers.normal(size=(70, 7))
        calls = [
            (j.ConstrainedDynamics(loops).forward, (q, still, tau)),
            (j.ConstrainedDynamics(loops).impulse, (q, still)),
            (j.ConstrainedDynamics(loops).assemble, (q,)),
            (j.ConstrainedDerivatives(loops).forward, (q, still, tau)),
            (j.ConstrainedSeries(loops, 1).forward, (q, still, np.stack([tau, tau], axis=2))),
            (j.Derivatives(arm).inverse_vector_jacobian, (many, many, many, many)),
            (j.Dynamics(arm).coriolis, (many, many)),
            (j.SecondDerivatives(arm).inverse, (many, many, many)),
        ]
        for call, given in calls:
            found = call(*given)
            for k in (0, 63, 64, 69):  # answers are made 64 at a time
                one = call(*(x[k] for x in given))
                self.assertEqual(type(one), type(found))
                for name, x, y in zip(one._fields, one, found):
                    self.assertTrue(np.array_equal(x, y[k]), f"{call.__name__}: {name}, state {k}")
        nan = many.copy()
        nan[66, 2] = np.nan
        self.refused("coriolis: state 66: q[2] is NaN", j.Dynamics(arm).coriolis, nan, many)

    def test_long_calls_let_other_threads_run(self):
        arm = j.load("builtin:humanoid")
        move = j.septic(arm.random(1), arm.random(2), 1.0)
        states = np.array([arm.random(k % 7) for k in range(40000)])
        v = np.zeros((len(states), arm.nv))
        self.check_others_run(lambda: j.along(arm, move, points=40001))
        self.check_others_run(lambda: j.Dynamics(arm).inverse(states, v, v))
        self.check_others_run(lambda: j.Dynamics(arm).mass(states))
        self.check_others_run(lambda: j.Dynamics(arm).momentum(states, v))  # every 5 ms

    def check_others_run(self, call):
        """Another thread runs in the middle of it, not at its ends alone."""
        counts, done = [], threading.Event()

        def count():
            while not done.is_set():
                counts.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        start = time.perf_counter()
        call()
        end = time.perf_counter()
        done.set()
        thread.join()
        shares = [(t - start) / (end - start) for t in counts]
        inside = [share for share in shares if 0.2 < share < 0.8]
        self.assertGreater(len(inside), 3, end - start)


if __name__ == "__main__":
    unittest.main()
