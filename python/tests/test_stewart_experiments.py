# SPDX-License-Identifier: BSD-3-Clause
"""Residuals, charts, reach, failures and the experiments of Xie, Dai, Liu 2021 from Python."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest


class ExperimentTest(RobotTest):
    def setUp(self):
        super().setUp()
        self.x = j.xie_experiment()
        self.platform = self.x.platform
        self.home = j.SE3(j.SO3(), [0, 0, 50])


class Residuals(ExperimentTest):
    def test_residual_and_gradients(self):
        T, L = self.x.starts[0], self.x.lengths
        r = self.platform.residual(T, L)
        self.assert_close(r, self.platform.lengths(T) ** 2 - L ** 2, 1e-9)
        self.assertAlmostEqual(self.platform.objective(T, L), r @ r / 2, 3)
        for gradient, jacobian in (
                (self.platform.objective_gradient_body, self.platform.residual_jacobian_body),
                (self.platform.objective_gradient_space, self.platform.residual_jacobian_space)):
            self.assert_close(gradient(T, L).vector, jacobian(T).T @ r, 1e-4)

    def test_charts(self):
        T, L = self.x.starts[3], self.x.lengths
        for kind, unknowns in (("se3", 6), ("quaternion", 7), ("euler", 6)):
            chart = j.PoseChart(kind, self.home)
            self.assertEqual(chart.unknowns, unknowns)
            x = chart.coordinates(T)
            self.assertTrue(chart.pose(x).is_approx(T, 1e-10))
            value = chart.evaluate(self.platform, L, x)
            self.assert_close(value.gradient, value.jacobian.T @ value.residual, 1e-4)
            step = np.zeros(unknowns)
            step[-1] = 1e-6
            ahead, behind = (chart.evaluate(self.platform, L, x + h).objective
                             for h in (step, -step))
            self.assertAlmostEqual((ahead - behind) / 2e-6 / value.gradient[-1], 1, 5)
        self.refused("stewart PoseChart: there are 7 unknowns, needs 6",
                     j.PoseChart("euler").pose, np.zeros(7))
        self.refused('PoseChart: kind is "flat", needs one of "se3", "quaternion", "euler"',
                     j.PoseChart, "flat")

    def test_rodrigues(self):
        s = j.Twist(self.vector(6))
        self.assert_close(j.exp_rodrigues(s), j.exp(s).matrix, 1e-13)
        for k in range(6):
            x = np.zeros(6)
            x[k] = 0.7
            self.assert_close(j.exp_basis(k, 0.7), j.exp(j.Twist(x)).matrix, 1e-14)
            self.assert_close(j.exp_rodrigues(j.Twist(x)) @ j.exp_basis(k, -0.7), np.eye(4), 1e-14)
        self.assertEqual(j.screw_basis(0)[2, 1], 1)
        self.refused("exp_basis: k is 6, needs 0 to 5", j.exp_basis, 6, 1.0)


class Runs(ExperimentTest):
    def test_trace(self):
        found = j.solve_pose(self.platform, self.x.lengths, self.x.starts[2], trace=True)
        self.assertTrue(found.converged)
        residuals = [line.residual for line in found.trace]
        self.assertEqual(residuals, sorted(residuals, reverse=True))
        self.assertTrue(found.trace[0].pose.is_approx(self.x.starts[2], 1e-12))
        self.assertEqual(j.solve_pose(self.platform, self.x.lengths, self.home).trace, [])

    def test_line_search_as_printed(self):
        found = j.solve_pose(self.platform, self.x.lengths, self.x.starts[2],
                             method="gauss_newton", line_search="printed", step_factor=0.9)
        self.assertEqual(found.stop, "endless_search")
        self.refused('solve_pose: scaling is "cm", '
                     'needs one of "none", "platform_size", "diagonal"',
                     j.solve_pose, self.platform, self.x.lengths, self.home, scaling="cm")

    def test_scaling_has_no_unit(self):
        small = j.Stewart(self.platform.base / 100, self.platform.platform / 100)
        start = self.x.starts[4]
        there = j.SE3(start.R, start.p / 100)
        for scaling in ("platform_size", "diagonal"):
            one = j.solve_pose(self.platform, self.x.lengths, start, scaling=scaling, trace=True)
            two = j.solve_pose(small, self.x.lengths / 100, there, scaling=scaling, trace=True)
            self.assertAlmostEqual(one.trace[3].residual / two.trace[3].residual, 1e4, 2)


class Tables(ExperimentTest):
    def test_columns(self):
        cells = j.xie_table(self.x, "levenberg_marquardt")
        self.assertEqual([c.percent() for c in cells if c.name == "LM-SE(3)"],
                         [14, 66, 100, 12, 92])
        cell = cells[5]
        self.assertEqual((cell.start, cell.paper_percent, len(cell.runs)), (1, 66, 50))
        self.assertEqual(sum(cell.percent(outcome) for outcome in
                             ("true_pose", "branch", "other_pose", "nowhere")), 100)
        self.assertGreater(cell.mean_iterations("branch"), 5)
        first, last = cell.ranges()[-1]
        self.assertLess(np.log10(first), -5.5)
        self.assertAlmostEqual(np.log10(last), -3.12)
        body = j.xie_table(self.x, "levenberg_marquardt", increment="body")
        self.assertEqual([c.percent() for c in body if c.name == "LM-SE(3)"], [0, 24, 100, 44, 100])

    def test_claims(self):
        claims = j.xie_claims(self.x)
        cells = [c for c in claims if c.where.startswith("Table ")]
        self.assertEqual(len(cells), 30)
        self.assertIn(sum(c.reproduced for c in cells), (21, 22))
        self.assertTrue(all(c.claim and c.found for c in claims))

    def test_as_printed(self):
        printed = j.xie_experiment(printed_lengths=True, printed_start_2=True)
        self.assertEqual(printed.lengths[5], 55.9910)
        self.assertGreater(np.abs(printed.starts[1].matrix - self.x.starts[1].matrix).max(), 1)
        self.assertTrue(np.allclose(self.platform.lengths(self.x.branch_pose), self.x.lengths))


class Surveys(ExperimentTest):
    def test_methods(self):
        s = j.survey_methods("general", 20)
        self.assertEqual(len(s.variants), len(s.iterations))
        self.assertEqual(len(s.columns), len(s.parameters))
        success = s.success("GN-SE(3) alpha 1")
        share = np.mean(np.array(s.iterations[s.variants.index("GN-SE(3) alpha 1")]) > 0)
        self.assertAlmostEqual(success.value, share)
        self.assertLess(success.low, success.value)
        self.assertEqual(s.advantage("GN-SE(3) alpha 1", "GN-SE(3) alpha 1").value, 0)
        self.assertEqual(s.fewer_iterations("GN-SE(3) alpha 1", "GN-SE(3) alpha 1").value, 0)
        self.assertGreater(s.mean_iterations("GN-SE(3) alpha 0.9").value, 8)
        self.assertEqual(len(s.slopes("GN-SE(3) alpha 1")), len(s.parameters))
        self.refused('stewart survey: there is no variant "GN"', s.success, "GN")

    def test_branches(self):
        s = j.survey_branches(samples=5, starts=1, turn=0.01, offset=0.01)
        self.assertAlmostEqual(s.right("LM-SE(3)", False).value, 1)
        self.assertAlmostEqual(s.caught("GN-R^6", True).value, 1)
        self.assertEqual(s.caught_more("GN-SE(3)", "GN-R^6", False).value, 0)
        self.assertEqual(s.right_more("GN-SE(3)", "GN-R^6", False).value, 0)
        self.assertGreater(s.branches, 0)
        self.refused("stewart branches: turn is 4 rad, needs (0, 3.1]", j.survey_branches, turn=4)

    def test_sensors(self):
        platform, lengths = j.dietmaier_platform(), j.dietmaier_lengths()
        found = j.all_poses(platform, lengths)
        self.assertEqual(len(found.poses), 40)
        truth = found.poses[7].pose
        home = found.poses[0].pose
        for sensor in (j.PoseSensor.length([0.3, 0.4, -0.2], [0.1, -0.5, 0.6]),
                       j.PoseSensor.inclination([0, 0, 1], [0, 0, 1]),
                       j.PoseSensor.first_angle(1, home), j.PoseSensor.second_angle(1, home)):
            left = j.poses_with_readings(platform, found,
                                         [(sensor, sensor.reading(platform, truth), 1e-4)])
            self.assertLess(len(left), 5)
            self.assertTrue(any(mode.pose.is_approx(truth, 1e-9) for mode in left))
        for survey in j.survey_sensors(platform, found, 1e-3, 5):
            self.assertEqual(survey.poses, 40)
            self.assertLess(survey.remaining.value, 2)
            self.assertGreater(survey.unique.value, 0.5)
            self.assertGreaterEqual(survey.most, 1)
            self.assertTrue(survey.sensor and survey.accuracy == 1e-3)


class Reach(ExperimentTest):
    def limits(self, **others):
        return j.StewartLimits(self.platform, shortest=40, longest=60, **others)

    def test_scans(self):
        verdicts, determinants = j.scan_poses(self.platform, self.limits(),
                                              [self.home, self.x.true_pose])
        self.assertEqual(verdicts.tolist(), [0, 2])
        self.assertAlmostEqual(determinants[0], self.platform.normalised_determinant(self.home))
        grid, _ = j.scan_grid(self.platform, self.limits(), [-5, -5, 45], [5, 5, 55], (2, 3, 4))
        self.assertEqual(grid.shape, (4, 3, 2))
        T = j.SE3(j.SO3(), [5, 0, 55])
        self.assertEqual(grid[3, 1, 1], j.scan_poses(self.platform, self.limits(), [T])[0][0])

    def test_sample_and_path(self):
        sample = j.sample_workspace(self.platform, self.limits(), [-5, -5, 45], [5, 5, 55],
                                    poses=1000)
        self.assertEqual(sample.poses, 1000)
        self.assertAlmostEqual(sample.share, sample.reachable / 1000)
        self.assertEqual(len(sample.by_reason), 5)
        self.assertTrue(np.all(sample.lower <= sample.upper))
        path = j.check_path(self.platform, self.limits(), self.home, self.x.true_pose)
        self.assertFalse(path.passed)
        self.assertEqual(path.reason, 2)
        self.assertTrue(0 < path.at < 1 and path.least_determinant > 0 and path.evaluations > 0)

    def test_singular_poses(self):
        curves = j.singularity_curves(self.platform, self.home, j.Twist([0, 0, 1, 0, 0, 0]),
                                      j.Twist([0, 0, 0, 0, 0, 1]), (1, 2, -5, 5), 4)
        self.assertEqual(curves.shape[1:], (2, 2))
        self.assert_close(curves[..., 0], np.pi / 2, 1e-9)
        self.assertFalse(j.has_self_motion(self.platform, self.home))

    def test_refusals(self):
        self.refused("StewartLimits: tilts are measured from a pose home, which is missing",
                     j.StewartLimits, self.platform, base_tilt=0.5)
        self.refused("StewartLimits: shortest has shape (2,), needs (6,)",
                     j.StewartLimits, self.platform, shortest=[1, 2])


class Failures(ExperimentTest):
    def test_domain(self):
        limits = j.StewartLimits(self.platform, longest=60)
        solver = j.PoseSolver(self.platform, self.home, domain=limits)
        found = solver.solve(self.x.lengths)
        self.assertFalse(found.converged)
        self.assertEqual((found.failure, found.out_of_reach), ("outside_domain", 2))
        self.assertEqual(j.explain_failure(self.platform, self.x.lengths, found),
                         "the pose with these lengths is outside the domain: leg too long")

    def test_impossible_lengths(self):
        solver = j.PoseSolver(self.platform, self.home, restarts=12)
        lengths = [50, 120, 50, 50, 50, 50]
        found = solver.solve(lengths)
        self.assertEqual(found.failure, "impossible_lengths")
        self.assertIn("legs 1 and 2 are 50 and 120 long",
                      j.explain_failure(self.platform, lengths, found))
        self.assertEqual(solver.solve(self.x.lengths).failure, "none")
        self.refused("stewart PoseSolver: restarts is 13, needs 0 to 12",
                     j.PoseSolver, self.platform, self.home, restarts=13)


if __name__ == "__main__":
    unittest.main()
