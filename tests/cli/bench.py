#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`jounce bench --quick --json -`: keys, names of algorithms, and that it is quick.

    bench.py BENCH TOOL
"""
import json
import pathlib
import re
import subprocess
import sys
import time
import unittest

bench, tool = map(pathlib.Path, (sys.argv.pop(1), sys.argv.pop(1)))
seconds = 60
keys = {"robot", "algorithm", "library", "mode", "lanes", "threads", "ns", "flops",
        "peak_fraction"}
hot = {"fk", "jacobian", "inverse", "forward", "hybrid", "mass", "mass-inverse", "coriolis",
       "gravity", "bias", "energy", "momentum", "inverse-derivatives", "forward-derivatives",
       "hybrid-derivatives", "higher-inverse", "higher-forward", "higher-hybrid"}
counted = {"fk", "inverse", "forward", "hybrid", "mass", "inverse-derivatives"}
more = {"fk-velocity", "fk-velocity-acceleration"}  # names of ours beside the quantities


class Quick(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        start = time.monotonic()
        done = subprocess.run([bench, "--quick", "--json", "-"], capture_output=True, text=True,
                              check=True)
        cls.seconds = time.monotonic() - start
        cls.run_found = json.loads(done.stdout)
        cls.rows = cls.run_found["results"]

    def test_takes_at_most_a_minute(self):
        self.assertLess(self.seconds, seconds)

    def test_has_the_keys_that_programs_read(self):
        self.assertIn("machine", self.run_found)
        for row in self.rows:
            self.assertLessEqual(keys, row.keys())
            self.assertEqual([row[key] for key in ("library", "mode", "lanes", "threads")],
                             ["jounce", "single", 1, 1])
            self.assertGreater(row["ns"], 0)

    def test_names_each_robot_and_row_once(self):
        rows = [(row["robot"], row["algorithm"]) for row in self.rows]
        self.assertEqual(len(rows), len(set(rows)))
        self.assertEqual({robot for robot, _ in rows}, {"arm7", "quadruped", "humanoid"})

    def test_hot_calls_go_by_the_names_of_quantities(self):
        for robot in ("arm7", "quadruped", "humanoid"):
            self.assertLessEqual(hot, {row["algorithm"] for row in self.rows
                                       if row["robot"] == robot})

    def test_names_without_a_door_are_quantities(self):
        text = subprocess.run([tool, "compute", "--help"], capture_output=True, text=True,
                              check=True).stdout
        quantities = set(re.findall(r"^  ([a-z-]+) {2,}\S", text, re.MULTILINE)) | more
        names = {re.sub(r" with a wrench.*", "", row["algorithm"]) for row in self.rows}
        self.assertLessEqual({name for name in names if "::" not in name}, quantities)

    def test_counts_flops_of_what_can_be_counted(self):
        for row in self.rows:
            self.assertEqual(row["flops"] > 0, row["peak_fraction"] > 0, row)
            if row["algorithm"] in counted:
                self.assertGreater(row["flops"], 0, row)
                self.assertLess(row["peak_fraction"], 1.5, row)


if __name__ == "__main__":
    unittest.main()
