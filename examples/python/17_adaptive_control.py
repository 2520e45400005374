# SPDX-License-Identifier: BSD-3-Clause
"""Adaptive control (Slotine, Li 1987): an arm tracks a motion while it learns its own masses.

The controller knows nothing of the links' inertia at first. Its force is Y(q, v, v_r, a_r) pi with
the reference regressor, and pi moves against the tracking error s = v - v_r. That this converges
rests on Mdot - 2 C being skew-symmetric: with the plain C the energy of the error grows, even
where every parameter is known.
"""

from typing import Literal

import jounce
import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

arm = jounce.load("builtin:planar_2r")
dynamics = jounce.Dynamics(arm)


def wanted(t: float, rate: float) -> tuple[Vector, Vector, Vector]:
    phase = rate * t + np.array([0, -1.5])
    return np.sin(phase), rate * np.cos(phase), -rate**2 * np.sin(phase)


def learn(h: float = 1e-3) -> tuple[float, float]:
    """The largest tracking error of the first second and of the last."""
    control = jounce.AdaptiveController(arm, slide=10, damp=20, learn=2)
    q, v = wanted(0, 1.5)[0], np.zeros(2)
    errors = []
    for step in range(8000):
        q_d, v_d, a_d = wanted(step * h, 1.5)
        errors.append(float(np.linalg.norm(q - q_d)))
        tau = control.force(q, v, q_d, v_d, a_d, h)
        v = v + h * dynamics.forward(q, v, tau, passive=False)
        q = q + h * v
    return max(errors[:1000]), max(errors[-1000:])


def growth_with(factorization: Literal["plain", "ploen"], h: float = 1e-3, rate: float = 6,
                slide: float = 1, damp: float = 0.02) -> float:
    """How much the energy s^T M s / 2 of the error grew at most, with every parameter known."""

    def acceleration(t: float, q: Vector, v: Vector) -> Vector:
        q_d, v_d, a_d = wanted(t, rate)
        s = v - v_d + slide * (q - q_d)
        C = dynamics.coriolis(q, v, factorization).matrix
        tau = (dynamics.mass(q) @ (a_d - slide * (v - v_d)) + C @ (v - s) + dynamics.gravity(q)
               - damp * s)
        return dynamics.forward(q, v, tau, passive=False)

    q, v, _ = wanted(0, rate)
    q = q + 0.05
    energies = []
    for step in range(3000):
        t = step * h
        q_d, v_d, _ = wanted(t, rate)
        s = v - v_d + slide * (q - q_d)
        energies.append(float(s @ dynamics.mass(q) @ s / 2))
        middle = v + h / 2 * acceleration(t, q, v)
        v = v + h * acceleration(t + h / 2, q + h / 2 * v, middle)
        q = q + h * middle
    return max(energies) / energies[0]


first, last = learn()
print(f"largest error in the first second {first:.5f} rad, in the last {last:.5f} rad")
plain, ploen = growth_with("plain"), growth_with("ploen")
print(f"energy of the error, largest over first: plain C {plain:.4g}, Ploen's C {ploen:.4g}")
assert last < 0.2 * first
assert ploen < 1.1 and plain > 100
