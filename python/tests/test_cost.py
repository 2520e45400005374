# SPDX-License-Identifier: BSD-3-Clause
"""What one call costs beside the computation: counted in sums of two NumPy arrays of seven numbers.

A call of many states computes without the interpreter, so that its time for a state is that of C++.
The least of many timings is taken: what other programs do in the meantime makes none shorter.
"""

import timeit
import unittest

import jounce as j
import numpy as np


def least_time(call, number, repeats=200):
    return min(timeit.repeat(call, number=number, repeat=repeats)) / number


class Cost(unittest.TestCase):
    def test_one_call(self):
        arm = j.load("builtin:arm7")
        inverse = j.Dynamics(arm).inverse
        q, v, many = arm.random(1), np.ones(7), 500
        Q, V = np.tile(q, (many, 1)), np.ones((many, 7))
        one = least_time(lambda: inverse(q, v, v), 200)
        computed = least_time(lambda: inverse(Q, V, V), 1) / many
        add = least_time(lambda: np.add(q, v), 200)
        print(f"inverse of arm7: {1e6 * one:.2f} us, of many {1e6 * computed:.2f} us each: "
              f"{1e6 * (one - computed):.2f} us of Python; np.add {1e6 * add:.2f} us")
        self.assertLess(one - computed, 3 * add)
        self.assertLess(computed, one / 2)


if __name__ == "__main__":
    unittest.main()
