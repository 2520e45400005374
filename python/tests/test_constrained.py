# SPDX-License-Identifier: BSD-3-Clause
"""Closed loops and contacts from Python: the five-bar in numbers, laws on others, refusals."""

import json
import unittest
import warnings

import jounce as j
import numpy as np
from robots import FIVE_BAR_STATE, RobotTest

# Numbers of the tests: the dense equations in 50 digits.
Q, V, A = FIVE_BAR_STATE


def in_plane(x, y):
    return [0, 0, x, y, 0]


def with_motors(*motors):
    """The five-bar with these joints driven: left proximal, left distal, right proximal, ..."""
    robot = json.loads(j.load("builtin:five_bar").to_json())
    for joint, motor in zip(robot["joints"], motors):
        joint["actuated"] = motor
    return j.ConstrainedDynamics(j.loads(json.dumps(robot)))


class FiveBar(RobotTest):
    def setUp(self):
        super().setUp()
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # this door closes the loops, there is nothing to say
            self.dyn = j.ConstrainedDynamics(j.load("builtin:five_bar"))

    def assert_near(self, found, exact):
        self.assert_close(found, exact, 1e-13 * max(1, np.abs(exact).max()))

    def test_robot(self):
        robot = self.dyn.robot
        np.testing.assert_array_equal(robot.actuated, [True, False, True, False])
        with self.assertRaises(ValueError):
            robot.actuated[0] = False
        self.assert_close(self.dyn.closure(robot.closed()), np.zeros(5))
        np.testing.assert_array_equal(j.load("builtin:arm7").closed(), np.zeros(7))
        self.assertEqual(j.load("builtin:quadruped").actuated.sum(), 12)  # its base has no motor

    def test_paths(self):
        """Each agrees with the others to rounding and is kept for many states."""
        tau = np.array([0.3, 0, -0.2, 0])
        robot = self.dyn.robot
        parameters = [("inertia", "left_distal", 0)]
        series = np.stack([tau, tau], axis=1)
        doors = [(j.ConstrainedDynamics(robot), lambda d, q: d.forward(q, V, tau).a),
                 (j.ConstrainedDerivatives(robot), lambda d, q: d.forward(q, V, tau).da_dq),
                 (j.ConstrainedSeries(robot, 1), lambda d, q: d.forward(q, V, series).motion),
                 (j.ConstrainedSensitivity(robot, parameters),
                  lambda d, q: d.forward(q, V, tau).dx_dp)]
        for door, call in doors:
            found = {}
            for path in ("fastest", "factors", "clusters"):
                self.assertIsNone(door.set_path(path))
                found[path] = call(door, Q)
                np.testing.assert_array_equal(call(door, np.stack([Q, Q]))[1], found[path])
            size = np.abs(found["factors"]).max()
            self.assert_close(found["clusters"], found["factors"], 1e-12 * size, type(door))
            self.assertFalse(np.array_equal(found["clusters"], found["factors"]), type(door))
            self.refused('set_path: path is "fast", needs "fastest", "factors" or "clusters"',
                         door.set_path, "fast")

    def test_rows(self):
        self.assertEqual((self.dyn.rows, self.dyn.rank, self.dyn.mobility), (5, 2, 2))
        self.assertEqual(self.dyn.first_row(0), 0)
        self.assertEqual(self.dyn.decide_rank(Q), 2)
        rows = self.dyn.jacobian(Q)
        self.assertEqual(rows.shape, (5, 4))
        self.assert_near(rows[2], [-0.2809211175329526, -0.26627661502892075,
                                   0.17575489135519334, 0])
        self.assert_near(self.dyn.bias(Q, V), in_plane(0.1611953765782619, -0.025784225212185357))
        self.assert_close(rows @ V, np.zeros(5), 1e-15)
        self.assert_close(self.dyn.closure(Q), np.zeros(5), 1e-15)
        self.assertEqual(np.linalg.matrix_rank(np.vstack([rows, self.dyn.closure_jacobian(Q)]),
                                               tol=1e-12), 2)

    def test_forward(self):
        found = self.dyn.forward(Q, V, [0.3, 0, -0.2, 0])
        self.assertIsInstance(found, j.ConstrainedForward)
        self.assert_near(found.a, [79.98595129020407, -133.1381960838317, -74.7805118600978,
                                   127.35543880950694])
        self.assert_near(found.lambda_, in_plane(-0.20463936983648504, -0.10120329029004252))
        self.assertEqual(found.rank, 2)
        self.assertGreater(found.rank_margin, 0.1)
        self.assertLess(found.redundancy_defect, 1e-15)
        self.assertLess(found.residual, 1e-13)

    def test_two_motors(self):
        found = self.dyn.inverse(Q, V, A)
        self.assert_near(found.tau, [-0.22842639857582903, 0, 0.2995386428812793, 0])
        self.assert_near(found.lambda_, in_plane(-0.29189232799759507, -0.3536889359618531))
        self.assertEqual(found.free_dimension, 0)
        self.assert_near(self.dyn.forward(Q, V, found.tau).a, A)
        other = self.dyn.inverse(Q, V, A, passive_forces=[0, 0.01, 0, -0.02])
        self.assert_near(other.tau, [-0.2050855594501351, 0.01, 0.272655848130054, -0.02])

    def test_three_motors(self):
        dyn = with_motors(True, True, True, False)
        force = dyn.inverse(Q, V, A)
        self.assert_near(force.tau,
                         [-0.14642767959544947, 0.07772410105211108, 0.2482371384866475, 0])
        self.assertEqual(force.free_dimension, 1)
        torque = dyn.inverse(Q, V, A, optimum="torque")
        self.assert_near(torque.tau,
                         [-0.046832092240084104, 0.17212774042853862, 0.18592636673398422, 0])
        self.assert_near(torque.lambda_, in_plane(0.3545322196850602, -0.3536889359618531))

    def test_four_motors(self):
        dyn = with_motors(True, True, True, True)
        family = dyn.inverse_family(Q, V, A)
        self.assertEqual((family.tau_free.shape, family.lambda_free.shape), ((4, 2), (5, 2)))
        self.assert_near(family.lambda_, in_plane(0, 0))
        s = np.array([0.3, -0.7])
        found = dyn.forward(Q, V, family.tau + family.tau_free @ s)
        self.assert_near(found.a, A)
        self.assert_near(found.lambda_, family.lambda_ + family.lambda_free @ s)

    def test_one_motor(self):
        self.assert_raises(
            j.ComputationError,
            'constrained_inverse: the motors ("left_proximal_joint") are too few for these '
            'accelerations: 0.123277 is missing (joint "right_distal_joint"); prescribe what the '
            "motors can hold and use hybrid",
            with_motors(True, False, False, False).inverse, Q, V, A)

    def test_hybrid(self):
        found = self.dyn.hybrid([True, False, False, False], Q, V, A, np.zeros(4))
        self.assertIsInstance(found, j.ConstrainedHybrid)
        self.assert_near(found.a,
                         [3, -23.69275251551538, -32.01764640027191, 34.753058636968994])
        self.assert_near(found.tau, [-0.31682696116474085, 0, 0, 0])
        self.assert_near(found.lambda_, in_plane(0.1870050284316832, -0.5788903718975386))
        three = [True, True, True, False]
        force = self.dyn.hybrid(three, Q, V, A, np.zeros(4))
        torque = self.dyn.hybrid(three, Q, V, A, np.zeros(4), optimum="torque")
        self.assertEqual(force.free_dimension, 1)
        self.assertLess(np.linalg.norm(torque.tau), np.linalg.norm(force.tau))
        self.assert_raises(
            j.ComputationError,
            "constrained_hybrid: the prescribed accelerations contradict the loops: what is left "
            "of A a + Adot v is 1.03308, needs 0",
            self.dyn.hybrid, three, Q, V, [3, 0, -2, 0], np.zeros(4))

    def test_assembly(self):
        guess = Q + [0, 0.2, 0, -0.1]
        found = self.dyn.assemble(guess, [True, False, True, False])
        self.assertTrue(found.converged)
        self.assertLess(found.residual, 1e-12)
        self.assertEqual((found.worst_loop, found.q[0], found.q[2]), (0, Q[0], Q[2]))
        self.assert_close(found.q, Q)
        nearest = self.dyn.assemble(guess)
        self.assert_close(self.dyn.closure(nearest.q), np.zeros(5))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mass = j.Dynamics(self.dyn.robot).mass(Q)
        way, other = nearest.q - guess, Q - guess
        self.assertLess(way @ mass @ way, other @ mass @ other)

    def test_surroundings(self):
        """What surrounds the open tree surrounds the closed one: each changes M a + b as there."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            open_ = j.Dynamics(self.dyn.robot)
        tau = np.array([0.3, 0, -0.2, 0])
        push = [("left_distal", self.vector(6), "hybrid")]
        ground = (self.vector(6), self.vector(6))
        for words in [{}, {"wrenches": push}, {"ground": ground}, {"gravity": False},
                      {"passive": False}, {"wrenches": push, "ground": ground}]:
            found = self.dyn.forward(Q, V, tau, **words)
            balance = open_.inverse(Q, V, found.a, **words)
            self.assert_close(balance, tau + self.dyn.jacobian(Q).T @ found.lambda_, 1e-11, words)


class Derivatives(RobotTest):
    def setUp(self):
        super().setUp()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            robot = j.load("builtin:five_bar")
            self.dyn = j.ConstrainedDynamics(robot)
            self.derivatives = j.ConstrainedDerivatives(robot)
            self.series = j.ConstrainedSeries(robot, 3)
        self.tau = np.array([0.3, 0, -0.2, 0])

    def test_forward(self):
        d = self.derivatives.forward(Q, V, self.tau)
        push = np.array([0.01, 0.02, -0.03, 0.01])
        more = self.dyn.forward(Q, V, self.tau + push)
        first = self.dyn.forward(Q, V, self.tau)
        self.assert_close(d.da_dtau @ push, more.a - first.a, 1e-10)
        self.assert_close(d.dlambda_dtau @ push, more.lambda_ - first.lambda_, 1e-12)
        self.assert_close(d.da_dq[0], [3.077269541868899, 29.08440062844625, 37.27591122943126,
                                       23.83041897237768], 1e-10)
        self.assertEqual(d.dlambda_dq.shape, (5, 4))

    def test_inverse_and_hybrid(self):
        d = self.derivatives.inverse(Q, V, A)
        self.assertTrue(np.all(d.dtau_da[[1, 3]] == 0))  # no motors
        rub = np.array([0, 0.2, 0, -0.1])  # what it adds is linear in it
        once = self.derivatives.inverse(Q, V, A, passive_forces=rub)
        twice = self.derivatives.inverse(Q, V, A, passive_forces=2 * rub)
        self.assert_close(twice.dtau_dq - once.dtau_dq, once.dtau_dq - d.dtau_dq, 1e-12)
        self.assertGreater(np.abs(once.dtau_dq - d.dtau_dq).max(), 1e-2)
        h = self.derivatives.hybrid([True, False, True, False], Q, V, A, np.zeros(4))
        self.assert_close((h.dgiven @ [1, 0, 1, 0])[1::2],
                          self.dyn.hybrid([True, False, True, False], Q, V, A + [1, 0, 1, 0],
                                          np.zeros(4)).a[1::2] - A[1::2], 1e-11)

    def test_forces_that_are_chosen(self):
        dyn = with_motors(True, True, True, True)
        other = dyn.forward(Q, V, self.tau).a  # both suit the loop, and forces are linear in a
        for optimum in ("force", "torque"):
            d = j.ConstrainedDerivatives(dyn.robot).inverse(Q, V, A, optimum=optimum)
            first = dyn.inverse(Q, V, A, optimum=optimum)
            more = dyn.inverse(Q, V, other, optimum=optimum)
            self.assert_close(d.dtau_da @ (other - A), more.tau - first.tau, 1e-10)
            self.assert_close(d.dlambda_da @ (other - A), more.lambda_ - first.lambda_, 1e-10)

    def test_series(self):
        taus = np.zeros((4, 3))
        taus[:, 0] = self.tau
        taus[:, 1] = [0.1, 0, 0.4, 0]
        found = self.series.forward(Q, V, taus)
        first = self.dyn.forward(Q, V, self.tau)
        self.assert_close(found.motion[:, 1], first.a, 1e-11)
        self.assert_close(found.lambdas[:, 0], first.lambda_, 1e-13)
        back = self.series.inverse(Q, found.motion)
        self.assert_close(back.taus[:, :2], taus[:, :2], 1e-9)
        flags = [True, False, True, False]
        self.assert_close(self.series.hybrid(flags, Q, found.motion, taus).motion, found.motion,
                          1e-7)
        strained = [True, True, True, False]
        for optimum in ("force", "torque"):
            series = self.series.hybrid(strained, Q, found.motion, taus, optimum=optimum)
            now = self.dyn.hybrid(strained, Q, V, first.a, self.tau, optimum=optimum)
            self.assert_close(series.taus[:, 0], now.tau, 1e-11)
            self.assert_close(series.lambdas[:, 0], now.lambda_, 1e-11)
        self.assertEqual((self.series.order, self.series.rows, self.derivatives.rows), (3, 5, 5))


    def test_derivatives_of_rows(self):
        lambda_, a = np.arange(5.0), np.array([1, -2, 0.5, 3])
        found = self.derivatives.constraints(Q, V, a, lambda_)
        self.assertIsInstance(found, j.ConstraintDerivatives)
        step = 1e-6 * np.eye(4)[1]
        apart = [self.dyn.jacobian(Q + h) for h in (step, -step)]
        rate = (apart[0] - apart[1]) / 2e-6
        biases = [self.dyn.bias(Q + h, V) for h in (step, -step)]
        self.assert_close(found.dq[:, 1], rate @ a + (biases[0] - biases[1]) / 2e-6, 1e-8)
        self.assert_close(found.dforce_dq[:, 1], rate.T @ lambda_, 1e-8)
        faster = (self.dyn.bias(Q, V + step) - self.dyn.bias(Q, V - step)) / 2e-6
        self.assert_close(found.dv[:, 1], faster, 1e-8)


class Others(RobotTest):
    def test_stewart(self):
        dyn = j.ConstrainedDynamics(j.load("builtin:stewart"))
        robot = dyn.robot
        self.assertEqual((dyn.rows, dyn.rank, dyn.mobility), (15, 15, 6))
        self.assertEqual([dyn.first_row(k) for k in range(5)], [0, 3, 6, 9, 12])
        q = robot.closed()
        v = dyn.project(q, self.vector(robot.nv))
        self.assert_close(dyn.jacobian(q) @ v, np.zeros(15), 1e-11)
        tau = np.where(robot.actuated, 20.0, 0)
        found = dyn.forward(q, v, tau)
        self.assert_close(dyn.inverse(q, v, found.a).tau, tau, 1e-9)

    def test_loop_wrenches(self):
        """Wrenches of the loops on both links of the open tree move it as the loops do."""
        dyn = j.ConstrainedDynamics(j.load("builtin:stewart"))
        robot = dyn.robot
        q, v = robot.closed(), np.zeros(robot.nv)
        found = dyn.forward(q, v, v)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            open_, kin = j.Dynamics(robot), j.Kinematics(robot).at(q)
        wrenches = []
        for loop, F in zip(robot.loops, dyn.loop_wrenches(q, found.lambda_)):
            # a ball: forces alone, at one point of both links
            point = kin.pose(loop.link_2) * loop.placement_2
            f = point.R @ F.f
            in_space = np.concatenate([np.cross(point.p, f), f])
            wrenches += [(loop.link_2, in_space, "space"), (loop.link_1, -in_space, "space")]
        self.assert_close(open_.forward(q, v, v, wrenches), found.a, 1e-9)

    def test_length(self):
        robot = json.loads(j.load("builtin:five_bar").to_json())
        robot["loops"][0].update(kind="distance", length=0.25)
        loop, = j.loads(json.dumps(robot)).loops
        self.assertEqual((loop.kind, loop.length), ("distance", 0.25))
        self.assertEqual(j.load("builtin:five_bar").loops[0].length, 0)

    def test_open_for_ever(self):
        robot = json.loads(j.load("builtin:five_bar").to_json())
        robot["loops"][0]["placement_1"]["position"] = [5, 0, 0]
        dyn = j.ConstrainedDynamics(j.loads(json.dumps(robot)))
        self.assertEqual(dyn.rank, -1)
        self.assertFalse(dyn.assemble(Q).converged)
        for call in [lambda: dyn.mobility, lambda: dyn.forward(Q, V, V)]:
            with self.assertRaisesRegex(j.ComputationError, "the rank of the loops is not known"):
                call()


class Contacts(RobotTest):
    FEET = ["front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"]

    def setUp(self):
        super().setUp()
        self.robot = j.load("builtin:quadruped")
        self.dyn = j.ConstrainedDynamics(self.robot)
        self.q = self.robot.random(7)

    def test_standing(self):
        contacts = [(foot, "point") for foot in self.FEET]
        n = self.robot.nv
        v = self.dyn.project(self.q, self.vector(n), contacts)
        found = self.dyn.forward(self.q, v, self.vector(n), contacts=contacts)
        self.assertEqual((len(found.lambda_), found.rank), (12, 12))
        kin = j.Kinematics(self.robot).at(self.q, v, found.a)
        for foot in self.FEET:
            self.assert_close(kin.twist_body(foot).v, np.zeros(3))
            self.assert_close(kin.classical_acceleration_body(foot).v, np.zeros(3), 1e-9)
        back = self.dyn.hybrid(np.ones(n, bool), self.q, v, found.a, np.zeros(n),
                               contacts=contacts)
        self.assert_close(self.dyn.forward(self.q, v, back.tau, contacts=contacts).a, found.a,
                          1e-8)

    def test_ways_to_say_it(self):
        name, number = self.FEET[0], self.robot.frame(self.FEET[0])
        wanted = self.dyn.jacobian(self.q, [(name, "fixed")])
        self.assertEqual(wanted.shape, (6, self.robot.nv))
        self.assert_close(wanted, j.Kinematics(self.robot).at(self.q).jacobian_body(name))
        for contacts in [[name], (number,), [np.int64(number)], [(name,)], [[number, "fixed"]]]:
            np.testing.assert_array_equal(self.dyn.jacobian(self.q, contacts), wanted)
        self.assertEqual(self.dyn.jacobian(self.q).shape, (0, self.robot.nv))

    def test_impulse(self):
        contacts, v = [(self.FEET[0], "point")], self.vector(self.robot.nv)
        rows = self.dyn.jacobian(self.q, contacts)
        mass = j.Dynamics(self.robot).mass(self.q)
        for restitution in 0, 0.5, 1:
            found = self.dyn.impulse(self.q, v, contacts, restitution)
            self.assert_close(rows @ found.v, -restitution * rows @ v)
            self.assert_close(mass @ (found.v - v), rows.T @ found.lambda_)
        np.testing.assert_array_equal(self.dyn.project(self.q, v, contacts),
                                      self.dyn.impulse(self.q, v, contacts).v)

    def test_without_loops_or_contacts(self):
        v, tau = self.vector(self.robot.nv), self.vector(self.robot.nv)
        self.assertEqual((self.dyn.rows, self.dyn.rank), (0, 0))
        self.assert_close(self.dyn.forward(self.q, v, tau).a,
                          j.Dynamics(self.robot).forward(self.q, v, tau), 1e-9)


class Refusals(RobotTest):
    def setUp(self):
        super().setUp()
        self.dyn = j.ConstrainedDynamics(j.load("builtin:arm7"))
        self.x = np.zeros(7)

    def test_contacts(self):
        def forward(contacts):
            return self.dyn.forward(self.x, self.x, self.x, contacts=contacts)
        list_needed = "constrained_forward: contacts needs a list of (frame, kind)"
        for wrong in 3, "flange", [3.5], [("flange", 3)], [("flange", "point", 0)], [()]:
            self.wrong_type(list_needed, forward, wrong)
        self.refused('robot "arm7" has no link or frame "hand"; nearest: "base", "flange", '
                     '"link_1"', forward, ["hand"])
        self.refused('constrained_forward: frame is 99, robot "arm7" has 0 to '
                     f"{len(self.dyn.robot.frames) - 1}", forward, [99])
        self.refused('constrained_forward: contacts[1]: kind is "ball", needs one of fixed, '
                     "revolute, prismatic, cylindrical, universal, planar, spherical, point, "
                     "orientation, distance, knife_edge, rolling, gear", forward, ["flange", ("flange", "ball")])
        self.refused('constrained_forward: contact "flange": kind distance needs a second frame, '
                     "make it a loop", forward, [("flange", "distance")])
        self.refused('constrained_forward: contact "base" does not move: it is part of the ground',
                     forward, ["base"])

    def test_vectors(self):
        self.refused('constrained_forward: q has 6 elements, robot "arm7" needs 7',
                     self.dyn.forward, self.x[:6], self.x, self.x)
        self.refused('constrained_inverse: passive has 2 elements, robot "arm7" needs 7',
                     self.dyn.inverse, self.x, self.x, self.x, passive_forces=[0, 0])
        self.refused("assemble: guess has shape (1, 7), needs (7,)", self.dyn.assemble, [self.x])
        self.refused('assemble: kept has 2 elements, robot "arm7" needs 7 or none',
                     self.dyn.assemble, self.x, [True, False])
        self.wrong_type("assemble: kept needs one bool per velocity coordinate",
                        self.dyn.assemble, self.x, [1.0] * 7)
        self.refused('loop_wrenches: lambda has 2 elements, robot "arm7" needs 6',
                     self.dyn.loop_wrenches, self.x, [0, 0], ["flange"])

    def test_names(self):
        self.refused('constrained_inverse: optimum is "power", needs "force" or "torque"',
                     self.dyn.inverse, self.x, self.x, self.x, optimum="power")
        self.wrong_type("constrained_inverse: optimum is of type int, needs a name",
                        self.dyn.inverse, self.x, self.x, self.x, optimum=1)

    def test_numbers(self):
        self.refused("impulse: restitution 1.5 must lie between 0 and 1",
                     self.dyn.impulse, self.x, self.x, ["flange"], 1.5)
        self.wrong_type("impulse: restitution is of type str, needs a number",
                        self.dyn.impulse, self.x, self.x, ["flange"], "all")
        self.refused('first_row: robot "arm7" has no loop number 0, it has 0',
                     self.dyn.first_row, 0)
        dyn = j.ConstrainedDynamics(j.load("builtin:five_bar"))
        self.refused("decide_rank: the loops are open by 0.12, needs at most 1e-09; assemble closes "
                     "them", dyn.decide_rank, np.zeros(4))



class Constraints(RobotTest):
    """Functions of joints that are to be zero, written in Python."""

    def setUp(self):
        self.open = j.load("builtin:arm7")
        self.names = [joint.name for joint in self.open.joints[:2]]

    def test_driven(self):
        robot = j.with_constraint(self.open, "drive", self.names[:1],
                                  lambda q, t: q[0] - 0.5 * np.sin(2 * t))
        dyn = j.ConstrainedDynamics(robot)
        t = 0.3
        q = dyn.assemble(np.full(7, 0.1), time=t).q
        self.assertAlmostEqual(q[0], 0.5 * np.sin(2 * t), 12)
        v = dyn.project(q, np.full(7, 0.2), time=t)
        self.assertAlmostEqual(v[0], np.cos(2 * t), 12)
        f = dyn.forward(q, v, np.zeros(7), time=t)
        self.assertAlmostEqual(f.a[0], -2 * np.sin(2 * t), 12)
        self.assertEqual(robot.loops[0].kind, "custom")
        back = dyn.inverse(q, v, f.a, time=t)
        self.assertAlmostEqual(np.abs(dyn.forward(q, v, back.tau, time=t).a - f.a).max(), 0, 9)
        series = j.ConstrainedSeries(robot, 2)
        way = series.forward(q, v, np.zeros((7, 3)), time=t)
        sin, cos = np.sin(2 * t), np.cos(2 * t)
        self.assert_close(way.motion[0], [cos, -2 * sin, -4 * cos, 8 * sin], 1e-11)
        for optimum in ("force", "torque"):
            forces = series.inverse(q, way.motion, time=t, optimum=optimum).taus
            same = series.forward(q, v, forces, time=t).motion
            self.assert_close(same, way.motion, 1e-8 * np.abs(way.motion).max())
        self.assert_close(forces, 0 * forces, 1e-8 * np.abs(way.motion).max())  # nothing is needed
        fixed = [False, True] + [False] * 5
        held = series.hybrid(fixed, q, way.motion, np.zeros((7, 3)), time=t)
        self.assert_close(held.motion, way.motion, 1e-8 * np.abs(way.motion).max())
        closed = j.ClosedKinematics(robot)
        frame = self.open.frames[-1]
        pose = j.Kinematics(self.open).at(q).pose(frame)
        found = closed.solve(frame, pose, q, time=t)
        self.assertTrue(found.converged)
        self.assertAlmostEqual(found.q[0], 0.5 * sin, 9)

    def test_functions(self):
        def f(q, t):
            x = (q[0] ** 2 + 1) / 2 - abs(q[1]) * 3 + (-q[0]).exp() - 2 / (2 + q[1])
            y = np.sqrt(1 + q[0] * q[0]) * np.cos(q[1]) - np.arctan2(q[1], 1 + q[0])
            return [x + y.tanh() * t, np.log(2 + q[0]) - q[1].tan() + q[0].arctan()]

        def plain(q, t):
            x = (q[0] ** 2 + 1) / 2 - abs(q[1]) * 3 + np.exp(-q[0]) - 2 / (2 + q[1])
            y = np.sqrt(1 + q[0] * q[0]) * np.cos(q[1]) - np.arctan2(q[1], 1 + q[0])
            return [x + np.tanh(y) * t, np.log(2 + q[0]) - np.tan(q[1]) + np.arctan(q[0])]

        dyn = j.ConstrainedDynamics(j.with_constraint(self.open, "both", self.names, f))
        q = np.linspace(0.2, 0.5, 7)
        self.assert_close(dyn.closure(q, time=0.7), plain(q, 0.7), 1e-14)
        A = dyn.jacobian(q, time=0.7)
        for k in range(2):
            step = np.zeros(7)
            step[k] = 1e-6
            slope = np.subtract(plain(q + step, 0.7), plain(q - step, 0.7)) / 2e-6
            self.assert_close(A[:, k], slope, 1e-8)

    def test_refusals(self):
        def refused(kind, text, f, joints=None):
            with self.assertRaises(kind) as caught:
                j.with_constraint(self.open, "c", joints or self.names, f)
            self.assertEqual(str(caught.exception), text)
        refused(TypeError, "a constraint cannot branch on a Symbol: its function runs once",
                lambda q, t: q[0] if q[0] else q[1])
        refused(j.InputError, "with_constraint: the function gives 0 numbers, needs 1 to 6",
                lambda q, t: [])
        refused(ZeroDivisionError, "division by zero", lambda q, t: 1 / 0)
        refused(TypeError, "must be real number, not str", lambda q, t: [q[0] + "1"])


if __name__ == "__main__":
    unittest.main()
