# SPDX-License-Identifier: BSD-3-Clause
"""Torque rates: what a motor's current loop has to follow, from v, a and jerk."""

import jounce as j
import numpy as np

arm = j.load("builtin:arm7")
dynamics, series = j.Dynamics(arm), j.Series(arm, 1)  # up to tau' and jerk
duration, goal = 2.0, np.array([1.2, 0.8, -0.6, -1.4, 0.5, 0.9, 0.3])
move = j.septic(arm.neutral(), goal, duration)  # from rest to rest, move(t, 3): q, v, a, jerk

worst = 0.0
for t in np.linspace(0, duration, 101):
    q, v, a, jerk = move(t, 3)
    taus = series.inverse(q, np.column_stack([v, a, jerk]), passive=False)  # tau, tau'
    worst = max(worst, np.abs(taus[:, 1]).max())
print(f"torques change by up to {worst:.1f} N m/s")

# Forward dynamics takes the torques and their rates, and gives acceleration and jerk back.
q, v, a, jerk = move(0.7, 3)
taus = series.inverse(q, np.column_stack([v, a, jerk]), passive=False)
motion = series.forward(q, v, taus, passive=False)
assert np.allclose(motion, np.column_stack([v, a, jerk]), atol=1e-9)

# The rate is the derivative of the torque.
h = 1e-5
tau = [dynamics.inverse(*move(0.7 + s, 2), passive=False) for s in (-h, h)]
assert np.allclose((tau[1] - tau[0]) / (2 * h), taus[:, 1], atol=1e-4 * worst)
