#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""benchmarks/compare: finds what got slower, and nothing else.

    compare_test.py SOURCE_FOLDER
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

compare = pathlib.Path(sys.argv.pop(1)) / "benchmarks" / "compare"


def run_of(times, peak=100.0):
    rows = [{"robot": "arm7", "algorithm": name, "library": library, "mode": "single", "lanes": 1,
             "threads": 1, "ns": ns} for (name, library), ns in times.items()]
    return {"machine": "one", "isa": "avx2", "peak_gflops": peak, "results": rows}


def calls(noise):
    chance = random.Random(1)
    return {(f"call {k}", "jounce" if k % 4 else "peer"):
            (100 + 10 * k) * (1 + noise * chance.uniform(-1, 1)) for k in range(40)}


class Compare(unittest.TestCase):
    def status_and_text(self, before, after):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("a.json", "b.json")]
            for file, run in zip(files, (before, after)):
                file.write_text(json.dumps(run))
            done = subprocess.run([compare, *files], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_the_same_run_is_not_slower(self):
        status, text = self.status_and_text(run_of(calls(0)), run_of(calls(0)))
        self.assertEqual(status, 0)
        self.assertIn("40 rows, 0 slower and 0 faster", text)

    def test_names_the_call_that_got_slower(self):
        after = calls(0.01)
        after["call 7", "jounce"] *= 1.3
        status, text = self.status_and_text(run_of(calls(0)), run_of(after))
        self.assertEqual(status, 1)
        self.assertIn("arm7 call 7 (jounce, avx2): 1.3", text)
        self.assertIn("1 slower", text)

    def test_noise_of_all_rows_is_not_slower(self):
        status, _ = self.status_and_text(run_of(calls(0)), run_of(calls(0.2)))
        self.assertEqual(status, 0)

    def test_a_slower_machine_is_not_a_slower_library(self):
        slow = {key: 1.5 * ns for key, ns in calls(0).items()}
        self.assertEqual(self.status_and_text(run_of(calls(0)), run_of(slow, 100 / 1.5))[0], 0)
        self.assertEqual(self.status_and_text(run_of(calls(0)), run_of(slow))[0], 1)

    def test_a_slower_peer_does_not_fail(self):
        after = calls(0)
        after["call 8", "peer"] *= 2
        status, text = self.status_and_text(run_of(calls(0)), run_of(after))
        self.assertEqual(status, 0)
        self.assertIn("call 8 (peer, avx2): 2.00", text)

    def test_rows_of_one_run_alone_are_told(self):
        before = calls(0)
        del before["call 3", "jounce"]
        self.assertIn("only after: 1 rows, as arm7 call 3",
                      self.status_and_text(run_of(before), run_of(calls(0)))[1])


if __name__ == "__main__":
    unittest.main()
