# SPDX-License-Identifier: BSD-3-Clause
"""Kinematics of frames from Python: every result against poses, twists or differences of them."""

import threading
import unittest

import jounce as j
import numpy as np
from robots import RobotTest, random_robots

KINDS = ["body", "space", "hybrid"]
STEP = 1e-4  # five-point differences: errors of STEP^4 and of 1e-16 / STEP


def slope(f):
    """f'(0) by differences of fourth order."""
    h = STEP
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


class KinematicsTest(RobotTest):
    def cases(self):
        """(robot, kinematics at q, v, a; q, v, a; frame), three frames of every robot."""
        for robot in random_robots():
            q, v, a = robot.random(3), self.vector(robot.nv), self.vector(robot.nv)
            kinematics = j.Kinematics(robot)
            for frame in self.numbers.choice(robot.frames, 3):
                kinematics.at(q, v, a)
                yield robot, kinematics, (q, v, a), str(frame)

    def along(self, robot, state):
        """t -> a Kinematics at the time t of the motion that starts with q, v, a."""
        q, v, a = state
        kinematics = j.Kinematics(robot)

        def at(t):
            # v = t v + t^2/2 a is the tangent vector to second order: enough for q'' at t = 0
            return kinematics.at(robot.integrate(q, t * v + t**2 / 2 * a), v + t * a)
        return at


class Poses(KinematicsTest):
    def test_arm_at_zero(self):
        arm = j.load("builtin:arm7")
        kinematics = j.Kinematics(arm)
        before = kinematics.at(arm.neutral()).pose("flange").matrix
        kinematics.at([np.pi / 2] + [0] * 6)  # the first joint turns everything about z
        turned = j.SE3(j.exp([0, 0, np.pi / 2]), np.zeros(3)) * j.SE3(before)
        self.assertTrue(kinematics.pose("flange").is_approx(turned))

    def test_name_and_number(self):
        for robot, kinematics, _, frame in self.cases():
            for number in robot.frame(frame), np.int64(robot.frame(frame)):
                np.testing.assert_array_equal(kinematics.pose(frame).matrix,
                                              kinematics.pose(number).matrix)

    def test_lists_and_strides(self):
        arm = j.load("builtin:arm7")
        kinematics, q = j.Kinematics(arm), arm.random(1)
        wanted = []
        for same in q, list(q), np.repeat(q, 2)[::2], q.astype(np.longdouble):
            wanted.append(kinematics.at(same).pose("flange").matrix)
        for found in wanted:
            np.testing.assert_array_equal(found, wanted[0])


