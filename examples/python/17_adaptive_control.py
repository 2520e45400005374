# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive control (Slotine, Li 1987): an arm tracks a motion while it learns its own masses.

The controller knows nothing of the links' inertia at first. Its force is Y(q, v, v_r, a_r) pi with
the reference regressor, and pi moves against the tracking error s = v - v_r. That this converges
rests on Mdot - 2 C being skew-symmetric.
"""

import jounce
import numpy as np

arm = jounce.load("builtin:planar_2r")
dynamics = jounce.Dynamics(arm)
regressor = jounce.Regressor(arm)

q, v = np.zeros(2), np.zeros(2)
pi = np.zeros(regressor.columns)  # what the controller believes
slide, damp, learn, h = 10.0, 20.0, 2.0, 1e-3
errors = []
for step in range(8000):
    t = step * h
    wanted = np.array([np.sin(t), np.cos(2 * t) - 1])
    rate = np.array([np.cos(t), -2 * np.sin(2 * t)])
    acceleration = np.array([-np.sin(t), -4 * np.cos(2 * t)])
    v_r = rate - slide * (q - wanted)
    a_r = acceleration - slide * (v - rate)
    s = v - v_r
    Y = regressor.reference(q, v, v_r, a_r)
    tau = Y @ pi - damp * s
    pi -= h * learn * (Y.T @ s)
    a = dynamics.forward(q, v, tau, passive=False)
    v = v + h * a
    q = arm.integrate(q, h * v)
    errors.append(np.linalg.norm(q - wanted))

first, last = max(errors[:2000]), max(errors[-2000:])
print(f"largest error in the first two seconds {first:.5f} rad, in the last two {last:.5f} rad")
assert last < 0.2 * first
