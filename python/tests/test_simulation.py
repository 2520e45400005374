# SPDX-License-Identifier: BSD-3-Clause
"""Motion in time from Python: laws, runs, records, checkpoints."""

import os
import signal
import tempfile
import threading
import unittest

import jounce as j
import numpy as np
from robots import RobotTest


def swing(robot, until=0.2, record=None, every=0.0, watch=None, **options):
    """A run from the robot's closed configuration: simulation, state and report."""
    sim = j.Simulation(robot, **options)
    state = sim.start(robot.closed(), np.full(robot.nv, 0.3))
    return sim, state, sim.run(state, until, record, every=every, watch=watch)


class Simulations(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm, self.five_bar = j.load("builtin:arm7"), j.load("builtin:five_bar")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_run_and_record(self):
        record = j.Record(self.arm)
        _, state, report = swing(self.arm, 0.2, record, 0.01)
        self.assertEqual(state.t, 0.2)
        self.assertEqual(report.end, "time")
        self.assertGreater(report.steps, 5)
        self.assertLess(report.energy_drift, 1e-6)
        self.assertEqual(len(record), 21)
        self.assert_close(record.t, np.linspace(0, 0.2, 21), 1e-15)
        self.assertEqual([x.shape for x in (record.q, record.v, record.a, record.tau)], 4 * [(21, 7)])
        self.assert_close(record.q[-1], state.q, 0)
        self.assert_close(record.tau, np.zeros((21, 7)), 0)
        accelerations = [j.Dynamics(self.arm).forward(q, v, np.zeros(7))
                         for q, v in zip(record.q, record.v)]
        self.assert_close(record.a, accelerations, 1e-9)
        with self.assertRaises(ValueError):
            record.q[0, 0] = 1

    def test_integrators_agree(self):
        ends = [swing(self.arm, 0.1, integrator=name, **options)[1].q for name, options in (
            ("auto", {"tol": 1e-11}), ("dopri5", {"tol": 1e-11}), ("dop853", {"tol": 1e-11}),
            ("taylor", {"tol": 1e-11}), ("rk4", {"step": 1e-4}), ("rodas4", {"tol": 1e-9}))]
        for end in ends[1:]:
            self.assert_close(end, ends[0], 1e-7)
        sim = j.Simulation(self.arm, step=1e-3)
        self.assertEqual((sim.integrator, sim.step_length), ("rk4", 1e-3))

    def test_loops_stay_closed(self):
        _, state, report = swing(self.five_bar)
        self.assertLess(report.constraint_violation, 1e-10)
        closed = j.ConstrainedDynamics(self.five_bar).closure(state.q)
        self.assertLess(np.abs(closed).max(), 1e-10)

    def test_laws(self):
        first, last = self.arm.joints[0].name, self.arm.joints[-1].name
        ramp = j.PiecewisePolynomial([0, 0.1], [[1, 20]])
        self.assertEqual((ramp(0.05), list(ramp.derivatives(0.05, 3))), (2.0, [2.0, 20.0, 0.0]))
        ends = []
        for law in (ramp, lambda t: 1 + 20 * min(t, 0.1)):
            sim = j.Simulation(self.arm, tol=1e-10)
            sim.command(first, j.Command.force(law))
            sim.command(last, j.Command.trajectory(j.septic(0, 0.4, 0.1)))
            state = sim.start(self.arm.neutral(), np.zeros(7))
            sim.run(state, 0.1)
            ends.append(state.q)
        self.assert_close(ends[0], ends[1], 1e-8)
        self.assertAlmostEqual(ends[0][6], 0.4, 14)

        sim = j.Simulation(self.arm)
        record = j.Record(self.arm)
        sim.command(last, j.Command.trajectory(lambda t: ([np.sin(t)], [np.cos(t)], [-np.sin(t)])))
        sim.command(first, j.Command.acceleration(2.0))
        state = sim.start(self.arm.neutral(), np.zeros(7))
        sim.run(state, 0.1, record)
        self.assert_close(record.q[:, 6], np.sin(record.t), 1e-15)
        self.assert_close(record.a[:, 0], np.full(len(record), 2.0), 1e-12)
        tau = [j.Dynamics(self.arm).inverse(q, v, a)
               for q, v, a in zip(record.q, record.v, record.a)]
        self.assert_close(record.tau, tau, 1e-8)

    def test_commands_switch(self):
        sim = j.Simulation(self.arm)
        first = self.arm.joints[0].name
        sim.command(first, j.Command.force(1.0))
        sim.command(first, j.Command.force(0.0), 0.05)
        state, record = sim.start(self.arm.neutral(), np.zeros(7)), j.Record(self.arm)
        sim.run(state, 0.1, record, every=0.01)
        self.assert_close(record.tau[:, 0], [1.0] * 5 + [0.0] * 6, 0)

    def test_bad_laws(self):
        first = self.arm.joints[0].name

        def run(command):
            sim = j.Simulation(self.arm)
            sim.command(first, command)
            state = sim.start(self.arm.neutral(), np.zeros(7))
            sim.run(state, 0.1)

        with self.assertRaisesRegex(j.InputError, r"Command.force: law\(t\).*nan"):
            run(j.Command.force(lambda t: np.nan))
        with self.assertRaisesRegex(j.InputError, r"law\(t\) has 2 numbers at t = 0.*, needs one"):
            run(j.Command.force(lambda t: [1, 2]))
        with self.assertRaisesRegex(j.InputError, r"law\(t\)\[1\] has 2 numbers .*needs 1"):
            run(j.Command.trajectory(lambda t: ([0], [0, 0], [0])))
        with self.assertRaisesRegex(TypeError, r"needs a tuple \(q, v, a\)"):
            run(j.Command.trajectory(lambda t: 0.0))
        with self.assertRaisesRegex(TypeError, "law needs a number, a PiecewisePolynomial or"):
            j.Command.force("much")
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            run(j.Command.force(lambda t: 1 / 0))
        with self.assertRaisesRegex(j.InputError, "taylor: a command is a function of time"):
            sim = j.Simulation(self.arm, integrator="taylor")
            sim.command(first, j.Command.force(np.sin))
            sim.start(self.arm.neutral(), np.zeros(7))
        for options, what in (({"integrator": "euler"}, "there is no integrator \"euler\""),
                              ({"tol": 1}, "tol is 1, needs"), ({"step": -1}, "step is -1"),
                              ({"integrator": "rk4"}, "rk4 takes steps of one length"),
                              ({"loops": "glue"}, "needs \"project\" or \"baumgarte\"")):
            with self.assertRaisesRegex(j.InputError, what):
                j.Simulation(self.arm, **options)

    def test_watch(self):
        times, record = [], j.Record(self.arm)

        def watch(state):
            times.append(state.t)
            return state.t < 0.05

        _, state, report = swing(self.arm, 1.0, record, watch=watch)
        self.assertEqual(report.end, "watch")
        self.assertEqual((times[-1], len(times)), (state.t, report.steps))
        self.assertEqual(record.t[-1], state.t)
        with self.assertRaisesRegex(KeyError, "out"):
            swing(self.arm, 1.0, watch=lambda x: {}["out"])

    def test_ctrl_c_keeps_what_was_computed(self):
        sim = j.Simulation(self.arm, step=1e-4)
        state, record = sim.start(self.arm.neutral(), np.ones(7)), j.Record(self.arm)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()  # it runs only where the lock of the interpreter is released
        with self.assertRaises(KeyboardInterrupt):
            sim.run(state, 1e5, record)
        self.assertGreater(state.t, 0)
        self.assertEqual(record.t[-1], state.t)

    def test_records_come_back(self):
        for robot in (self.arm, j.load("builtin:quadruped")):
            record = j.Record(robot)
            swing(robot, 0.05, record, 0.01)
            for name in ("run.csv", "run.json", "run.npz"):
                record.save(self.path(name))
                again = j.load_record(robot, self.path(name))
                for part in "t", "q", "v", "a", "tau":
                    np.testing.assert_array_equal(getattr(again, part), getattr(record, part))
            with np.load(self.path("run.npz")) as arrays:
                self.assertEqual(set(arrays), {"t", "q", "v", "a", "tau", "q_names", "v_names"})
                np.testing.assert_array_equal(arrays["v"], record.v)
                names = list(arrays["v_names"])
                parts = {key: arrays[key] for key in arrays}
            self.assertEqual(names[-1], robot.joints[-1].name)
            parts["q"] = np.asfortranarray(parts["q"])
            np.savez(self.path("numpy.npz"), **parts)
            np.testing.assert_array_equal(j.load_record(robot, self.path("numpy.npz")).q, record.q)
            np.savez_compressed(self.path("small.npz"), **parts)
            with self.assertRaisesRegex(j.InputError, "is compressed, needs files that are stored"):
                j.load_record(robot, self.path("small.npz"))
            table = np.genfromtxt(self.path("run.csv"), delimiter=",", names=True, deletechars="")
            np.testing.assert_array_equal(table["t"], record.t)
        with self.assertRaisesRegex(OSError, "cannot write /nowhere/run.csv: No such file"):
            record.save("/nowhere/run.csv")
        if os.path.exists("/dev/full"):
            with self.assertRaisesRegex(OSError, "cannot write /dev/full: No space left"):
                record.save("/dev/full")

    def test_checkpoint_goes_on_to_the_same_bits(self):
        for robot in (self.arm, self.five_bar):
            _, whole, _ = swing(robot)
            _, state, _ = swing(robot, watch=lambda x: x.t < 0.1)
            kept = state.copy()
            j.save_checkpoint(robot, state, self.path("state.json"))
            for begun in (kept, j.load_checkpoint(robot, self.path("state.json"))):
                sim = j.Simulation(robot)
                sim.run(begun, 0.2)
                np.testing.assert_array_equal(begun.q, whole.q)
                np.testing.assert_array_equal(begun.v, whole.v)
        with self.assertRaisesRegex(j.InputError, "is of robot"):
            j.load_checkpoint(self.arm, self.path("state.json"))

    def test_steps(self):
        sim = j.Simulation(self.arm, step=1e-3)
        state = sim.start(self.arm.neutral(), np.zeros(7))
        self.assertEqual(sim.step(state, 1), 1e-3)
        self.assertEqual(state.t, 1e-3)
        with self.assertRaisesRegex(j.InputError, "step: h is 0, needs a length in s"):
            sim.step(state, 0)
        with self.assertRaisesRegex(j.InputError, "start: q"):
            sim.start(np.zeros(3), np.zeros(7))
        with self.assertRaisesRegex(j.ComputationError, "to close the loops"):
            j.Simulation(self.five_bar).start(np.array(self.five_bar.closed()) + 0.3,
                                              np.zeros(self.five_bar.nv), reach=1e-3)

    def test_spline(self):
        law = j.minimum_derivative_spline([0, 1, 0], [0, 1, 2])
        self.assertAlmostEqual(law(1), 1, 12)
        self.assert_close(law.times, [0, 1, 2], 0)
        self.assertEqual(j.Command.trajectory(j.quintic(0, 1, 2)).kind, "trajectory")


if __name__ == "__main__":
    unittest.main()