class Jacobians(KinematicsTest):
    def test_against_differences_of_poses(self):
        for robot, kinematics, (q, v, a), frame in self.cases():
            J, T = kinematics.jacobian_body(frame), kinematics.pose(frame)
            moved = j.Kinematics(robot)
            for k in range(robot.nv):
                def twist(h, e=np.eye(robot.nv)[k]):
                    now = moved.at(robot.integrate(q, h * e)).pose(frame)
                    return j.log(j.inverse_times(T, now)).vector
                self.assert_close(J[:, k], slope(twist), 1e-10, (robot, frame, k))

    def test_times_v_is_the_twist(self):
        for robot, kinematics, (q, v, a), frame in self.cases():
            for kind in KINDS:
                J = kinematics.jacobian(frame, kind)
                self.assertEqual(J.shape, (6, robot.nv))
                np.testing.assert_array_equal(J, getattr(kinematics, "jacobian_" + kind)(frame))
                V = getattr(kinematics, "twist_" + kind)(frame)
                self.assert_close(J @ v, V.vector, 1e-12 * (1 + np.abs(v).max() * robot.nv), robot)

    def test_representations(self):
        for robot, kinematics, _, frame in self.cases():
            T, J = kinematics.pose(frame), kinematics.jacobian_body(frame)
            turned = np.kron(np.eye(2), T.R)
            self.assert_close(kinematics.jacobian_space(frame), j.Ad_matrix(T) @ J, 1e-11, robot)
            self.assert_close(kinematics.jacobian_hybrid(frame), turned @ J, 1e-11, robot)

    def test_rates_against_differences(self):
        for robot, kinematics, state, frame in self.cases():
            at = self.along(robot, state)
            for kind in KINDS:
                rate = kinematics.jacobian_rate(frame, kind)
                np.testing.assert_array_equal(
                    rate, getattr(kinematics, f"jacobian_{kind}_rate")(frame))
                found = slope(lambda t, kind=kind: at(t).jacobian(frame, kind))
                self.assert_close(rate, found, 1e-8, (robot, frame, kind))

    def test_path_jacobian_leaves_the_state(self):
        for robot in random_robots():
            kinematics, frame = j.Kinematics(robot), robot.frames[-1]
            for kind in "body", "space", "hybrid":
                kinematics.at(robot.random(1))
                before = kinematics.jacobian(frame, kind)
                found = kinematics.jacobian(frame, kind, robot.random(2))
                np.testing.assert_array_equal(kinematics.jacobian(frame, kind), before)
                kinematics.at(robot.random(2))
                self.assert_close(found, kinematics.jacobian(frame, kind),
                                  1e-13 * (1 + abs(found).max()), robot)

    def test_results_own_their_numbers(self):
        arm = j.load("builtin:arm7")
        kinematics = j.Kinematics(arm).at(arm.neutral())
        J = kinematics.jacobian_body("flange")
        self.assertTrue(J.flags.f_contiguous and J.flags.owndata)
        kept = J.copy()
        kinematics.at(arm.random(1))
        kinematics.jacobian_body("link_3")
        np.testing.assert_array_equal(J, kept)
        J[:] = 0  # and may be written
        del kinematics
        np.testing.assert_array_equal(J, np.zeros((6, 7)))


class Accelerations(KinematicsTest):
    def test_spatial_is_the_derivative_of_the_twist(self):
        for robot, kinematics, state, frame in self.cases():
            at = self.along(robot, state)
            for kind in "body", "space":
                A = getattr(kinematics, "spatial_acceleration_" + kind)(frame)
                found = slope(lambda t, k=kind: getattr(at(t), "twist_" + k)(frame).vector)
                self.assert_close(A.vector, found, 1e-8 * (1 + abs(A.vector).max()), (robot, kind))

    def test_classical_is_the_derivative_of_the_hybrid_twist(self):
        for robot, kinematics, state, frame in self.cases():
            at = self.along(robot, state)
            A = kinematics.classical_acceleration_hybrid(frame)
            found = slope(lambda t: at(t).twist_hybrid(frame).vector)
            self.assert_close(A.vector, found, 1e-8 * (1 + abs(A.vector).max()), robot)
            R, body = kinematics.pose(frame).R, kinematics.classical_acceleration_body(frame)
            self.assert_close(R @ body.w, A.w, 1e-11 * (1 + abs(A.w).max()))
            self.assert_close(R @ body.v, A.v, 1e-11 * (1 + abs(A.v).max()))

    def test_jacobians_and_rates(self):
        for robot, kinematics, (q, v, a), frame in self.cases():
            J, rate = kinematics.jacobian_body(frame), kinematics.jacobian_body_rate(frame)
            A = kinematics.spatial_acceleration_body(frame).vector
            self.assert_close(J @ a + rate @ v, A, 1e-12 * (1 + abs(A).max()), robot)

    def test_moving_ground(self):
        arm = j.load("builtin:arm7")
        kinematics, still = j.Kinematics(arm), np.zeros(7)
        V_0, Vdot_0 = j.Twist(self.vector(6)), j.Twist(self.vector(6))
        kinematics.at(arm.random(1), still, still, ground=(V_0, Vdot_0))
        T = kinematics.pose("flange")
        self.assertTrue(kinematics.twist_body("flange").is_approx(j.Ad_inv(T, V_0)))
        self.assertTrue(kinematics.spatial_acceleration_body("flange")
                        .is_approx(j.Ad_inv(T, Vdot_0)))
        kinematics.at(arm.random(1), still)
        self.assertTrue(kinematics.twist_body("flange").is_approx(j.Twist()))


