# SPDX-License-Identifier: BSD-3-Clause
"""Robots from Python: reading, writing, names, limits, pickling and the configuration manifold."""

import errno
import copy
import json
import pathlib
import pickle
import tempfile
import unittest
import warnings

import jounce as j
import numpy as np
from robots import RobotTest, random_robots

DOOR = """<robot name="door">
  <link name="wall"/>
  <link name="leaf">
    <inertial>
      <mass value="20"/><inertia ixx="7" ixy="0" ixz="0" iyy="8" iyz="0" izz="1.5"/>
    </inertial>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="wall"/><child link="leaf"/><axis xyz="0 0 1"/>
    <limit lower="-0.5" upper="1.6" velocity="2" effort="30"/>
    <dynamics damping="0.5"/>
  </joint>
</robot>
"""
COLOURED = DOOR.replace("  </joint>", '    <colour red="1"/>\n  </joint>')


class Reading(RobotTest):
    def test_bundled(self):
        self.assertIn("arm7", j.builtin_robots())
        for name in j.builtin_robots():
            robot, findings = j.read("builtin:" + name)
            self.assertEqual((robot.name, findings), (name, []))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "door ä.urdf"
            path.write_text(DOOR)
            for same in path, str(path), bytes(path):
                self.assertEqual(j.load(same).to_json(), j.loads(DOOR).to_json())
            written = pathlib.Path(folder) / "door.json"
            written.write_text(j.load(path).to_json())
            self.assertEqual(j.load(written).to_json(), j.load(path).to_json())

    def test_text(self):
        door = j.loads(DOOR)
        self.assertEqual(j.loads(DOOR, "urdf").to_json(), door.to_json())
        self.assertEqual(j.loads(door.to_json(), format="json").to_json(), door.to_json())
        self.assertEqual(j.loads(door.to_urdf()).to_json(), door.to_json())
        for text in "\ufeff \n" + door.to_json(), "\ufeff" + DOOR, DOOR.encode():
            self.assertEqual(j.loads(text).to_json(), door.to_json())

    def test_report(self):
        robot, findings = j.reads(COLOURED)
        self.assertEqual(robot.name, "door")
        self.assertEqual([(x.level, x.kind, x.subject, x.count) for x in findings],
                         [("note", "unknown", "<colour>", 1)])
        self.assertEqual(str(findings[0]), "ignored: 1 <colour> (line 12)")
        self.assertEqual(repr(findings[0]), "Finding(note: ignored: 1 <colour> (line 12))")
        self.assertEqual(findings[0].remedy, "check how it is spelt")
        place = findings[0].places[0]
        self.assertEqual((place.line, place.column, place.name), (12, 5, ""))
        self.assertEqual(repr(place), 'Remark(12:5: <colour> of joint "hinge")')

    def test_warnings(self):
        flat = DOOR.replace('ixx="', 'ixx="9').replace("</robot>", "<gazebo/></robot>")
        with self.assertWarnsRegex(UserWarning, 'door.urdf:[0-9]+:[0-9]+: warning: link "leaf": '
                                                "inertia violates the triangle inequality"):
            robot = j.loads(flat, origin="door.urdf")
        self.assertEqual([(x.kind, x.places[0].name) for x in robot.check()], [("inertia", "leaf")])
        self.assertEqual(j.loads(DOOR).check(), [])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(j.loads(flat, inertia="repair").check(), [])
        self.assertEqual(len(caught), 1)
        self.assertIn("becomes", str(caught[0].message))
        with self.assertRaisesRegex(ValueError, "^door:[0-9]+:[0-9]+: link .* triangle"):
            j.loads(flat, origin="door", inertia="strict")
        self.refused('loads: inertia is "nice", needs "warn", "strict" or "repair"',
                     j.loads, flat, inertia="nice")
        self.refused("strict reading refuses inertias that no rigid body has, and repair changes "
                     "them: needs one of both", j.loads, DOOR, strict=True, inertia="repair")

    def test_all_faults(self):
        faults = DOOR.replace('value="', 'value="x').replace('xyz="', 'xyz="y')
        with self.assertRaises(ValueError) as caught:
            j.loads(faults, origin="door")
        lines = str(caught.exception).split("\n")
        self.assertGreater(len(lines), 1)
        for line in lines:
            self.assertRegex(line, "^door:[0-9]+:[0-9]+: ")

    def test_what_is_ignored(self):
        message = "door.urdf:12:5: note: ignored: 1 <colour>"
        with self.assertWarnsRegex(UserWarning, message) as caught:
            j.loads(COLOURED, origin="door.urdf")
        self.assertEqual(caught.filename, __file__)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "door.urdf"
            path.write_text(COLOURED)
            with self.assertWarnsRegex(UserWarning, message):
                j.load(path)
            self.refused(f'{path}:12:5: <colour> of joint "hinge" would be ignored',
                         j.load, path, strict=True)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                for quiet in (lambda: j.load(path, warn=False), lambda: j.read(path),
                              lambda: j.loads(j.load(path, warn=False).to_json(), strict=True)):
                    quiet()
                self.assertRaises(UserWarning, j.load, path)

    def test_mimic_joints(self):
        coupled = j.generate(bodies=12, mimic=True, seed=3)
        free = j.loads(coupled.to_json(), couple_mimic=False)
        self.assertLess(coupled.nv, 12)
        self.assertEqual(free.nv, 12)
        self.assertEqual(sum(joint.mimic for joint in coupled.joints), 12 - coupled.nv)
        self.assertFalse(any(joint.mimic for joint in free.joints))

    def test_messages(self):
        for read in j.load, j.read:
            self.assert_raises(FileNotFoundError,
                               "no.urdf: cannot be read: No such file or directory", read,
                               "no.urdf")
        self.assert_raises(FileNotFoundError,
                           "arm7: cannot be read: No such file or directory; the bundled robot is "
                           "builtin:arm7", j.load, "arm7")
        with tempfile.TemporaryDirectory() as folder:
            self.assert_raises(IsADirectoryError, f"{folder}: cannot be read: is a folder",
                               j.load, folder)
            with self.assertRaises(OSError) as caught:
                j.load(folder)
            self.assertEqual(caught.exception.errno, errno.EISDIR)
        self.refused('builtin:arm8: there is no bundled robot "arm8"; nearest: "arm7"; there are '
                     + ", ".join(j.builtin_robots()), j.load, "builtin:arm8")
        self.refused("load: path holds a null character", j.load, "a\0b")
        self.refused('loads: format is "sdf", needs "urdf" or "json"', j.loads, DOOR, "sdf")
        self.refused('door.urdf:9:57: joint "hinge": axis (0,0,0) has no direction',
                     j.loads, DOOR.replace("0 0 1", "0 0 0"), origin="door.urdf")
        self.wrong_type('load: path is of type int, needs a path or "builtin:NAME"', j.load, 3)
        self.wrong_type("load: package_folders is of type int, needs a path",
                        j.load, "builtin:arm7", package_folders=[3])
        self.refused('joint "base": URDF has no joint to the world',
                     j.load("builtin:quadruped").to_urdf)


