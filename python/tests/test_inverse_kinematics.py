# SPDX-License-Identifier: BSD-3-Clause
"""Inverse kinematics from Python: round trips, weights, limits, velocities, threads, messages."""

import pickle
import threading
import unittest

import jounce as j
import numpy as np
from robots import RobotTest


class IkTest(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.kinematics = j.Kinematics(self.arm)
        self.ik = j.InverseKinematics(self.arm)

    def pose(self, q, frame="flange"):
        return self.kinematics.at(q).pose(frame)


class Solve(IkTest):
    def test_round_trips(self):
        for seed in range(50):
            target = self.pose(self.arm.random(seed))
            found = self.ik.solve("flange", target, self.arm.neutral())
            self.assertTrue(found.converged, (seed, found))
            self.assertLessEqual(found.residual, 1e-9)
            self.assertTrue(self.pose(found.q).is_approx(target, 1e-8), seed)
            self.assertTrue(np.all(found.q >= self.arm.limits.lower), seed)
            self.assertTrue(np.all(found.q <= self.arm.limits.upper), seed)

    def test_goal_and_number_are_the_same_call(self):
        target, guess = self.pose(self.arm.random(1)), self.arm.neutral()
        wanted = self.ik.solve("flange", target, guess).q
        goal = j.PoseGoal(self.arm.frame("flange"), target)
        for goals in goal, [goal], (goal,), iter([goal]):
            np.testing.assert_array_equal(self.ik.solve(goals, guess).q, wanted)

    def test_position_only(self):
        target = j.SE3(j.SO3(), self.pose(self.arm.random(2)).p)
        found = self.ik.solve("flange", target, self.arm.neutral(), rotation_weight=0)
        self.assertTrue(found.converged)
        self.assert_close(self.pose(found.q).p, target.p, 1e-8)

    def test_two_frames(self):
        robot = j.load("builtin:quadruped")
        kinematics, ik = j.Kinematics(robot), j.InverseKinematics(robot)
        kinematics.at(robot.random(3))
        frames = ["hind_right_foot", robot.links[0]]
        goals = [j.PoseGoal(frames[0], kinematics.pose(frames[0]), rotation_weight=0),
                 j.PoseGoal(frames[1], kinematics.pose(frames[1]))]
        found = ik.solve(goals, robot.neutral())
        self.assertTrue(found.converged, found)
        kinematics.at(found.q)
        self.assert_close(kinematics.pose(frames[0]).p, goals[0].pose.p, 1e-8)
        self.assertTrue(kinematics.pose(frames[1]).is_approx(goals[1].pose, 1e-8))

    def test_out_of_reach(self):
        found = self.ik.solve("flange", j.SE3(j.SO3(), [9, 0, 0]), self.arm.neutral(),
                              max_restarts=2, max_iterations=30)
        self.assertFalse(found.converged)
        self.assertGreater(found.residual, 1)
        self.assertEqual(found.restarts, 2)
        self.assertLessEqual(found.iterations, 90)

    def test_preferred_configuration(self):
        q = self.arm.random(8)
        target = self.pose(q)
        near = self.ik.solve("flange", target, q + 0.1, preferred=q).q
        far = self.ik.solve("flange", target, q + 0.1).q
        self.assertTrue(self.pose(near).is_approx(target, 1e-8))
        self.assertLess(np.linalg.norm(near - q), np.linalg.norm(far - q))

    def test_results_stay(self):
        first = self.ik.solve("flange", self.pose(self.arm.random(1)), self.arm.neutral())
        kept = first.q.copy()
        self.assertTrue(first.q.flags.writeable and first.q.flags.owndata)
        self.ik.solve("flange", self.pose(self.arm.random(2)), self.arm.neutral())
        np.testing.assert_array_equal(first.q, kept)
        again = pickle.loads(pickle.dumps(first))
        np.testing.assert_array_equal(again.q, kept)
        self.assertEqual(repr(again), repr(first))
        self.assertRegex(repr(first), r"^IkResult\(converged=True, residual=[-.e\d]+, "
                                      r"iterations=\d+, restarts=\d+\)$")


class Velocity(IkTest):
    def test_primary(self):
        for kind in "body", "space", "hybrid":
            q, V = self.arm.random(4), j.Twist(self.vector(6))
            found = self.ik.velocity(q, j.TwistGoal("flange", V, kind))
            self.kinematics.at(q, found.v)
            self.assert_close(getattr(self.kinematics, "twist_" + kind)("flange").vector, V.vector,
                              1e-9)
            self.assertLess(found.primary_error, 1e-9)
            self.assertEqual(found.secondary_error, 0)

    def test_secondary_leaves_the_primary_alone(self):
        q, V = self.arm.random(4), j.Twist(self.vector(6))
        goals = j.TwistGoal("flange", V), [j.TwistGoal("link_4", j.Twist(self.vector(6)), "body")]
        found = self.ik.velocity(q, *goals)
        self.assertLess(found.primary_error, 1e-9)
        alone = self.ik.velocity(q, goals[0])
        self.kinematics.at(q, alone.v)
        before = self.kinematics.twist_body("link_4") - goals[1][0].twist
        self.assertLess(found.secondary_error, np.linalg.norm(before.vector))

    def test_damping_by_singular_values(self):
        q, V = self.arm.neutral() + 0.01 * self.vector(7), self.vector(6)  # nearly singular
        found = self.ik.velocity(q, j.TwistGoal("flange", j.Twist(V)), singular_below=0.1,
                                 damping=0.3)
        self.kinematics.at(q)
        U, s, W = np.linalg.svd(self.kinematics.jacobian_hybrid("flange"), full_matrices=False)
        self.assertLess(s[-1], 0.1)
        d = 0.3 * np.maximum(0, 1 - s / 0.1)
        self.assert_close(found.v, W.T @ (s / (s**2 + d**2) * (U.T @ V)), 1e-9)


class Threads(IkTest):
    def solve_all(self, ik, found):
        for seed in range(30):
            found.append(ik.solve("flange", self.targets[seed], self.arm.neutral()).q)

    def test_side_by_side_and_shared(self):
        self.targets = [self.pose(self.arm.random(seed)) for seed in range(30)]
        alone = []
        self.solve_all(self.ik, alone)
        for solvers in [self.ik, j.InverseKinematics(self.arm)], [self.ik, self.ik]:
            found = [[], []]
            threads = [threading.Thread(target=self.solve_all, args=pair)
                       for pair in zip(solvers, found)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            np.testing.assert_array_equal(found, [alone, alone])

    def test_python_runs_during_solve(self):
        far, guess = j.SE3(j.SO3(), [9, 0, 0]), self.arm.neutral()
        thread = threading.Thread(target=self.ik.solve, args=("flange", far, guess),
                                  kwargs={"max_restarts": 6000})
        thread.start()
        counted = 0
        while thread.is_alive() and counted < 1000:
            counted += 1
        self.assertTrue(thread.is_alive())  # 1000 rounds of Python while one solve still runs
        thread.join()


class Messages(IkTest):
    def test_solve(self):
        T, q = j.SE3(), self.arm.neutral()
        solve = self.ik.solve
        self.refused('ik: q_guess has 6 elements, robot "arm7" needs 7', solve, "flange", T, q[:6])
        self.refused("ik: q_guess has shape (7, 1), needs (7,)", solve, "flange", T, q[:, None])
        self.refused("ik: q_guess[0] is NaN", solve, "flange", T, [np.nan] * 7)
        self.refused("ik: no goal was given", solve, [], q)
        nothing = j.SE3.__new__(j.SE3)
        nothing.__setstate__((0.0,) * 12)  # what only a broken pickle makes
        for goal in ("flange", nothing), (j.PoseGoal("flange", nothing),):
            self.refused("ik: the goal's rotation is no rotation: R R^T is off by 1, its "
                         "determinant is 0", solve, *goal, q)
        self.refused('robot "arm7" has no link or frame "hand"; nearest: "base", "flange", '
                     '"link_1"', solve, "hand", T, q)
        self.refused('ik: frame is 77, robot "arm7" has 0 to 8', solve, j.PoseGoal(77, T), q)
        self.refused("ik: rotation_weight is -1, needs a number >= 0",
                     solve, "flange", T, q, rotation_weight=-1)
        self.refused("ik: position_weight is inf, needs a finite number",
                     j.PoseGoal, "flange", T, 1, np.inf)
        self.refused("ik: max_restarts is -1, needs 0 or more",
                     solve, "flange", T, q, max_restarts=-1)
        self.refused("ik: tolerance is nan, needs a finite number",
                     solve, "flange", T, q, tolerance=np.nan)
        self.refused('ik: preferred has 2 elements, robot "arm7" needs 7',
                     solve, "flange", T, q, preferred=[0, 0])
        self.wrong_type("ik: goals holds a str, needs PoseGoal", solve, ["flange"], q)
        self.wrong_type("ik: goals holds a SE3, needs PoseGoal", solve, T, q)
        self.wrong_type("ik: frame is of type NoneType, needs a name or a number",
                        j.PoseGoal, None, T)

    def test_velocity(self):
        q, goal = self.arm.neutral(), j.TwistGoal("flange", j.Twist())
        self.refused('ik velocity: q has 8 elements, robot "arm7" needs 7',
                     self.ik.velocity, np.zeros(8), goal)
        self.refused("ik velocity: no goal was given", self.ik.velocity, q, [])
        self.refused("ik velocity: threshold and damping must be positive",
                     self.ik.velocity, q, goal, damping=-1)
        self.refused('ik velocity: kind is "local", needs "body", "space" or "hybrid"',
                     j.TwistGoal, "flange", j.Twist(), "local")
        self.wrong_type("ik velocity: secondary holds a int, needs TwistGoal",
                        self.ik.velocity, q, goal, [3])

    def test_goals_show_themselves(self):
        self.assertEqual(repr(j.TwistGoal("flange", j.Twist())),
                         "TwistGoal('flange', Twist(w=[0, 0, 0], v=[0, 0, 0]), kind=\"hybrid\")")
        goal = j.PoseGoal(3, j.SE3(), position_weight=2)
        self.assertEqual((goal.frame, goal.rotation_weight, goal.position_weight), (3, 1, 2))
        self.assertTrue(repr(goal).startswith("PoseGoal(3, SE3(R=[[1, 0, 0],"))


if __name__ == "__main__":
    unittest.main()
