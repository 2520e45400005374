# SPDX-License-Identifier: BSD-3-Clause
"""What surrounds a robot in a call: wrenches, the ground, passive forces and gravity."""

import json
import unittest

import jounce as j
import numpy as np
from robots import RobotTest, random_robots


def without_passive(robot):
    """The same robot without damping, friction and springs; rotors stay."""
    description = json.loads(robot.to_json())
    for joint in description["joints"]:
        for name in "damping", "friction", "stiffness", "rest":
            joint.pop(name, None)
    return j.loads(json.dumps(description))


class SurroundingsTest(RobotTest):
    def cases(self):
        """(robot, doors, (q, v, a))."""
        for robot in random_robots():
            state = robot.random(3), self.vector(robot.nv), self.vector(robot.nv)
            yield robot, self.doors(robot), state

    def everything(self, robot):
        return {"wrenches": [(robot.frames[-1], self.vector(6), "hybrid")],
                "ground": (self.vector(6), self.vector(6)), "passive": False, "gravity": False}

    def doors(self, robot):
        return j.Dynamics(robot), j.Derivatives(robot), j.SecondDerivatives(robot)

    def answers(self, doors, state, **around):
        """What calls with surroundings find, by their names."""
        dynamics, derivatives, second = doors
        q, v, a = state
        flags = np.arange(len(v)) % 2 == 0
        found = {"joint_wrenches": dynamics.joint_wrenches(q, v, a, **around).ground.vector}
        for door, calls in {
            dynamics: {"inverse": (q, v, a), "forward": (q, v, a), "hybrid": (flags, q, v, a, a),
                       "power_balance": (q, v, a)},
            derivatives: {"inverse": (q, v, a), "forward": (q, v, a),
                          "hybrid": (flags, q, v, a, a),
                          "inverse_vector_jacobian": (a, q, v, a),
                          "forward_vector_jacobian": (a, q, v, a),
                          "inverse_jacobian_vector": (q, v, a, a, v, a),
                          "forward_jacobian_vector": (q, v, a, a, v, a)},
            second: {"inverse": (q, v, a), "forward": (q, v, a),
                     "inverse_products": (a, q, v, a), "forward_products": (a, q, v, a)},
        }.items():
            for name, arguments in calls.items():
                answer = getattr(door, name)(*arguments, **around)
                found[f"{type(door).__name__}.{name}"] = np.concatenate(
                    [np.ravel(x) for x in answer])
        found["linearise"] = j.linearise(derivatives, q, v, a, **around).A
        return found

    def assert_same(self, found, expected, message, tolerance=1e-9):
        for name, x in found.items():
            size = 1 + np.abs(expected[name]).max()
            self.assert_close(x, expected[name], tolerance * size, (name, message))


class Memory(SurroundingsTest):
    def test_nothing_is_remembered(self):
        for robot, doors, state in self.cases():
            before = self.answers(doors, state)
            self.answers(doors, state, **self.everything(robot))
            for name, x in self.answers(doors, state).items():
                np.testing.assert_array_equal(x, before[name], f"{name} {robot}")

    def test_nor_by_kinematics_and_series(self):
        arm = j.load("builtin:arm7")
        kinematics, frames = j.Kinematics(arm), j.KinematicSeries(arm, 3)
        series, derivatives = j.Series(arm, 2), j.SeriesDerivatives(arm, 2)
        q, motion = arm.random(1), self.numbers.normal(size=(7, 4))
        outside = {"wrenches": [("flange", self.numbers.normal(size=(2, 6)))],
                   "ground": self.numbers.normal(size=(3, 6)), "passive": False, "gravity": False,
                   "joint_torques": self.numbers.normal(size=(7, 2))}

        def answers(ground=None, **around):
            kinematics.at(q, *motion.T[:2], ground=None if ground is None else ground[:2])
            frames.at(q, motion, ground=ground)
            partials = derivatives.inverse(q, motion, ground=ground, **around)
            return [kinematics.twist_body("flange").vector,
                    kinematics.spatial_acceleration_body("flange").vector,
                    frames.twist("flange", "space", 2).vector,
                    series.inverse(q, motion, ground=ground, **around),
                    series.forward(q, motion[:, 0], motion[:, 1:], ground=ground, **around),
                    partials.series(), partials(2, 0)]
        before, with_all, after = answers(), answers(**outside), answers()
        for x, other, again in zip(before, with_all, after):
            self.assertGreater(abs(x - other).max(), 1e-3)
            np.testing.assert_array_equal(again, x)

    def test_every_argument_counts(self):
        arm = j.generate(bodies=6, passive=True, seed=2)
        doors = self.doors(arm)
        state = arm.random(3), self.vector(arm.nv), self.vector(arm.nv)
        plain = self.answers(doors, state)
        for name, value in self.everything(arm).items():
            for call, found in self.answers(doors, state, **{name: value}).items():
                if (name, call) != ("passive", "joint_wrenches"):  # within joints, given a
                    change = np.abs(np.subtract(found, plain[call])).max()
                    self.assertGreater(change, 1e-6, (name, call))


