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


class DynamicsTest(RobotTest):
    def cases(self):
        """(robot, dynamics at q, v, a; q, v, a; frame) for every robot and three frames of each."""
        for robot in random_robots():
            q, v, a = robot.random(3), self.vector(robot.nv), self.vector(robot.nv)
            dynamics = j.Dynamics(robot)
            for frame in self.numbers.choice(robot.frames, 3):
                dynamics.kinematics(q, v, a)
                yield robot, dynamics, (q, v, a), str(frame)

    def along(self, robot, state):
        """t -> a Dynamics at the time t of the motion that starts with q, v, a."""
        q, v, a = state
        dynamics = j.Dynamics(robot)

        def at(t):
            # v = t v + t^2/2 a is the tangent vector to second order: enough for q'' at t = 0
            dynamics.kinematics(robot.integrate(q, t * v + t**2 / 2 * a), v + t * a)
            return dynamics
        return at


class Poses(DynamicsTest):
    def test_arm_at_zero(self):
        arm = j.load("builtin:arm7")
        dynamics = j.Dynamics(arm)  # stands at neutral
        before = dynamics.pose("flange").matrix
        dynamics.kinematics(arm.neutral())
        np.testing.assert_array_equal(dynamics.pose("flange").matrix, before)
        dynamics.kinematics([np.pi / 2] + [0] * 6)  # the first joint turns everything about z
        turned = j.SE3(j.exp([0, 0, np.pi / 2]), np.zeros(3)) * j.SE3(before)
        self.assertTrue(dynamics.pose("flange").is_approx(turned))

    def test_name_and_number(self):
        for robot, dynamics, _, frame in self.cases():
            for number in robot.frame(frame), np.int64(robot.frame(frame)):
                np.testing.assert_array_equal(dynamics.pose(frame).matrix,
                                              dynamics.pose(number).matrix)

    def test_lists_and_strides(self):
        arm = j.load("builtin:arm7")
        dynamics, q = j.Dynamics(arm), arm.random(1)
        wanted = []
        for same in q, list(q), np.repeat(q, 2)[::2], q.astype(np.longdouble):
            dynamics.kinematics(same)
            wanted.append(dynamics.pose("flange").matrix)
        for found in wanted:
            np.testing.assert_array_equal(found, wanted[0])


class Jacobians(DynamicsTest):
    def test_against_differences_of_poses(self):
        for robot, dynamics, (q, v, a), frame in self.cases():
            J, T = dynamics.jacobian_body(frame), dynamics.pose(frame)
            moved = j.Dynamics(robot)
            for k in range(robot.nv):
                def twist(h, e=np.eye(robot.nv)[k]):
                    moved.kinematics(robot.integrate(q, h * e))
                    return j.log(j.inverse_times(T, moved.pose(frame))).vector
                self.assert_close(J[:, k], slope(twist), 1e-10, (robot, frame, k))

    def test_times_v_is_the_twist(self):
        for robot, dynamics, (q, v, a), frame in self.cases():
            for kind in KINDS:
                J = dynamics.jacobian(frame, kind)
                self.assertEqual(J.shape, (6, robot.nv))
                np.testing.assert_array_equal(J, getattr(dynamics, "jacobian_" + kind)(frame))
                V = getattr(dynamics, "twist_" + kind)(frame)
                self.assert_close(J @ v, V.vector, 1e-12 * (1 + np.abs(v).max() * robot.nv), robot)

    def test_representations(self):
        for robot, dynamics, _, frame in self.cases():
            T, J = dynamics.pose(frame), dynamics.jacobian_body(frame)
            turned = np.kron(np.eye(2), T.R)
            self.assert_close(dynamics.jacobian_space(frame), j.Ad_matrix(T) @ J, 1e-11, robot)
            self.assert_close(dynamics.jacobian_hybrid(frame), turned @ J, 1e-11, robot)

    def test_rates_against_differences(self):
        for robot, dynamics, state, frame in self.cases():
            at = self.along(robot, state)
            for kind in KINDS:
                rate = dynamics.jacobian_rate(frame, kind)
                np.testing.assert_array_equal(
                    rate, getattr(dynamics, f"jacobian_{kind}_rate")(frame))
                found = slope(lambda t, kind=kind: at(t).jacobian(frame, kind))
                self.assert_close(rate, found, 1e-8, (robot, frame, kind))

    def test_results_own_their_numbers(self):
        arm = j.load("builtin:arm7")
        dynamics = j.Dynamics(arm)
        J = dynamics.jacobian_body("flange")
        kept = J.copy()
        dynamics.kinematics(arm.random(1))
        dynamics.jacobian_body("link_3")
        np.testing.assert_array_equal(J, kept)
        J[:] = 0  # and may be written
        del dynamics
        np.testing.assert_array_equal(J, np.zeros((6, 7)))