class CentreOfMass(KinematicsTest):
    def test_against_the_links(self):
        for robot, kinematics, (q, v, a), _ in self.cases():
            total = np.zeros(3)
            for link in robot.links:
                if kinematics.jacobian_body(link).any():  # the others stand on the ground
                    G = robot.inertia(link)
                    total += G.mass * (kinematics.pose(link) * G.com)
            self.assert_close(kinematics.com(), total / robot.mass, 1e-12, robot)

    def test_against_differences(self):
        for robot, kinematics, state, _ in self.cases():
            at = self.along(robot, state)
            v, a = kinematics.com_velocity(), kinematics.com_acceleration()
            velocity = slope(lambda t: at(t).com())
            acceleration = slope(lambda t: at(t).com_velocity())
            self.assert_close(v, velocity, 1e-9 * (1 + abs(velocity).max()), robot)
            self.assert_close(a, acceleration,
                              1e-8 * (1 + abs(acceleration).max()), robot)
            self.assert_close(kinematics.com_jacobian() @ state[1], v,
                              1e-12 * (1 + abs(v).max()), robot)


class Redundancy(KinematicsTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.kinematics = j.Kinematics(self.arm)
        self.q = self.arm.random(4)
        self.kinematics.at(self.q, self.vector(7))

    def test_manipulability(self):
        J = self.kinematics.jacobian_body("flange")
        w = self.kinematics.manipulability("flange")
        self.assertIsInstance(w, float)
        self.assert_close(w, np.sqrt(np.linalg.det(J @ J.T)))
        twist = self.kinematics.twist_body("flange").vector
        gradient = self.kinematics.manipulability_gradient("flange")
        np.testing.assert_array_equal(self.kinematics.twist_body("flange").vector, twist)
        moved = j.Kinematics(self.arm)
        for k in range(7):
            def along(h, e=np.eye(7)[k]):
                return moved.at(self.q + h * e).manipulability("flange")
            self.assert_close(gradient[k], slope(along), 1e-9)

    def test_null_space_projector(self):
        J = self.kinematics.jacobian_body("flange")
        N = self.kinematics.null_space_projector("flange")
        self.assert_close(N, np.eye(7) - np.linalg.pinv(J) @ J, 1e-10)
        self.assert_close(J @ N, np.zeros((6, 7)), 1e-10)
        self.assert_close(self.kinematics.null_space_projector("flange", 1.5), np.eye(7))


class Messages(KinematicsTest):
    def test_sizes_and_numbers(self):
        arm, dog = j.load("builtin:arm7"), j.load("builtin:quadruped")
        at, q = j.Kinematics(arm).at, arm.neutral()
        self.refused('at: q has 6 elements, robot "arm7" needs 7', at, q[:6])
        self.refused('at: v has 6 elements, robot "arm7" needs 7', at, q, q[:6])
        self.refused('at: a has 8 elements, robot "arm7" needs 7',
                     at, q, q, np.zeros(8))
        self.refused("at: q has shape (1, 7), needs (7,)", at, [q])
        self.refused("at: v has shape (), needs (7,)", at, q, 1.0)
        self.refused("at: q[2] is NaN", at, [0, 0, np.nan, 0, 0, 0, 0])
        self.refused("at: a[0] is infinite", at, q, q, [np.inf] + [0] * 6)
        self.refused('at: q: the quaternion of joint "base" has length 0.000000, needs 1; '
                     'use normalize', j.Kinematics(dog).at, np.zeros(19))
        self.wrong_type("at: q is of type str, needs real numbers of shape (7,)",
                        at, "q")
        self.wrong_type("at: q is an array of complex128, needs real numbers of shape (7,)",
                        at, q.astype(complex))

    def test_frames(self):
        arm = j.load("builtin:arm7")
        kinematics = j.Kinematics(arm).at(arm.neutral(), np.zeros(7))
        for name in "pose", "twist_body", "jacobian_space_rate", "manipulability":
            method = getattr(kinematics, name)
            self.refused('robot "arm7" has no link or frame "tool"; nearest: "base", "link_1", '
                         '"link_2"', method, "tool")
            self.refused(f'{name}: frame is 9, robot "arm7" has 0 to 8', method, 9)
            self.refused(f'{name}: frame is -1, robot "arm7" has 0 to 8', method, -1)
            for wrong, kind in (1.0, "float"), (True, "bool"), (None, "NoneType"):
                self.wrong_type(f"{name}: frame is of type {kind}, needs a name or a number",
                                method, wrong)
        self.refused('jacobian: kind is "world", needs "body", "space" or "hybrid"',
                     kinematics.jacobian, "flange", "world")
        self.refused("null_space_projector: cutoff is -1, needs a number >= 0",
                     kinematics.null_space_projector, "flange", -1)

    def test_no_mass(self):
        bar = j.loads('{"jounce": 1, "name": "bar", "links": [{"name": "a"}, {"name": "b"}], '
                      '"joints": [{"name": "c", "parent": "a", "child": "b", "kind": "free"}]}')
        self.assert_raises(j.ComputationError, 'com: robot "bar" has no moving mass',
                           j.Kinematics(bar).at(bar.neutral()).com)

    def test_a_new_one_has_no_state(self):
        kinematics = j.Kinematics(j.load("builtin:arm7"))
        for name, needs in {
            "pose": "pose: needs a state, call at(q) first",
            "twist_body": "twist_body: needs velocities, call at(q, v) first",
            "jacobian_body": "jacobian: needs a state, call at(q) first",
            "manipulability": "manipulability: needs a state, call at(q) first",
        }.items():
            self.refused(needs, getattr(kinematics, name), "flange")
        self.refused("com: needs a state, call at(q) first", kinematics.com)

    def test_what_was_not_given_is_refused(self):
        arm = j.load("builtin:arm7")
        kinematics, q, v = j.Kinematics(arm), arm.neutral(), np.zeros(7)
        moving = ["twist_body", "twist_space", "twist_hybrid"]
        accelerated = ["spatial_acceleration_body", "spatial_acceleration_space",
                       "classical_acceleration_body", "classical_acceleration_hybrid"]
        kinematics.at(q, v, v)
        for name in moving + accelerated:
            getattr(kinematics, name)("flange")
        kinematics.at(q, v)  # a of the call before does not count
        for name in accelerated:
            self.refused(f"{name}: needs accelerations, call at(q, v, a) first",
                         getattr(kinematics, name), "flange")
        kinematics.com_velocity()
        self.refused("com_acceleration: needs accelerations, call at(q, v, a) first",
                     kinematics.com_acceleration)
        kinematics.at(q)
        for name in moving:
            self.refused(f"{name}: needs velocities, call at(q, v) first",
                         getattr(kinematics, name), "flange")
        self.refused("jacobian_rate: needs velocities, call at(q, v) first",
                     kinematics.jacobian_space_rate, "flange")
        self.refused("com_velocity: needs velocities, call at(q, v) first",
                     kinematics.com_velocity)
        self.refused("at: a is given without v, needs at(q, v, a)", kinematics.at, q, a=v)
        needs = "at: ground is given without v and a, needs at(q, v, a, ground=...)"
        for given in (q,), (q, v):
            self.refused(needs, kinematics.at, *given, ground=np.zeros((2, 6)))


class Threads(KinematicsTest):
    def test_one_robot_many_kinematics(self):
        robot = j.load("builtin:humanoid")
        states = [robot.random(seed) for seed in range(200)]

        def poses(found):
            kinematics = j.Kinematics(robot)
            for q in states:
                found.append(kinematics.at(q).jacobian_hybrid("right_foot"))
        alone, found = [], [[], []]
        poses(alone)
        threads = [threading.Thread(target=poses, args=(list_,)) for list_ in found]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        np.testing.assert_array_equal(found[0], alone)
        np.testing.assert_array_equal(found[1], alone)


if __name__ == "__main__":
    unittest.main()