class PassiveForces(SurroundingsTest):
    def test_against_a_robot_without(self):
        for robot, doors, state in self.cases():
            expected = self.answers(self.doors(without_passive(robot)), state)
            self.assert_same(self.answers(doors, state, passive=False), expected, robot)


class Gravity(SurroundingsTest):
    def test_against_a_weightless_robot(self):
        for robot, doors, state in self.cases():
            expected = self.answers(self.doors(j.with_gravity(robot, [0, 0, 0])), state)
            self.assert_same(self.answers(doors, state, gravity=False), expected, robot)

    def test_what_it_adds(self):
        for robot, (dynamics, *_), (q, v, a) in self.cases():
            for v, a in (v, a), (0 * v, 0 * a):
                tau, g = dynamics.inverse(q, v, a), dynamics.gravity(q)
                self.assert_close(tau - dynamics.inverse(q, v, a, gravity=False), g,
                                  1e-12 * (1 + abs(tau).max() + abs(g).max()), robot)
            still = dynamics.inverse(q, v, a, passive=False, gravity=False)
            self.assert_close(still, 0, 1e-12 * (1 + abs(g).max()), robot)

    def test_a_falling_ground_undoes_it(self):
        for robot, (dynamics, *_), state in self.cases():
            fallen = dynamics.inverse(*state, ground=(j.Twist(), [0, 0, 0, *robot.gravity]))
            weightless = dynamics.inverse(*state, gravity=False)
            self.assert_close(fallen, weightless, 1e-11 * (1 + abs(weightless).max()), robot)


class MovingGround(SurroundingsTest):
    """Against the robot on a free base that is prescribed to move as the ground does."""

    def pairs(self):
        """(fixed, its state; free, its state; ground): at this instant both bases stand alike."""
        for robot in random_robots():
            fixed, free = j.with_base(robot, "fixed"), j.with_base(robot, "free")
            q, v, a = fixed.random(3), self.vector(fixed.nv), self.vector(fixed.nv)
            ground = self.vector(6), self.vector(6)
            carried = (np.concatenate([free.neutral()[:7], q]), np.concatenate([ground[0], v]),
                       np.concatenate([ground[1], a]))
            yield j.Dynamics(fixed), (q, v, a), j.Dynamics(free), carried, ground

    def test_forces(self):
        for fixed, state, free, carried, ground in self.pairs():
            for around in {}, {"passive": False}, {"gravity": False}:
                found = fixed.inverse(*state, ground=ground, **around)
                expected = free.inverse(*carried, **around)[6:]
                self.assert_close(found, expected, 1e-11 * (1 + abs(expected).max()), fixed.robot)
                tau = np.concatenate([np.zeros(6), found])
                prescribed = np.arange(len(tau)) < 6
                a = free.hybrid(prescribed, *carried, tau, **around)[0][6:]
                again = fixed.forward(*state[:2], found, ground=ground, **around)
                size = 1 + abs(fixed.mass(state[0])).max() * max(abs(a).max(), abs(again).max())
                self.assert_close(fixed.mass(state[0]) @ (again - a), 0, 1e-10 * size, fixed.robot)

    def test_bias(self):
        for fixed, (q, v, a), free, _, ground in self.pairs():
            still = fixed.inverse(q, v, 0 * a, ground=ground, passive=False)
            size = 1 + abs(still).max()
            self.assert_close(fixed.bias(q, v, ground=ground), still, 1e-11 * size, fixed.robot)

    def test_motions(self):
        for fixed, state, free, carried, ground in self.pairs():
            fixed, free = j.Kinematics(fixed.robot), j.Kinematics(free.robot).at(*carried)
            as_twists = tuple(j.Twist(x) for x in ground)
            for pair in ground, as_twists, np.array(ground), [list(x) for x in ground]:
                fixed.at(*state, ground=pair)
                for frame in fixed.robot.links:
                    for what in "twist_hybrid", "spatial_acceleration_body":
                        x = getattr(free, what)(frame).vector
                        self.assert_close(getattr(fixed, what)(frame).vector, x,
                                          1e-11 * (1 + abs(x).max()), (what, frame))

    def test_momentum_and_energy(self):
        for fixed, (q, v, a), _, _, ground in self.pairs():
            robot = fixed.robot
            balance = fixed.power_balance(q, v, a, ground=ground)
            rates = balance.kinetic_rate, balance.potential_rate
            self.assertEqual(fixed.energy_rate(q, v, a, ground=ground), rates)
            size = 1 + sum(abs(x) for x in balance)
            self.assert_close(balance.residual, 0, 1e-10 * size, robot)
            self.assertNotEqual(balance.ground, 0)
            momentum, com = fixed.momentum(q, v, ground=ground)
            expected = robot.mass * j.Kinematics(robot).at(q, v, a, ground=ground).com_velocity()
            self.assert_close(momentum.f, expected, 1e-11 * (1 + abs(expected).max()), robot)
            kinetic, potential = fixed.energy(q, v, ground=ground)
            self.assertNotEqual(kinetic, fixed.energy(q, v)[0])
            self.assertEqual(potential, fixed.energy(q, v)[1])

    def test_derivatives_of_momentum_and_energy(self):
        for fixed, (q, v, a), _, _, ground in self.pairs():
            h, dv, derivatives = 1e-5, self.vector(len(v)), j.Derivatives(fixed.robot)

            def along(f):
                return (f(v + h * dv) - f(v - h * dv)) / (2 * h)
            slope = along(lambda x: fixed.momentum(q, x, ground=ground)[0].vector)
            found = derivatives.momentum(q, v, a, ground=ground).momentum_dv @ dv
            self.assert_close(found, slope, 1e-7 * (1 + abs(slope).max()), fixed.robot)
            slope = along(lambda x: fixed.energy(q, x, ground=ground)[0])
            found = derivatives.energy(q, v, ground=ground).kinetic_dv @ dv
            self.assert_close(found, slope, 1e-7 * (1 + abs(slope) + abs(found)), fixed.robot)

    def test_zero_moment_point(self):
        dog = j.load("builtin:quadruped")
        dynamics, q, zero = j.Dynamics(dog), dog.neutral(), np.zeros(dog.nv)
        x, y, z = j.Kinematics(dog).at(q).com()
        point = dynamics.zero_moment_point(q, zero, zero, ground=(np.zeros(6), [0, 0, 0, 2, 0, 0]))
        self.assert_close(point, [x + 2 / dog.gravity[2] * z, y, 0])

    def test_regressors(self):
        arm = j.load("builtin:arm7")
        dynamics, regressor = j.Dynamics(arm), j.Regressor(arm)
        q, v, ground = arm.random(1), self.vector(7), (self.vector(6), self.vector(6))
        pi = regressor.parameters()
        kinetic, potential = dynamics.energy(q, v, ground=ground)
        self.assert_close(regressor.energy(q, v, ground=ground) @ pi, [kinetic, potential], 1e-11)
        momentum, _ = dynamics.momentum(q, v, ground=ground)
        self.assert_close((regressor.momentum(q, v, ground=ground) @ pi)[3:], momentum.f, 1e-11)


