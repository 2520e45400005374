# SPDX-License-Identifier: BSD-3-Clause
"""A pendulum learns to swing up: gradient descent through a whole simulation.

Its motor is too weak to lift it: it has to swing to and fro. The cost is how far it is from standing
still upright at the end; the adjoint of 200 steps gives its slope by all 200 forces.
"""
import numpy as np

import jounce

PENDULUM = """{"jounce": 1, "name": "pendulum",
  "links": [{"name": "bob", "mass": 1, "com": [0, 0, -0.5],
             "inertia": [1e-3, 0, 1e-3, 0, 0, 1e-3]}],
  "joints": [{"name": "pivot", "child": "bob", "kind": "revolute", "axes": [[0, 1, 0]],
              "damping": 0.02}]}"""
STEPS, H, STRONGEST = 200, 0.025, 2.0  # holding it level takes 4.9 N m

simulation = jounce.SimulationGradient(jounce.loads(PENDULUM))
w, mean, square = np.full(STEPS, 0.1), np.zeros(STEPS), np.zeros(STEPS)
for k in range(1, 601):
    weak = np.tanh(w)
    simulation.simulate([0.0], [0.0], np.full(STEPS, H), STRONGEST * weak[np.newaxis])
    q, v = simulation.q[0], simulation.v[0]
    cost = 10 * (1 + np.cos(q)) + v * v / 2
    if k % 100 == 0:
        print(f"after {k} descents: cost {cost:.3g}")
    slope = simulation.adjoint([-10 * np.sin(q)], [v]).tau[0] * STRONGEST * (1 - weak**2)
    mean = 0.9 * mean + 0.1 * slope
    square = 0.999 * square + 0.001 * slope**2
    size = np.sqrt(square / (1 - 0.999**k)) + 1e-8
    w -= 0.03 * (1 - k / 600) * mean / (1 - 0.9**k) / size
print(f"it stands at {q:.3f} rad, moving with {v:.3f} rad/s")
assert cost < 0.01
