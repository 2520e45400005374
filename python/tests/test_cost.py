# SPDX-License-Identifier: BSD-3-Clause
"""What one call costs beside the computation: counted in sums of two NumPy arrays of seven numbers.

A call of many states computes without the interpreter, so that its time for a state is that of C++.
The least of many timings is taken, all of them in turn: what other programs do in the meantime makes
none shorter, and a processor that changes its speed does so for all.
"""

import timeit
import unittest

import jounce as j
import numpy as np


def least_times(*calls, rounds=400):
    """Of (call, number of calls at a time)."""
    least = [float("inf")] * len(calls)
    for _ in range(rounds):
        for k, (call, number) in enumerate(calls):
            least[k] = min(least[k], timeit.timeit(call, number=number) / number)
    return least


class Cost(unittest.TestCase):
    def test_one_call(self):
        arm = j.load("builtin:arm7")
        inverse = j.Dynamics(arm).inverse
        q, v, many = arm.random(1), np.ones(7), 500
        Q, V = np.tile(q, (many, 1)), np.ones((many, 7))
        one, all_states, add = least_times((lambda: inverse(q, v, v), 200),
                                           (lambda: inverse(Q, V, V), 1),
                                           (lambda: np.add(q, v), 200))
        computed = all_states / many
        print(f"inverse of arm7: {1e6 * one:.2f} us, of many {1e6 * computed:.2f} us each: "
              f"{1e6 * (one - computed):.2f} us of Python; np.add {1e6 * add:.2f} us")
        self.assertLess(one - computed, 3 * add)
        self.assertLess(computed, one / 2)


if __name__ == "__main__":
    unittest.main()