class Loops(RobotTest):
    def test_listed(self):
        loop, = j.load("builtin:four_bar").loops
        self.assertEqual((loop.name, loop.kind, loop.link_1, loop.link_2),
                         ("coupler_rocker", "revolute", "coupler", "rocker"))
        self.assert_close(loop.placement_1.p, [0.3, 0, 0])
        self.assertEqual(repr(loop),
                         'LoopDescription("coupler_rocker", revolute, "coupler", "rocker")')
        self.assertEqual([loop.kind for loop in j.load("builtin:stewart").loops],
                         ["spherical"] * 5)
        self.assertEqual(j.load("builtin:arm7").loops, [])

    def test_gears_and_discs(self):
        robot = json.loads(j.load("builtin:arm7").to_json())
        names = [joint.name for joint in j.load("builtin:arm7").joints]
        robot["loops"] = [{"name": "gear", "kind": "gear", "offset": 0.5,
                           "joints": [{"name": names[0]}, {"name": names[1], "ratio": -2}]},
                          {"name": "disc", "kind": "rolling", "radius": 0.1,
                           "link_2": robot["links"][-1]["name"]}]
        gear, disc = j.loads(json.dumps(robot)).loops
        self.assertEqual((gear.kind, gear.joints, gear.offset),
                         ("gear", [(names[0], 1), (names[1], -2)], 0.5))
        self.assertEqual((disc.kind, disc.radius), ("rolling", 0.1))


