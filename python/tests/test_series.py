# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics of any order from Python: against the ordinary calls and against each other."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest


class Series(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.dynamics, self.kinematics = j.Dynamics(self.arm), j.Kinematics(self.arm)
        self.series, self.frames = j.Series(self.arm, 4), j.KinematicSeries(self.arm, 4)
        self.q = self.arm.random(5)
        self.motion = self.numbers.uniform(-1, 1, (7, 5))

    def test_order_zero_is_inverse(self):
        expected = self.dynamics.inverse(self.q, self.motion[:, 0], self.motion[:, 1])
        found = self.series.inverse(self.q, self.motion[:, :2])
        self.assert_close(found[:, 0], expected, 1e-12)

    def test_torque_rate_by_differences(self):
        taus = self.series.inverse(self.q, self.motion)

        def tau(t):
            v, a, jerk, snap = self.motion.T[:4]
            q = self.q + t * v + t**2 / 2 * a + t**3 / 6 * jerk
            return self.dynamics.inverse(q, v + t * a + t**2 / 2 * jerk,
                                         a + t * jerk + t**2 / 2 * snap)
        h = 1e-4
        rate = (8 * (tau(h) - tau(-h)) - (tau(2 * h) - tau(-2 * h))) / (12 * h)
        self.assert_close(taus[:, 1], rate, 1e-7 * np.abs(rate).max())

    def test_forward_and_hybrid_undo_inverse(self):
        free = {"passive": False}
        taus = self.series.inverse(self.q, self.motion, **free)
        self.assertEqual(taus.shape, (7, 4))
        motion = self.series.forward(self.q, self.motion[:, 0], taus, **free)
        self.assert_close(motion, self.motion, 1e-6)
        flags = [True, False, True, False, False, True, False]
        motion, again = self.series.hybrid(flags, self.q, self.motion, taus, **free)
        self.assert_close(motion, self.motion, 1e-6)
        self.assert_close(again, taus, 1e-6 * np.abs(taus).max())

    def test_other_frames(self):
        """The ground's axes give what body frames do; V_1, V_1', ... in and W_1, W_1', ... out."""
        robot = j.load("builtin:aerial_manipulator")
        q, motion = robot.random(3), self.numbers.uniform(-1, 1, (robot.nv, 5))
        series, frames = j.Series(robot, 3), j.KinematicSeries(robot, 4)
        taus = series.inverse(q, motion)
        frames.at(q, motion)
        for name, kind in [("spatial", "space"), ("hybrid", "hybrid")]:
            same = j.WorldSeries(robot, 3, name)
            self.assert_close(same.inverse(q, motion), taus, 1e-11 * np.abs(taus).max())
            own = j.WorldSeries(robot, 3, frames=name, base="own")
            there = motion.copy()
            for k in range(5):
                there[:6, k] = frames.twist("base", kind, k).vector
            found = own.inverse(q, there)
            self.assert_close(found[6:], taus[6:], 1e-11 * np.abs(taus).max())
            self.assert_close(found[:6, 0] @ there[:6, 0], taus[:6, 0] @ motion[:6, 0], 1e-11)
            back = own.forward(q, there[:, 0], found)
            self.assert_close(back, there, 1e-6 * np.abs(there).max())
        with self.assertRaisesRegex(j.InputError, 'frames is "world", needs "spatial" or "hybrid"'):
            j.WorldSeries(robot, 3, "world")

    def test_closed_form(self):
        """Proposition 1: M nuddot + (Mdot + C) nudot + Cdot nu + Gdot is the rate of tau."""
        v, a, jerk = self.motion.T[:3]
        s = j.spatial_rates(self.arm, self.q, v, a)
        taus = self.series.inverse(self.q, self.motion[:, :3], passive=False)
        self.assert_close(s["M"], self.dynamics.mass(self.q), 1e-11)
        self.assert_close(s["tau"], taus[:, 0], 1e-11 * np.abs(taus).max())
        rate = s["M"] @ jerk + (s["Mdot"] + s["C"]) @ a + s["Cdot"] @ v + s["Gdot"]
        self.assert_close(rate, taus[:, 1], 1e-11 * np.abs(taus).max())
        skew = s["Mdot"] - 2 * s["C"]
        self.assert_close(skew + skew.T, 0 * skew, 1e-11)

    def test_joint_wrenches(self):
        """Order 0 is Dynamics', and the torque of a joint is its wrench along its axis, z."""
        wrenches = self.series.joint_wrenches(self.q, self.motion)
        now = self.dynamics.joint_wrenches(self.q, self.motion[:, 0], self.motion[:, 1])
        self.assertEqual(wrenches.ground.shape, (6, 4))
        self.assert_close(wrenches.ground[:, 0], now.ground.vector, 1e-11)
        for name, wrench in now.joints.items():
            self.assert_close(wrenches.joints[name][:, 0], wrench.vector, 1e-11)
        space = self.series.joint_wrenches(self.q, self.motion, "space")
        first = self.arm.joints[0].name
        self.assert_close(space.joints[first], space.ground, 1e-10 * np.abs(space.ground).max())

    def test_hybrid_partials(self):
        """By a joint's force alone it is forward's; by its acceleration inverse's."""
        partials = j.SeriesDerivatives(self.arm, 1)
        motion = self.motion[:, :3]
        taus = self.series.inverse(self.q, motion)
        free = partials.hybrid([False] * 7, self.q, motion, taus)
        forward = partials.forward(self.q, motion[:, 0], taus)
        held = partials.hybrid([True] * 7, self.q, motion, taus)
        inverse = partials.inverse(self.q, motion)
        for r, s in [(0, 0), (0, 2), (1, 1), (1, 3)]:
            self.assert_close(free(r, s), forward(r, s), 1e-9 * np.abs(forward(r, s)).max())
            self.assert_close(held(r, s), inverse(r, s), 1e-9 * np.abs(inverse(r, s)).max())
        self.assertEqual(held.series().shape, (7, 2))

    def test_wrenches_with_derivatives(self):
        """A wrench that moves with time as inverse takes it, at times around now."""
        F = self.numbers.uniform(-1, 1, (3, 6))

        def tau(t, kind):
            v, a, jerk, snap = self.motion.T[:4]
            now = F[0] + t * F[1] + t**2 / 2 * F[2]
            q = self.q + t * v + t**2 / 2 * a + t**3 / 6 * jerk
            return self.dynamics.inverse(q, v + t * a + t**2 / 2 * jerk,
                                         a + t * jerk + t**2 / 2 * snap, [("flange", now, kind)])
        h = 1e-4
        for kind in ["body", "space", "hybrid"]:
            near, far = [tau(t, kind) - tau(-t, kind) for t in (h, 2 * h)]
            rate = (8 * near - far) / (12 * h)
            taus = self.series.inverse(self.q, self.motion, [("flange", F, kind)])
            scale = np.abs(rate).max()
            self.assert_close(taus[:, 0], tau(0, kind), 1e-12 * scale)
            self.assert_close(taus[:, 1], rate, 1e-7 * scale)
        as_wrenches = [("flange", [j.Wrench(one) for one in F], "hybrid")]
        again = self.series.inverse(self.q, self.motion, wrenches=as_wrenches)
        np.testing.assert_array_equal(again, taus)

    def test_forces_from_outside_in_all_three(self):
        """What inverse finds, forward and hybrid undo, with every force from outside."""
        helped = {"joint_torques": self.numbers.uniform(-1, 1, (7, 3))}
        others = {"wrenches": [("flange", self.numbers.uniform(-1, 1, (2, 6)), "space")],
                  "ground": [j.Twist(self.vector(6)) for _ in range(3)], "passive": False,
                  "gravity": False}
        outside = others | helped
        taus = self.series.inverse(self.q, self.motion, **outside)
        bare = self.series.inverse(self.q, self.motion, **others)
        self.assert_close((bare - taus)[:, :3], outside["joint_torques"], 1e-10)
        np.testing.assert_array_equal((bare - taus)[:, 3], 0)
        motion = self.series.forward(self.q, self.motion[:, 0], taus, **outside)
        self.assert_close(motion, self.motion, 1e-6)
        flags = [True, False, True, False, False, True, False]
        motion, again = self.series.hybrid(flags, self.q, self.motion, taus, **outside)
        self.assert_close(motion, self.motion, 1e-6)
        self.assert_close(again, taus, 1e-6 * np.abs(taus).max())

    def test_accelerated_ground(self):
        """A ground that accelerates by -g is gravity once more; its series has no other term."""
        still = np.zeros((7, 4))
        free = self.series.inverse(self.q, still)
        lifted = [j.Twist(), [0, 0, 0, *-self.arm.gravity]]
        found = self.series.inverse(self.q, still, ground=lifted)
        self.assert_close(found[:, 0], 2 * free[:, 0], 1e-11)
        self.assert_close(found[:, 1:], 0, 1e-11)
        instead = self.series.inverse(self.q, still, ground=lifted, gravity=False)
        self.assert_close(instead, free, 1e-11)
        np.testing.assert_array_equal(self.series.inverse(self.q, still), free)

    def test_order_zero_of_moving_ground(self):
        V = self.numbers.uniform(-1, 1, (2, 6))
        for other in {}, {"passive": False}, {"gravity": False}:
            expected = self.dynamics.inverse(self.q, *self.motion.T[:2], ground=V, **other)
            found = self.series.inverse(self.q, self.motion[:, :2], ground=V, **other)
            self.assert_close(found[:, 0], expected, 1e-12 * (1 + abs(expected).max()))
        self.kinematics.at(self.q, *self.motion.T[:2], ground=V)
        self.frames.at(self.q, self.motion[:, :2], ground=V)
        for kind in "body", "space":
            rate = getattr(self.kinematics, "spatial_acceleration_" + kind)("flange").vector
            self.assert_close(self.frames.twist("flange", kind, 1).vector, rate, 1e-11)
        still = self.frames.at(self.q, self.motion[:, :2])
        self.kinematics.at(self.q, self.motion[:, 0])
        self.assert_close(still.twist("flange", "body", 0).vector,
                          self.kinematics.twist_body("flange").vector, 1e-12)

    def test_kinematic_derivatives(self):
        v, a, jerk = self.motion.T[:3]
        self.frames.at(self.q, self.motion[:, :3])
        second = self.frames.pose("flange", 2)
        rate = self.frames.jacobian("flange", "space", 1)
        jerk_twist = self.frames.twist("flange", "space", 2)
        self.kinematics.at(self.q, v, a)
        self.assert_close(rate, self.kinematics.jacobian_space_rate("flange"), 1e-12)
        h = 1e-3

        def at(t):
            self.kinematics.at(self.q + t * v + t**2 / 2 * a + t**3 / 6 * jerk,
                               v + t * a + t**2 / 2 * jerk, a + t * jerk)
            return (self.kinematics.pose("flange").matrix,
                    self.kinematics.spatial_acceleration_space("flange").vector)
        before, now, after = at(-h), at(0), at(h)
        self.assert_close(second, (after[0] - 2 * now[0] + before[0]) / h**2, 1e-4)
        self.assert_close(jerk_twist.vector, (after[1] - before[1]) / (2 * h), 1e-3)

    def test_order_follows_the_columns(self):
        for columns in range(2, 6):
            taus = self.series.inverse(self.q, self.motion[:, :columns])
            self.assertEqual(taus.shape, (7, columns - 1))
            found = self.series.hybrid([True] * 7, self.q, self.motion[:, :columns], 0 * taus)
            self.assertEqual(found.motion.shape, (7, columns))
            self.assert_close(found.taus, taus, 1e-9 * (1 + abs(taus).max()))

    def test_errors(self):
        series, q = self.series, self.q
        self.frames.at(q, np.zeros((7, 3)))
        for text, call in {
            "inverse_series: order is 5, above the highest there is room for, 4: make it with "
            "order 5":
                lambda: series.inverse(q, np.zeros((7, 7))),
            "inverse_series: motion has 1 column, needs 2 or more":
                lambda: series.inverse(q, np.zeros((7, 1))),
            "inverse_series: motion has 0 columns, needs 2 or more":
                lambda: series.inverse(q, np.zeros((7, 0))),
            "forward_series: taus has 0 columns, needs 1 or more":
                lambda: series.forward(q, q, np.zeros((7, 0))),
            "inverse_series: motion has 6 rows, robot \"arm7\" needs 7":
                lambda: series.inverse(q, np.zeros((6, 3))),
            "forward_series: taus has 1 dimensions, needs 2: (nv, derivatives)":
                lambda: series.forward(q, q, np.zeros(7)),
            "inverse_series: joint_torques has 6 rows, robot \"arm7\" needs 7":
                lambda: series.inverse(q, np.zeros((7, 3)), joint_torques=np.zeros((6, 1))),
            "inverse_series: ground has 7 derivatives, there is room for 6":
                lambda: series.inverse(q, np.zeros((7, 3)), ground=[j.Twist()] * 7),
            "at: ground[1] has shape (5,), needs (6,) or a Twist":
                lambda: self.frames.at(q, np.zeros((7, 3)), ground=[j.Twist(), np.zeros(5)]),
            "inverse_series: derivative 1 of wrenches[0] has shape (5,), needs (6,) or a Wrench":
                lambda: series.inverse(
                    q, np.zeros((7, 3)), [("flange", [np.zeros(6), np.zeros(5)])]),
            "Series: order is -1, needs 0 or more": lambda: j.Series(self.arm, -1),
            "KinematicSeries: order is -1, needs 0 or more": lambda: j.KinematicSeries(self.arm, -1),
            "pose: call at(q, motion) first":
                lambda: j.KinematicSeries(self.arm, 2).pose("flange", 0),
            "twist: order is 3, at left 0 to 2": lambda: self.frames.twist("flange", "body", 3),
            "jacobian: order is 4, at left 0 to 3":
                lambda: self.frames.jacobian("flange", "body", 4),
        }.items():
            self.refused(text, call)
        self.wrong_type("inverse_series: ground needs a list of twists V, V', ...",
                        series.inverse, q, self.motion, ground=j.Twist())
        self.wrong_type("inverse_series: wrenches[0] needs a list of wrenches, one per derivative",
                        series.inverse, q, self.motion, [("flange", j.Wrench())])
        self.wrong_type("pose: k is of type float, needs a whole number",
                        self.frames.pose, "flange", 1.5)
        self.assertEqual((series.order, self.frames.order), (4, 4))
        self.assertEqual(j.Series(self.arm, 5).inverse(q, np.zeros((7, 7))).shape, (7, 6))

    def test_prescribed(self):
        taus = np.zeros((7, 4))
        for wrong in [0, 1, 2, 3, 4, 5, 6], [2.5] * 7, [None] * 7, None, "TTTTTTT":
            self.wrong_type("hybrid_series: prescribed needs one bool per velocity coordinate",
                            self.series.hybrid, wrong, self.q, self.motion, taus)
        self.refused('hybrid_series: prescribed has 2 elements, robot "arm7" needs 7',
                     self.series.hybrid, [True, False], self.q, self.motion, taus)

    def test_masked(self):
        masked = np.ma.array(self.motion, mask=self.motion > 0)
        self.wrong_type("inverse_series: motion is a masked array, needs plain numbers",
                        self.series.inverse, self.q, masked)


class Propellers(RobotTest):
    def test_speeds_and_wrenches(self):
        """Six come back; of eight the wrench does; four cannot push sideways."""
        six = j.tilted_hexarotor(0.3, 0.03, 0.35, 1e-5, 1.6e-7)
        self.assertEqual((six.count, six.rank, six.allocation().shape), (6, 6, (6, 6)))
        speeds = np.vstack([np.linspace(600, 700, 6), np.linspace(-5, 5, 6)]).T
        wrench = six.wrench(speeds)
        self.assert_close(wrench[:, 0], six.allocation() @ speeds[:, 0]**2, 1e-9)
        self.assert_close(wrench[:, 1], six.allocation() @ (2 * speeds[:, 0] * speeds[:, 1]), 1e-9)
        self.assert_close(six.speeds(wrench), speeds, 1e-6)
        angle = np.arange(8) * np.pi / 4
        places = np.array([np.cos(angle), np.sin(angle), 0 * angle]).T * 0.3
        lean = 0.3 * (-1)**np.arange(8)
        axes = np.array([np.sin(angle) * np.sin(lean), -np.cos(angle) * np.sin(lean),
                         np.cos(lean)]).T
        eight = j.Propellers(places, axes, 1e-5, 1.6e-7, [1, -1] * 4)
        self.assertEqual(eight.rank, 6)
        self.assert_close(eight.wrench(eight.speeds(wrench)), wrench, 1e-9)
        up = [[0, 0, 1]] * 4
        four = j.Propellers(places[::2], up, 1e-5, 1.6e-7, [1, -1, 1, -1])
        self.assertEqual(four.rank, 4)
        with self.assertRaisesRegex(j.ComputationError, "4 propellers of rank 4 miss derivative 0"):
            four.speeds([0, 0, 0, 1, 0, 20])
        self.assert_close(four.wrench(four.nearest_speeds([0, 0, 0, 1, 0, 20])),
                          [0, 0, 0, 0, 0, 20], 1e-9)
        with self.assertRaisesRegex(j.InputError, "axis has length 2, needs 1"):
            j.Propellers([[0, 0, 0]], [[0, 0, 2]], 1e-5, 1e-7, [1])


if __name__ == "__main__":
    unittest.main()
