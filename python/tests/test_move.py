# SPDX-License-Identifier: BSD-3-Clause
"""Moves of robots: what they take agrees with other doors and with differences; their pictures."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
import xml.etree.ElementTree as xml

import jounce as j
import numpy as np
from robots import RobotTest, random_robots

SVG = "{http://www.w3.org/2000/svg}"


class Moves(RobotTest):
    def setUp(self):
        super().setUp()
        self.arm = j.load("builtin:arm7")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name, name)

    def test_as_a_program(self):
        """python3 -m jounce: for those who installed the module alone."""
        def run(*arguments):
            return subprocess.run([sys.executable, "-m", "jounce", *map(str, arguments)],
                                  capture_output=True, text=True, check=False)
        svg, csv = self.path("one.svg"), self.path("one.csv")
        found = run("plot", "builtin:arm7", "--duration", "0.2", "--out", svg, "--csv", csv)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertIn("velocity", found.stdout)  # it is too fast
        self.assertIn("dτ/dt", svg.read_text())
        self.assertEqual(run("plot", "builtin:arm7", "--motion", csv, "--out", svg).returncode, 0)
        table, page = self.path("two.csv"), self.path("one.html")
        run("plot", "builtin:arm7", "--duration", "0.2", "-o", table)
        self.assertEqual(table.read_text(), csv.read_text())
        self.assertEqual(run("plot", "builtin:arm7", "--out", page).returncode, 0)
        self.assertTrue(page.read_text().startswith("<!DOCTYPE html>"))
        self.assertIn("needs an ending .svg or .html",
                      run("plot", "builtin:arm7", "--out", self.path("one.pdf")).stderr)
        self.assertEqual(run("draw", "builtin:five_bar", "--out", svg).returncode, 0)
        self.assertIn("<polygon", svg.read_text())
        found = run("plot", "builtin:arm7", "--out", svg)  # slow enough
        self.assertEqual((found.returncode, found.stdout), (0, f"{svg}\n"))
        found = run("plot", "none.urdf")
        self.assertEqual(found.returncode, 1)
        self.assertIn("jounce: none.urdf: cannot be read", found.stderr)
        found = run("plot", "builtin:arm7", "--to", "1,2")
        self.assertEqual(found.returncode, 1)
        self.assertTrue(found.stderr.startswith("jounce: "))

        self.assertEqual(run("--version").stdout, f"jounce {j.__version__}\n")
        for words, text in {("plto", "a.urdf"): 'there is no command "plto"; nearest: "plot"',
                            ("xyz",): 'there is no command "xyz"; there are plot, draw',
                            ("plot", "a.urdf", "--duraton", "1"):
                                'there is no option "--duraton"; nearest: "--duration"',
                            ("plot", "a.urdf", "b.urdf"): 'there is no use for "b.urdf"'}.items():
            found = run(*words)
            self.assertEqual((found.returncode, found.stderr[:len(text) + 8]),
                             (2, "jounce: " + text))
            self.assertEqual(found.stderr.count("\n"), 1)
        urdf = self.path("mesh.urdf")
        urdf.write_text('<robot name="r"><link name="a"><visual><geometry><mesh filename="no.stl"/>'
                        "</geometry></visual></link></robot>")
        told = run("draw", urdf, "--out", svg).stderr
        self.assertTrue(told.startswith('jounce: robot "r": 1 mesh is not drawn: '), told)
        self.assertEqual(told.count("\n"), 1, told)

    def test_moves_of_numbers_and_of_configurations(self):
        self.assertIsInstance(j.septic(0, 1, 2), j.PiecewisePolynomial)
        self.assertIsInstance(j.septic([0.0], [1.0], 2), j.Move)  # of one joint
        move = j.septic(self.arm.neutral(), self.arm.random(3), duration=2.0)
        self.assertEqual((move.size, move.start, move.end), (7, 0, 2))
        ends = move([0.0, 2.0], order=3)
        self.assertEqual(ends.shape, (2, 4, 7))
        self.assert_close(ends[0], 0)
        self.assert_close(ends[1], [self.arm.random(3), *np.zeros((3, 7))])
        self.assertEqual(move(0.5).shape, (1, 7))
        h = 1e-4
        differences = (move([1 + h, 1 - h], 2)[0] - move([1 + h, 1 - h], 2)[1]) / (2 * h)
        self.assert_close(differences, move(1.0, 3)[1:], 1e-5)  # h^2 times a fifth derivative

    def test_splines_and_interpolation(self):
        times, points = [0, 0.4, 1.5], self.numbers.normal(size=(3, 7))
        move = j.spline(times, points)
        self.assert_close(move(times)[:, 0], points, 1e-10)
        self.assert_close(move([0, 1.5], 3)[:, 1:], 0, 1e-8)
        jumps = move([0.4 - 1e-9, 0.4 + 1e-9], 6)
        # smooth to derivative 6, whose neighbour times 2e-9 is the difference
        self.assert_close(jumps[0], jumps[1], 1e-5 * np.abs(jumps).max())
        q, v, a = self.numbers.normal(size=(3, 3, 7))
        self.assert_close(j.interpolate(times, q, v, a)(times, 2), np.stack([q, v, a], 1), 1e-9)
        self.assert_close(j.interpolate(times, q, v)(times, 1), np.stack([q, v], 1), 1e-10)

    def test_forces_are_those_of_dynamics(self):
        arm, move = self.arm, j.septic(self.arm.random(1), self.arm.random(2), 1.3)
        run = j.along(arm, move, points=11, frames=["flange", 2])
        self.assert_close(run.t, np.linspace(0, 1.3, 11))
        dynamics = j.Dynamics(arm)
        self.assert_close(run.tau, dynamics.inverse(run.q, run.v, run.a), 1e-10)
        h = 1e-4
        before, after = (j.Dynamics(arm).inverse(*(move(run.t[1:-1] + s, 2)[:, k]
                                                   for k in range(3))) for s in (-h, h))
        self.assert_close((after - before) / (2 * h), run.tau_rate[1:-1], 2e-3)  # h^2 tau'''
        energy = np.array([dynamics.energy(*x) for x in zip(run.q, run.v)])
        self.assert_close(np.stack([run.kinetic, run.potential], 1), energy, 1e-10)
        kinematics = j.Kinematics(arm)
        for i, q in enumerate(run.q):
            self.assert_close(run.poses["flange"][i], kinematics.at(q).pose("flange").matrix)
        self.assertEqual(list(run.poses), ["flange", arm.frames[2]])
        self.assertEqual(len(run), 11)

    def test_robots_of_all_joint_kinds(self):
        for robot in random_robots():
            if robot.loops:
                continue  # below
            start, end = robot.random(1), robot.random(2)
            run = j.along(robot, j.septic(start, end, 2.0), points=401, passive=False)
            self.assert_close(run.q[0], start, 1e-12, robot)
            self.assert_close(robot.difference(run.q[-1], end), 0, 1e-9, robot)
            h = run.t[1]
            for i in (100, 200, 333):  # differences along the manifold
                v = robot.difference(run.q[i - 1], run.q[i + 1]) / (2 * h)
                self.assert_close(v, run.v[i], 1e-3 * (1 + np.abs(v).max()), robot)
                for x, rate in ((run.v, run.a), (run.a, run.jerk), (run.tau, run.tau_rate)):
                    difference = (x[i + 1] - x[i - 1]) / (2 * h)
                    scale = 1 + np.abs(rate).max() + np.abs(x).max()
                    self.assert_close(difference, rate[i], 3e-3 * scale, robot)

    def test_work_is_energy(self):
        run = j.along(self.arm, j.septic(self.arm.random(5), self.arm.random(6), 1.0),
                      points=4001, passive=False)
        power = (run.tau * run.v).sum(axis=1)
        work = np.sum((power[1:] + power[:-1]) / 2) * run.t[1]
        energy = run.kinetic + run.potential
        self.assert_close(work, energy[-1] - energy[0], 1e-5 * np.abs(energy).max())

    def test_limits(self):
        text = self.arm.to_json()
        run = j.along(self.arm, j.septic(self.arm.neutral(), self.arm.random(3), 0.05))
        kinds = {(x.joint, x.kind) for x in run.exceeded()}
        limits = self.arm.limits
        for k, joint in enumerate(self.arm.joints):
            for kind, values, limit in (("velocity", run.v, limits.velocity),
                                        ("effort", run.tau, limits.effort)):
                self.assertEqual(((joint.name, kind) in kinds),
                                 bool(np.abs(values[:, k]).max() > limit[k]), (joint, kind))
        worst = next(x for x in run.exceeded() if x.kind == "effort")
        column = run.tau[:, [x.name for x in self.arm.joints].index(worst.joint)]
        self.assertEqual(abs(worst.value), np.abs(column).max())
        self.assertEqual(j.along(self.arm, j.septic(self.arm.neutral(), self.arm.neutral(), 1))
                         .exceeded(), [])
        self.assertEqual(text, self.arm.to_json())

    def test_tables_come_back(self):
        run = j.along(self.arm, j.septic(self.arm.neutral(), self.arm.random(3), 2.0), points=21)
        for name, write in (("run.csv", run.to_csv), ("run.npz", run.to_npz)):
            write(self.path(name))
            again = j.along(self.arm, j.load_motion(self.arm, self.path(name)), points=21)
            self.assert_close(again.tau, run.tau, 1e-9, name)
            self.assert_close(again.tau_rate, run.tau_rate, 1e-7, name)
        with np.load(self.path("run.npz")) as file:
            self.assert_close(file["tau_rate"], run.tau_rate)
            self.assertEqual(list(file["v_names"]), [x.name for x in self.arm.joints])
        table = np.genfromtxt(self.path("run.csv"), delimiter=",", names=True, deletechars="")
        self.assert_close(table["tau." + self.arm.joints[1].name], run.tau[:, 1])
        np.savez(self.path("own.npz"), t=[0.0, 1.0, 2.0], q=self.numbers.normal(size=(3, 7)))
        self.assertEqual(j.load_motion(self.arm, str(self.path("own.npz"))).end, 2)

    def test_bad_tables(self):
        joint = self.arm.joints[0].name
        head = "t," + ",".join(x.name for x in self.arm.joints)
        row = ",0" * 7 + "\n"
        for text, message in (
                ("a,b\n1,2\n", 'is no table of a motion: there is no column "t"'),
                (head[2:] + "\n" + row[1:], 'is no motion: there are no times "t"'),
                (head.replace(joint, "jont") + f"\n0{row}1{row}", "jont"),
                (head.replace("," + joint, "") + "\n", f'column "q.{joint}" is missing'),
                (head + f"\n0{row}", "has 1 rows, a motion needs 2"),
                (head + f"\n0{row}0{row}", "t is 0 in row 2, needs more than 0"),
                (head + "\n0,x" + ",0" * 6 + "\n", "x")):
            self.path("bad.csv").write_text(text)
            with self.assertRaises(j.InputError) as raised:
                j.load_motion(self.arm, self.path("bad.csv"))
            self.assertIn("bad.csv", str(raised.exception))
            self.assertIn(message, str(raised.exception))
        drone = j.load("builtin:quadruped")
        with self.assertRaisesRegex(j.InputError, "no rates of its coordinates"):
            j.along(drone, j.spline([0, 1], np.array([drone.neutral()] * 2)))
        with self.assertRaisesRegex(j.InputError, 'the move has 2 coordinates, robot "arm7" has 7'):
            j.along(self.arm, j.septic([0, 0], [1, 1], 1))
        with self.assertRaisesRegex(j.InputError, "needs at least 2"):
            j.along(self.arm, j.septic(self.arm.neutral(), self.arm.neutral(), 1), points=1)

    def test_pictures(self):
        run = j.along(self.arm, j.septic(self.arm.neutral(), self.arm.random(3), 1.0))
        picture = run.plot(self.path("torque.svg"))
        self.assertEqual(self.path("torque.svg").read_text(), str(picture))
        self.assertEqual(picture._repr_svg_(), run._repr_svg_())
        root = xml.fromstring(picture.svg)
        self.assertEqual(len(root.findall(SVG + "svg")), 4)  # q, tau, tau', energy
        for joint in self.arm.joints:
            self.assertIn(joint.name, picture.svg)
        with self.assertRaises(OSError):
            run.plot(self.path("no/such/folder.svg"))
        for write in (run.plot, picture.save, lambda path: self.arm.draw(path=path)):
            write(self.path("p.html"))
            page = self.path("p.html").read_text()
            self.assertTrue(page.startswith("<!DOCTYPE html>") and "<svg" in page)
            for name in ("p.png", "p.csv", "p.svgz"):
                with self.assertRaisesRegex(j.InputError, "needs an ending .svg or .html"):
                    write(self.path(name))
                self.assertFalse(self.path(name).exists())
        run.plot(self.path("p.html"))
        self.assertIn("Largest values along the move", self.path("p.html").read_text())
        for name in j.builtin_robots():
            robot = j.load("builtin:" + name)
            drawing = xml.fromstring(robot.draw().svg)
            self.assertGreater(len(list(drawing.iter(SVG + "polygon"))), 5, name)
            self.assertEqual(len(list(drawing.iter(SVG + "circle"))), len(robot.loops), name)
        self.assertNotEqual(str(self.arm.draw(self.arm.random(1))), str(self.arm.draw()))
        self.assertNotEqual(str(self.arm.draw(view=(0, 90))), str(self.arm.draw()))
        self.assert_raises(j.InputError, 'draw: q has 2 elements, robot "arm7" needs 7',
                           self.arm.draw, [0, 0])

    def test_loops_are_closed(self):
        linkage = j.load("builtin:five_bar")
        goal = linkage.closed() + 0.2 * linkage.actuated
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run = j.along(linkage, j.septic(linkage.closed(), goal, 1.0), points=11)
        dynamics = j.ConstrainedDynamics(linkage)
        self.assertEqual(run.leading, [x.name for x in linkage.joints if linkage.actuated[x.v][0]])
        for q, v, a, tau in zip(run.q, run.v, run.a, run.tau):
            self.assert_close(dynamics.closure(q), 0, 1e-12)
            self.assert_close(dynamics.forward(q, v, tau).a, a, 1e-8)
        self.assert_close(run.q[-1][linkage.actuated], goal[linkage.actuated])
        still = j.septic(self.arm.neutral(), self.arm.neutral(), 1)
        self.assertEqual(j.along(self.arm, still).leading, [x.name for x in self.arm.joints])

    def test_meshes_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
            (folder / "body.obj").write_text(corners + "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
            (folder / "robot.urdf").write_text(
                '<robot name="r"><link name="a"><visual><geometry><mesh filename="body.obj" '
                'scale="0.5 0.5 0.5"/></geometry></visual></link></robot>')
            robot = j.load(folder / "robot.urdf", warn=False)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                drawing = xml.fromstring(str(robot.draw()))
            self.assertEqual(len(list(drawing.iter(SVG + "polygon"))), 4)
            (folder / "body.obj").unlink()
            for draw in (robot.draw, robot._repr_svg_):
                with self.assertWarnsRegex(UserWarning, 'robot "r": 1 mesh is not drawn: .*body.obj'
                                           ": cannot be read: No such file"):
                    drawing = xml.fromstring(str(draw()))
                self.assertEqual(len(list(drawing.iter(SVG + "polygon"))), 0)


class Tables(RobotTest):
    def test_names_beside_numbers(self):
        arm = j.load("builtin:planar_2r")
        table = arm.table([[1, 2.5], [1e-20, -3]])
        self.assertEqual((table.rows, table.columns), (("joint_1", "joint_2"),) * 2)
        self.assertEqual(str(table), "         joint_1  joint_2\n"
                                     "joint_1        1      2.5\n"
                                     "joint_2        0       -3")
        self.assertEqual(table._repr_html_(),
                         "<table><tr><th></th><th>joint_1</th><th>joint_2</th></tr>"
                         "<tr><th>joint_1</th><td>1</td><td>2.5</td></tr>"
                         "<tr><th>joint_2</th><td>0</td><td>-3</td></tr></table>")
        self.assert_close(np.asarray(table), [[1, 2.5], [1e-20, -3]], 0)
        self.assertEqual(str(arm.table([3, 4])), "joint_1  3\njoint_2  4")
        body = j.load("builtin:quadruped")
        jacobian = j.Kinematics(body).at(body.neutral()).jacobian_body(body.frames[-1])
        self.assertEqual(body.table(jacobian).rows[:4], ("wx", "wy", "wz", "vx"))
        self.assertEqual(body.table(jacobian).columns[5:7],
                         ("base:5", body.joints[1].name))
        self.assertEqual(body.table(body.neutral()).rows[6], "base:6")
        self.assertEqual(arm.table(np.ones((3, 2))).rows, ("0", "1", "2"))
        self.refused("table: values has shape (1, 2, 2), needs a vector or a matrix",
                     arm.table, np.ones((1, 2, 2)))

    def test_six_rows_are_joints_or_a_twist(self):
        arm = j.load("builtin:puma560")
        joints, twist = tuple(x.name for x in arm.joints), ("wx", "wy", "wz", "vx", "vy", "vz")
        q = arm.random(1)
        jacobian = j.Kinematics(arm).at(q).jacobian_body(arm.frames[-1])
        self.assertEqual(arm.table(jacobian, rows="twist").rows, twist)
        self.assertEqual(arm.table(jacobian, rows="twist").columns, joints)
        for unclear in (jacobian, 0 * jacobian, np.full((6, 6), np.nan)):
            self.refused("table: six rows of this robot are a Jacobian's or a matrix of joints', "
                         "needs rows='twist' or rows='joints'", arm.table, unclear)
        self.assertEqual(arm.table(jacobian, rows="joints").rows, joints)
        self.assertEqual(arm.table(j.Dynamics(arm).mass(q)).rows, joints)
        self.assertEqual(arm.table(q).rows, joints)
        self.assertEqual(arm.table(np.ones((6, 60))).rows, joints)
        self.assertEqual(arm.table(jacobian[0], rows="twist").rows, twist)
        self.refused("table: rows is 'body', needs 'joints' or 'twist'", arm.table, q, "body")
        self.refused("table: values has 5 rows, a twist has 6", arm.table, q[:5], "twist")

    def test_everything_has_a_text(self):
        for name in j.__all__:
            kind = getattr(j, name)
            if isinstance(kind, type):
                self.assertIsNot(kind.__repr__, object.__repr__, name)
        arm = j.load("builtin:arm7")
        self.assertEqual(repr(j.Dynamics(arm)), 'Dynamics("arm7")')
        self.assertEqual(repr(j.Series(arm, 2)), 'Series("arm7", order=2)')
        self.assertIn("upper=array(7,)", repr(arm.limits))
        self.assertEqual(repr(j.MassFactors(arm)), 'MassFactors("arm7")')


if __name__ == "__main__":
    unittest.main()