class Accelerations(DynamicsTest):
    def test_spatial_is_the_derivative_of_the_twist(self):
        for robot, dynamics, state, frame in self.cases():
            at = self.along(robot, state)
            for kind in "body", "space":
                A = getattr(dynamics, "spatial_acceleration_" + kind)(frame)
                found = slope(lambda t, k=kind: getattr(at(t), "twist_" + k)(frame).vector)
                self.assert_close(A.vector, found, 1e-8 * (1 + abs(A.vector).max()), (robot, kind))

    def test_classical_is_the_derivative_of_the_hybrid_twist(self):
        for robot, dynamics, state, frame in self.cases():
            at = self.along(robot, state)
            A = dynamics.classical_acceleration_hybrid(frame)
            found = slope(lambda t: at(t).twist_hybrid(frame).vector)
            self.assert_close(A.vector, found, 1e-8 * (1 + abs(A.vector).max()), robot)
            R, body = dynamics.pose(frame).R, dynamics.classical_acceleration_body(frame)
            self.assert_close(R @ body.w, A.w, 1e-11 * (1 + abs(A.w).max()))
            self.assert_close(R @ body.v, A.v, 1e-11 * (1 + abs(A.v).max()))

    def test_jacobians_and_rates(self):
        for robot, dynamics, (q, v, a), frame in self.cases():
            J, rate = dynamics.jacobian_body(frame), dynamics.jacobian_body_rate(frame)
            A = dynamics.spatial_acceleration_body(frame).vector
            self.assert_close(J @ a + rate @ v, A, 1e-12 * (1 + abs(A).max()), robot)

    def test_missing_v_and_a_are_zero(self):
        for robot, dynamics, (q, v, a), frame in self.cases():
            zero = np.zeros(robot.nv)
            for short, long in ((q,), (q, zero, zero)), ((q, v), (q, v, zero)), \
                               ((q, None, a), (q, zero, a)):
                dynamics.kinematics(*short)
                A = dynamics.spatial_acceleration_body(frame).vector
                dynamics.kinematics(*long)
                np.testing.assert_array_equal(dynamics.spatial_acceleration_body(frame).vector, A)

    def test_moving_ground(self):
        arm = j.load("builtin:arm7")
        dynamics, V_0, Vdot_0 = j.Dynamics(arm), j.Twist(self.vector(6)), j.Twist(self.vector(6))
        dynamics.kinematics(arm.random(1), ground=(V_0, Vdot_0))
        T = dynamics.pose("flange")
        self.assertTrue(dynamics.twist_body("flange").is_approx(j.Ad_inv(T, V_0)))
        self.assertTrue(dynamics.spatial_acceleration_body("flange")
                        .is_approx(j.Ad_inv(T, Vdot_0)))
        dynamics.kinematics(arm.random(1))
        self.assertTrue(dynamics.twist_body("flange").is_approx(j.Twist()))


class CentreOfMass(DynamicsTest):
    def test_against_the_links(self):
        for robot, dynamics, (q, v, a), _ in self.cases():
            total = np.zeros(3)
            for link in robot.links:
                if dynamics.jacobian_body(link).any():  # the others stand on the ground
                    G = robot.inertia(link)
                    total += G.mass * (dynamics.pose(link) * G.com)
            self.assert_close(dynamics.com().position, total / robot.mass, 1e-12, robot)

    def test_against_differences(self):
        for robot, dynamics, state, _ in self.cases():
            at = self.along(robot, state)
            com = dynamics.com()
            velocity = slope(lambda t: at(t).com().position)
            acceleration = slope(lambda t: at(t).com().velocity)
            self.assert_close(com.velocity, velocity, 1e-9 * (1 + abs(velocity).max()), robot)
            self.assert_close(com.acceleration, acceleration,
                              1e-8 * (1 + abs(acceleration).max()), robot)
            self.assert_close(dynamics.com_jacobian() @ state[1], com.velocity,
                              1e-12 * (1 + abs(com.velocity).max()), robot)


