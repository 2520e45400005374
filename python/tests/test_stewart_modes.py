# SPDX-License-Identifier: BSD-3-Clause
"""All poses of Gough-Stewart platforms from Python: known counts, sorting, messages."""

import unittest

import jounce as j
import numpy as np
from robots import RobotTest

# P. Dietmaier, "The Stewart-Gough platform of general geometry can have 40 real postures", 1998.
BASE = [[0, 0, 0], [1.107915, 0, 0], [0.549094, 0.756063, 0], [0.735077, -0.223935, 0.525991],
        [0.514188, -0.526063, -0.368418], [0.590473, 0.094733, -0.205018]]
PLATFORM = [[0, 0, 0], [0.542805, 0, 0], [0.956919, -0.528915, 0], [0.665885, -0.353482, 1.402538],
            [0.478359, 1.158742, 0.107672], [-0.137087, -0.235121, 0.353913]]
LENGTHS = [1, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071]


class AllPoses(RobotTest):
    def setUp(self):
        super().setUp()
        self.platform = j.Stewart(BASE, PLATFORM)

    def test_forty(self):
        found = j.all_poses(self.platform, LENGTHS)
        self.assertTrue(found.converged)
        self.assertEqual((found.family, found.paths, found.complex_count), ("general", 40, 40))
        self.assertEqual((found.at_infinity, found.multiple, found.lost), (0, 0, 0))
        self.assertEqual(len(found.poses), 40)
        for mode in found.poses:
            self.assertTrue(mode.certified, mode.reason)
            self.assertLess(mode.residual, 1e-12)
            legs = mode.pose * np.array(PLATFORM) - np.array(BASE)
            self.assert_close(np.linalg.norm(legs, axis=1), np.array(LENGTHS), 1e-12)
        heights = [mode.pose.p[2] for mode in found.poses]
        self.assertEqual(heights, sorted(heights, reverse=True))
        self.assertGreater(found.seconds, 0)
        self.assertGreaterEqual(found.gammas, 1)
        self.assertGreaterEqual(found.retracked, 0)
        self.assertIn("40 poses", repr(found))
        self.assertIn("certified=True", repr(found.poses[0]))

    def test_near(self):
        near = j.all_poses(self.platform, LENGTHS).poses[17].pose
        found = j.all_poses(self.platform, LENGTHS, near=near)
        self.assertTrue(found.poses[0].pose.is_approx(near, 1e-12))
        self.assertLess(found.poses[0].distance, 1e-12)
        distances = [mode.distance for mode in found.poses]
        self.assertEqual(distances, sorted(distances))

    def test_not_certified(self):
        found = j.all_poses(self.platform, LENGTHS, certify=False)
        self.assertEqual({mode.certified for mode in found.poses}, {False})
        self.assertEqual({mode.reason for mode in found.poses}, {"not asked for"})

    def test_messages(self):
        with self.assertRaisesRegex(ValueError, "length 2 is -1, it must be positive"):
            j.all_poses(self.platform, [1, -1, 1, 1, 1, 1])
        with self.assertRaisesRegex(ValueError, "all_poses: lengths has shape"):
            j.all_poses(self.platform, [1, 1])
        with self.assertRaisesRegex(ValueError, "max_gammas must be positive"):
            j.all_poses(self.platform, LENGTHS, max_gammas=0)


if __name__ == "__main__":
    unittest.main()