class Messages(SurroundingsTest):
    def test_grounds(self):
        arm = j.load("builtin:arm7")
        dynamics, derivatives, regressor = j.Dynamics(arm), j.Derivatives(arm), j.Regressor(arm)
        q, six = np.zeros(7), np.zeros(6)
        for name, call in {
            "inverse": lambda x: dynamics.inverse(q, q, q, ground=x),
            "at": lambda x: j.Kinematics(arm).at(q, q, q, ground=x),
            "energy": lambda x: dynamics.energy(q, q, ground=x),
            "regressor": lambda x: regressor.force(q, q, q, ground=x),
            "linearise": lambda x: j.linearise(derivatives, q, q, q, ground=x),
        }.items():
            needs = f"{name}: ground needs a pair (V, Vdot) of twists"
            for wrong in j.Twist(), six, [six], (six, six, six), 1.0, np.array(1.0), {}, True, ():
                self.wrong_type(needs, call, wrong)
            self.refused(f"{name}: ground[1] has shape (5,), needs (6,) or a Twist", call,
                         (six, np.zeros(5)))
            self.refused(f"{name}: ground[0][2] is nan, needs finite numbers", call,
                         ([0, 0, np.nan, 0, 0, 0], six))
            self.wrong_type(f"{name}: ground[0] is of type Wrench, needs real numbers of shape "
                            "(6,) or a Twist", call, (j.Wrench(), six))
            self.wrong_type(f"{name}: ground[0] is a masked array, needs plain numbers", call,
                            np.ma.array(np.zeros((2, 6)), mask=np.ones((2, 6))))

    def test_words_come_by_name(self):
        arm = j.load("builtin:arm7")
        dynamics, q, ground = j.Dynamics(arm), np.zeros(7), np.zeros((2, 6))
        for call, given in ((dynamics.inverse, (q, q, q, (), ground)),
                            (dynamics.energy, (q, q, ground)),
                            (j.Kinematics(arm).at, (q, q, q, ground)),
                            (j.Series(arm, 1).inverse, (q, np.zeros((7, 2)), (), ground))):
            with self.assertRaisesRegex(TypeError, "incompatible function arguments"):
                call(*given)


if __name__ == "__main__":
    unittest.main()
