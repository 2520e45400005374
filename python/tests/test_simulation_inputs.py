# SPDX-License-Identifier: BSD-3-Clause
"""Controllers, wrenches, propellers, gravity, events, stops and landings from Python."""

import os
import tempfile
import unittest

import jounce as j
import numpy as np
from robots import RobotTest

SLIDER = """{"jounce": 1, "name": "slider",
"links": [{"name": "ground"}, {"name": "mass", "mass": 2}],
"joints": [{"name": "slide", "kind": "prismatic", "parent": "ground", "child": "mass",
            "axes": [[0, 0, 1]], "lower": [0], "effort": [30]}]}"""


def slider():
    return j.loads(SLIDER)


class Feedback(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")

    def test_controller_holds_the_arm(self):
        wanted, dynamics = np.full(7, 0.3), j.Dynamics(self.arm)

        def hold(t, q, v):
            a = 40 * (wanted - q) - 12 * v
            return dynamics.inverse(q, v, a, passive=False)

        for sample in (0.0, 5e-3):
            sim = j.Simulation(self.arm, tol=1e-5, passive=False)
            sim.controller(hold, sample=sample)
            state = sim.start(self.arm.neutral(), np.zeros(7))
            sim.run(state, 2.0)
            self.assert_close(state.q, wanted, 1e-3)

    def test_sampled_loop_is_its_recursion(self):
        # v+ = v + T u, q+ = q + T v + T^2 u / 2 with u = -4 q - 2 v one sample late; g cancelled.
        T, k, d = 0.05, 4.0, 2.0
        sim = j.Simulation(slider(), gravity=False, tol=1e-12)
        sim.controller(lambda t, q, v: 2 * (-k * q - d * v), sample=T, delay=T)
        state = sim.start([1.0], [0.0])
        sim.run(state, 20 * T)
        q, v, late = 1.0, 0.0, 0.0
        for _ in range(20):
            u, late = late, -k * q - d * v
            q, v = q + T * v + T * T * u / 2, v + T * u
        self.assert_close((state.q[0], state.v[0]), (q, v), 1e-10)

    def test_limits_of_rate_and_effort(self):
        sim = j.Simulation(slider(), gravity=False, effort_limits=True)
        sim.controller(lambda t, q, v: [100.0 * (t > 0.05)], sample=0.1, rate_limit=200)
        record = j.Record(sim.robot)
        sim.run(sim.start([0.0], [0.0]), 0.4, record, every=0.1)
        self.assert_close(record.tau[:, 0], [0, 20, 30, 30, 30], 1e-12)

    def test_what_a_law_may_not_give(self):
        sim = j.Simulation(self.arm)
        sim.controller(lambda t, q, v: [1, 2], name="mine")
        with self.assertRaisesRegex(j.InputError, '"mine".*2 numbers.*needs 7'):
            sim.run(sim.start(self.arm.neutral(), np.zeros(7)), 0.1)
        record, sim = j.Record(self.arm), j.Simulation(self.arm)
        sim.controller(lambda t, q, v: np.full(7, np.nan if t > 0.02 else 0.0), sample=0.01)
        state = sim.start(self.arm.neutral(), np.zeros(7))
        with self.assertRaisesRegex(j.InputError, r'controller 1: at t = 0\.03 the force on joint '
                                                  r'"joint_1" is nan'):
            sim.run(state, 0.1, record)
        self.assertEqual((record.t[-1], state.t), (0.02, 0.03))  # a row has forces: none there
        self.wrong_type("controller: law needs a function of (t, q, v), not int", sim.controller, 3)
        with self.assertRaisesRegex(j.InputError, "delay needs a sample time"):
            sim.controller(lambda t, q, v: np.zeros(7), delay=0.1)
        sim = j.Simulation(self.arm)
        sim.controller(lambda t, q, v: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            sim.run(sim.start(self.arm.neutral(), np.zeros(7)), 0.1)

    def test_wrench_carries_a_falling_body(self):
        robot = j.load("builtin:aerial_manipulator")
        weight, base = -robot.gravity[2] * robot.mass, "base"
        sim = j.Simulation(robot, passive=False)
        sim.wrench(base, lambda t, q, v: [0, 0, 0, 0, 0, weight * t], kind="hybrid")
        state = sim.start(robot.neutral(), np.zeros(12))
        report = sim.run(state, 1.0)
        self.assertLess(report.energy_drift, 1e-7)
        momentum = j.Dynamics(robot).momentum(state.q, state.v).about_com
        self.assertAlmostEqual(momentum.f[2], -weight / 2, 6)
        with self.assertRaisesRegex(j.InputError, "kind"):
            sim.wrench(base, lambda t, q, v: np.zeros(6), kind="own")

    def test_propellers(self):
        hexarotor = j.tilted_hexarotor(0.3, 0.03, 0.35, 1e-5, 1.6e-7)
        wanted = np.array([0.1, -0.2, 0.05, 0.3, 0.2, 40])
        speeds = hexarotor.speeds(wanted)
        self.assert_close(hexarotor.wrench(speeds), wanted, 1e-11)
        robot = j.load("builtin:aerial_manipulator")
        ends = []
        for through in (True, False):
            sim = j.Simulation(robot, tol=1e-10)
            if through:
                sim.propellers("base", hexarotor, lambda t, q, v: speeds)
            else:
                sim.wrench("base", lambda t, q, v: wanted)
            state = sim.start(robot.neutral(), np.zeros(12))
            sim.run(state, 0.2)
            ends.append(state.q)
        self.assert_close(ends[0], ends[1], 1e-9)
        places = [[np.cos(a), np.sin(a), 0] for a in np.arange(6) * np.pi / 3]
        with self.assertRaisesRegex(j.InputError, "spin is 0, needs 1 or -1"):
            j.Propellers(places, 6 * [[0, 0, 1]], 1e-5, 1e-7, [1, -1, 0, -1, 1, -1])
        with self.assertRaises(j.ComputationError):
            hexarotor.speeds(-wanted)

    def test_gravity_of_time(self):
        sim = j.Simulation(slider(), tol=1e-10)
        sim.gravity(lambda t: [0, 0, 6 * t])
        state = sim.start([1.0], [0.0])
        sim.run(state, 2.0)
        self.assert_close((state.q[0], state.v[0]), (9.0, 12.0), 1e-8)

    def test_pose_path(self):
        robot = j.load("builtin:aerial_manipulator")
        goal = j.SE3(j.exp([0.2, -0.1, 0.4]), [0.3, 0.1, 0.5])
        path = j.PosePath(j.SE3(), goal, j.septic(0, 1, 1.0))
        self.assertTrue(path.pose(1.0).is_approx(goal, 1e-12))
        h = 1e-5
        twist = (path.twists(0.4 + h)[0] - path.twists(0.4 - h)[0]) / (2 * h)
        self.assert_close(path.twists(0.4, 2)[1], twist, 1e-8)
        sim = j.Simulation(robot)
        sim.command("base", j.Command.trajectory(path))
        state = sim.start(robot.neutral(), np.zeros(12))
        sim.run(state, 1.5)
        self.assertTrue(j.Kinematics(robot).at(state.q).pose("base").is_approx(goal, 1e-9))


class Events(RobotTest):
    def test_event_stops_the_run(self):
        arm, kept = j.load("builtin:planar_2r"), []

        def function(moment):
            kept.append(moment)
            self.assertEqual((moment.a.shape, moment.forces.shape), ((2,), (2,)))
            return moment.q[0] - 0.5

        sim = j.Simulation(arm)
        sim.event("half", function, direction="rising", stop=True)
        state = sim.start(np.zeros(2), [2.0, 0.0])
        report = sim.run(state, 5.0)
        self.assertEqual((report.end, report.events), ("event", [(state.t, "half")]))
        self.assertAlmostEqual(state.q[0], 0.5, 12)
        self.refused("Moment: it lasts as long as the function of its event runs",
                     lambda: kept[0].t)
        self.refused('event: direction is "up", needs "any", "rising" or "falling"',
                     sim.event, "e", function, direction="up")
        self.wrong_type("event: function needs a function of a Moment, not float", sim.event, "e",
                        1.0)

    def test_action_changes_the_state(self):
        sim, seen = j.Simulation(slider(), gravity=False), []

        def turn(state):
            seen.append(state)
            state.v = -state.v

        sim.event("wall", lambda m: m.pose("mass").p[2] - 1, direction="rising", action=turn)
        state = sim.start([0.5], [1.0])
        report = sim.run(state, 0.9)
        self.assertIs(seen[0], state)
        self.assert_close((state.q[0], state.v[0]), (0.6, -1.0), 1e-9)
        self.assertAlmostEqual(report.impact_energy, 0, 12)
        with self.assertRaises(j.InputError):
            state.v = [1, 2]

    def test_stops(self):
        sim = j.Simulation(slider())
        sim.stop("slide", restitution=0.5, rest_speed=0.1)
        state = sim.start([1.0], [0.0])
        report = sim.run(state, 3.0)
        first = np.sqrt(2 / 9.81)
        self.assertAlmostEqual(report.events[0][0], first, 9)
        self.assertAlmostEqual(report.events[1][0], 2 * first, 9)
        self.assertAlmostEqual(report.impact_energy, -2 * 9.81, 6)
        self.assertEqual((state.q[0], state.v[0], report.limits), (0, 0, []))
        sim = j.Simulation(slider())
        sim.watch_limits(stop=True)
        self.assertEqual(sim.run(sim.start([1.0], [0.0]), 3.0).events[0][1],
                         'limit of joint "slide"')
        report = j.Simulation(slider()).run(j.Simulation(slider()).start([1.0], [0.0]), 1.0)
        self.assertEqual([x[1:3] for x in report.limits], [(0, False)])
        self.assertAlmostEqual(report.limits[0][3], 9.81 / 2 - 1, 6)

    def test_checkpoint_holds_samples(self):
        def made():
            sim = j.Simulation(slider())
            sim.stops()
            sim.controller(lambda t, q, v: 20 * np.sin(9 * t) - 2 * v, sample=0.03, delay=0.05)
            return sim

        whole, state = made(), made().start([0.3], [0.0])
        whole.run(state, 1.0)
        part, other = made(), made().start([0.3], [0.0])
        part.run(other, 1.0, watch=lambda x: x.t < 0.4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.json")
            j.save_checkpoint(part.robot, other, path)
            other = j.load_checkpoint(part.robot, path)
        made().run(other, 1.0)
        self.assertEqual(state.q.tobytes() + state.v.tobytes(),
                         other.q.tobytes() + other.v.tobytes())

    def test_landing_attach_release(self):
        sim = j.Simulation(slider())
        sim.landing("mass", height=0.5)
        state = sim.start([1.0], [0.0])
        report = sim.run(state, 1.0)
        self.assertEqual([name for _, name in report.events], ['"mass" lands'])
        self.assertAlmostEqual(state.q[0], 0.5, 9)
        sim.release(state, "mass")
        self.assertGreater(sim.attach(sim.start([1.0], [-3.0]), "mass", "point").f[2], 5.999)
        with self.assertRaisesRegex(j.InputError, 'attach: kind is "glued", needs one of fixed, '):
            sim.attach(sim.start([1.0], [0.0]), "mass", "glued")

    def test_ground_point(self):
        sim = j.Simulation(slider())
        sim.ground_point("mass", stiffness=1e4, damping=5, point=(0, 0, 0.2))
        state = sim.start([0.5], [0.0])
        sim.run(state, 5.0)
        self.assertAlmostEqual(state.q[0], 0.2 - 2 * 9.81 / 1e4, 5)


if __name__ == "__main__":
    unittest.main()