class Bushings(RobotTest):
    def test_listed_and_acting(self):
        robot = json.loads(j.load("builtin:arm7").to_json())
        tip = robot["links"][-1]["name"]
        robot["bushings"] = [{"name": "spring", "link_2": tip, "stiffness": [1, 2, 3, 4, 5, 6],
                              "damping": [0, 0, 0, 1, 1, 1]}]
        held = j.loads(json.dumps(robot))
        bushing, = held.bushings
        self.assertEqual((bushing.name, bushing.link_1, bushing.link_2), ("spring", "", tip))
        self.assert_close(bushing.stiffness, [1, 2, 3, 4, 5, 6])
        self.assert_close(bushing.damping, [0, 0, 0, 1, 1, 1])
        self.assertEqual(repr(bushing), f'BushingDescription("spring", "", "{tip}")')
        q, z = np.full(7, 0.3), np.zeros(7)
        dyn, open_ = j.Dynamics(held), j.Dynamics(j.load("builtin:arm7"))
        self.assert_close(dyn.inverse(q, z, z, passive=False),
                          open_.inverse(q, z, z, passive=False))
        force = dyn.inverse(q, z, z) - open_.inverse(q, z, z)
        h = 1e-5
        slope = [(dyn.elastic_energy(q + h * e) - dyn.elastic_energy(q - h * e)) / (2 * h)
                 for e in np.eye(7)]
        np.testing.assert_allclose(force, slope, atol=1e-8)

    DOORS = {"Kinematics": (), "Dynamics": (), "MassFactors": (), "Derivatives": (),
             "SecondDerivatives": (), "Series": (2,), "KinematicSeries": (2,),
             "SeriesDerivatives": (2,), "Regressor": (), "Sensitivity": ([],),
             "InverseKinematics": ()}

    def test_doors_warn_that_they_are_open(self):
        for name, text, they in [("four_bar", "1 loop (coupler_rocker)", "it"),
                                 ("stewart", "5 loops (spherical_2, ...)", "them")]:
            robot = j.load("builtin:" + name)
            for door, given in self.DOORS.items():
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("default")
                    for _ in range(3):
                        getattr(j, door)(robot, *given)
                warning, = caught  # once, though the line ran three times
                self.assertEqual(str(warning.message),
                                 f'robot "{name}": {text} left open, {door} is of the tree; '
                                 f"ConstrainedDynamics closes {they}")
                self.assertIs(warning.category, UserWarning)
                self.assertEqual(warning.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for door, given in self.DOORS.items():
                getattr(j, door)(j.load("builtin:arm7"), *given)
                with self.assertRaises(UserWarning):
                    getattr(j, door)(robot, *given)


class Names(RobotTest):
    def test_door(self):
        door = j.loads(DOOR)
        self.assertEqual((door.name, door.nq, door.nv, door.mass), ("door", 1, 1, 20))
        self.assertEqual(repr(door), 'Robot("door", nq=1, nv=1)')
        self.assertEqual((door.links, door.frames), (["wall", "leaf"], ["wall", "leaf"]))
        self.assert_close(door.gravity, [0, 0, -9.81])
        self.assertEqual(repr(door.joints), '[JointInfo("hinge", revolute, q[0:1], v[0:1])]')
        limits, passive = door.limits, door.passive
        self.assertEqual([*limits.lower, *limits.upper, *limits.velocity, *limits.effort],
                         [-0.5, 1.6, 2, 30])
        self.assertEqual([*passive.damping, *passive.friction, *passive.armature,
                          *passive.stiffness, *passive.rest], [0.5, 0, 0, 0, 0])
        self.assertEqual(door.inertia("leaf").mass, 20)
        self.assertFalse(limits.lower.flags.writeable or door.gravity.flags.writeable)

    def test_slices_cover_all_coordinates(self):
        for robot in random_robots():
            own = [joint for joint in robot.joints if not joint.mimic]
            q, v = np.arange(robot.nq), np.arange(robot.nv)
            self.assertEqual([k for joint in own for k in q[joint.q]], list(q), robot)
            self.assertEqual([k for joint in own for k in v[joint.v]], list(v), robot)
            for joint in robot.joints:
                self.assertEqual(repr(robot.joint(joint.name)), repr(joint))

    def test_frames_are_their_places(self):
        for robot in random_robots():
            self.assertEqual([robot.frame(name) for name in robot.frames],
                             list(range(len(robot.frames))))
            self.assertEqual(robot.frames[:len(robot.links)], robot.links)

    def test_messages(self):
        arm = j.load("builtin:arm7")
        self.refused('robot "arm7" has no link or frame "flang"; nearest: "flange", "base", '
                     '"link_1"', arm.frame, "flang")
        self.refused('robot "arm7" has no moving joint "joint_8"; nearest: "joint_1", "joint_2", '
                     '"joint_3"', arm.joint, "joint_8")
        self.refused('inertia: frame is 9, robot "arm7" has 0 to 8', arm.inertia, 9)
        tooled = j.generate(seed=1)
        self.refused('inertia: "tool" is a frame, needs a link', tooled.inertia, "tool")


class Copies(RobotTest):
    def test_pickling_keeps_every_bit(self):
        for robot in random_robots():
            again = pickle.loads(pickle.dumps(robot))
            self.assertEqual(again.to_json(), robot.to_json())
            np.testing.assert_array_equal(again.random(5), robot.random(5))

    def test_copies(self):
        arm = j.load("builtin:arm7")
        for same in copy.copy(arm), copy.deepcopy(arm):
            self.assertEqual(same.to_json(), arm.to_json())


class Manifold(RobotTest):
    def test_integrate_and_difference(self):
        for robot in random_robots():
            q0, q1, dv = robot.random(1), robot.random(2), 0.3 * self.vector(robot.nv)
            moved = robot.integrate(q0, dv)
            self.assert_close(robot.difference(q0, moved), dv, 1e-12, robot)
            self.assert_close(robot.difference(robot.integrate(q0, robot.difference(q0, q1)), q1),
                              np.zeros(robot.nv), 1e-12, robot)
            self.assert_close(robot.integrate(q0, np.zeros(robot.nv)), q0, 1e-14, robot)

    def test_random_respects_limits(self):
        arm = j.load("builtin:arm7")
        for seed in range(100):
            q = arm.random(seed)
            self.assertTrue(np.all((arm.limits.lower <= q) & (q <= arm.limits.upper)))
        np.testing.assert_array_equal(arm.random(7), arm.random(7))

    def test_normalize(self):
        dog = j.load("builtin:quadruped")
        q = dog.random(1)
        stretched = q.copy()
        stretched[3:7] *= 3
        self.assert_close(dog.normalize(stretched), q, 1e-15)
        self.assertEqual(stretched[3], 3 * q[3])  # the argument stays as it is

    def test_circle(self):
        swing = j.loads("""{"jounce": 1, "name": "swing",
            "links": [{"name": "post"}, {"name": "seat", "mass": 2, "com": [0, 0, -1]}],
            "joints": [{"name": "hinge", "parent": "post", "child": "seat", "kind": "circle",
                        "axes": [[0, 1, 0]], "drag": 0.5}]}""")
        self.assertEqual((swing.nq, swing.nv, swing.joints[0].kind), (2, 1, "circle"))
        np.testing.assert_array_equal(swing.neutral(), [1, 0])
        there = swing.integrate([1, 0], [3.5])
        self.assert_close(there, [np.cos(3.5), np.sin(3.5)], 1e-15)
        self.assert_close(swing.difference([1, 0], there), [3.5 - 2 * np.pi], 1e-15)
        dynamics, q = j.Dynamics(swing), [np.cos(0.3), np.sin(0.3)]
        self.assertEqual(swing.passive.drag, [0.5])
        self.assert_close(dynamics.inverse(q, [-2], [0]), [19.62 * np.sin(0.3) - 2], 1e-14)
        self.refused('inverse: q: the pair (cos, sin) of joint "hinge" has length 2.000000, '
                     "needs 1; use normalize", dynamics.inverse, [2, 0], [0], [0])

    def test_neutral(self):
        dog = j.load("builtin:quadruped")
        np.testing.assert_array_equal(dog.neutral(), [0] * 6 + [1] + [0] * 12)

    def test_messages(self):
        arm, dog = j.load("builtin:arm7"), j.load("builtin:quadruped")
        q, v = dog.neutral(), np.zeros(18)
        self.refused('integrate: q has 6 elements, robot "arm7" needs 7',
                     arm.integrate, v[:6], v[:7])
        self.refused('integrate: dv has 8 elements, robot "arm7" needs 7',
                     arm.integrate, v[:7], v[:8])
        self.refused("integrate: dv[0] is NaN", arm.integrate, v[:7], [np.nan] * 7)
        self.refused("integrate: q has shape (7, 1), needs (7,)",
                     arm.integrate, np.zeros((7, 1)), v[:7])
        self.refused('integrate: q: the quaternion of joint "base" has length 2.000000, needs 1; '
                     'use normalize', dog.integrate, 2 * q, v)
        self.refused("difference: q1[2] is infinite",
                     arm.difference, v[:7], [0, 0, np.inf, 0, 0, 0, 0])
        self.refused('normalize: the quaternion of joint "base" has no direction',
                     dog.normalize, 0 * q)
        self.refused("normalize: q[1] is nan, needs finite numbers",
                     arm.normalize, [0, np.nan, 0, 0, 0, 0, 0])
        self.wrong_type("integrate: q is of type str, needs real numbers of shape (7,)",
                        arm.integrate, "q", v[:7])


if __name__ == "__main__":
    unittest.main()