class Redundancy(DynamicsTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.dynamics = j.Dynamics(self.arm)
        self.q = self.arm.random(4)
        self.dynamics.kinematics(self.q, self.vector(7))

    def test_manipulability(self):
        J = self.dynamics.jacobian_body("flange")
        w = self.dynamics.manipulability("flange")
        self.assertIsInstance(w, float)
        self.assert_close(w, np.sqrt(np.linalg.det(J @ J.T)))
        twist = self.dynamics.twist_body("flange").vector
        gradient = self.dynamics.manipulability_gradient("flange")
        np.testing.assert_array_equal(self.dynamics.twist_body("flange").vector, twist)
        moved = j.Dynamics(self.arm)
        for k in range(7):
            def along(h, e=np.eye(7)[k]):
                moved.kinematics(self.q + h * e)
                return moved.manipulability("flange")
            self.assert_close(gradient[k], slope(along), 1e-9)

    def test_null_space_projector(self):
        J, N = self.dynamics.jacobian_body("flange"), self.dynamics.null_space_projector("flange")
        self.assert_close(N, np.eye(7) - np.linalg.pinv(J) @ J, 1e-10)
        self.assert_close(J @ N, np.zeros((6, 7)), 1e-10)
        self.assert_close(self.dynamics.null_space_projector("flange", 1.5), np.eye(7))


class Forces(DynamicsTest):
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


class Messages(DynamicsTest):
    def test_sizes_and_numbers(self):
        arm, dog = j.load("builtin:arm7"), j.load("builtin:quadruped")
        kinematics, q = j.Dynamics(arm).kinematics, arm.neutral()
        self.refused('kinematics: q has 6 elements, robot "arm7" needs 7', kinematics, q[:6])
        self.refused('kinematics: v has 6 elements, robot "arm7" needs 7', kinematics, q, q[:6])
        self.refused('kinematics: a has 8 elements, robot "arm7" needs 7',
                     kinematics, q, q, np.zeros(8))
        self.refused("kinematics: q has shape (1, 7), needs (7,)", kinematics, [q])
        self.refused("kinematics: v has shape (), needs (7,)", kinematics, q, 1.0)
        self.refused("kinematics: q[2] is NaN", kinematics, [0, 0, np.nan, 0, 0, 0, 0])
        self.refused("kinematics: a[0] is infinite", kinematics, q, q, [np.inf] + [0] * 6)
        self.refused('kinematics: q: the quaternion of joint "base" has length 0.000000, needs 1; '
                     'use normalize', j.Dynamics(dog).kinematics, np.zeros(19))
        self.wrong_type("kinematics: q is of type str, needs real numbers of shape (7,)",
                        kinematics, "q")
        self.wrong_type("kinematics: q is an array of complex128, needs real numbers of shape (7,)",
                        kinematics, q.astype(complex))

    def test_frames(self):
        dynamics = j.Dynamics(j.load("builtin:arm7"))
        for name in "pose", "twist_body", "jacobian_space_rate", "manipulability":
            method = getattr(dynamics, name)
            self.refused('robot "arm7" has no link or frame "tool"; nearest: "base", "link_1", '
                         '"link_2"', method, "tool")
            self.refused(f'{name}: frame is 9, robot "arm7" has 0 to 8', method, 9)
            self.refused(f'{name}: frame is -1, robot "arm7" has 0 to 8', method, -1)
            for wrong, kind in (1.0, "float"), (True, "bool"), (None, "NoneType"):
                self.wrong_type(f"{name}: frame is of type {kind}, needs a name or a number",
                                method, wrong)
        self.refused('jacobian: kind is "world", needs "body", "space" or "hybrid"',
                     dynamics.jacobian, "flange", "world")
        self.refused("null_space_projector: cutoff is -1, needs a number >= 0",
                     dynamics.null_space_projector, "flange", -1)

    def test_no_mass(self):
        bar = j.loads('{"jounce": 1, "name": "bar", "links": [{"name": "a"}, {"name": "b"}], '
                      '"joints": [{"name": "c", "parent": "a", "child": "b", "kind": "free"}]}')
        self.assert_raises(j.ComputationError, 'com: robot "bar" has no moving mass',
                           j.Dynamics(bar).com)


class Threads(DynamicsTest):
    def test_one_robot_many_dynamics(self):
        robot = j.load("builtin:humanoid")
        states = [robot.random(seed) for seed in range(200)]

        def poses(found):
            dynamics = j.Dynamics(robot)
            for q in states:
                dynamics.kinematics(q)
                found.append(dynamics.jacobian_hybrid("right_foot"))
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
