# SPDX-License-Identifier: BSD-3-Clause
"""A Gough-Stewart platform: poses from lengths at every tick, and the forces of its legs."""

import jounce as j
import numpy as np
from numpy.typing import NDArray

# Joint centres on two circles, in metres: pairs of lower joints about 0, 120 and 240 degrees, pairs
# of upper joints about 60, 180 and 300 degrees; legs join neighbours.
lower = np.radians([15, 105, 135, 225, 255, 345])
upper = np.radians([45, 75, 165, 195, 285, 315])


def ring(radius: float, angles: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), 0 * angles])


platform = j.Stewart(ring(1.5, lower), ring(1.0, upper))
home = j.SE3(j.SO3(), [0, 0, 2.5])


def pose(t: float) -> j.SE3:
    """Pitch, surge and heave of a simulator."""
    turn = j.exp([0.05 * np.sin(3 * t), -0.15 - 0.15 * np.tanh(2 * (t - 3)), 0])
    return j.SE3(turn, [0.35 * np.sin(0.8 * t), 0, 2.5 + 0.15 * np.sin(1.7 * t)])


# The pose from the measured lengths, tick by tick.
solver = j.PoseSolver(platform, home)
for t in np.arange(0, 10, 0.01):
    found = solver.solve(platform.lengths(pose(t)))
    assert found.converged and not found.branch_flip
    assert found.pose.is_approx(pose(t), 1e-9)
print("last of 1000 ticks:", found)

# Forces along the legs for a cabin of 800 kg, legs of 40 + 20 kg.
cabin = j.Inertia(800, [0, 0, 800], np.diag([1300, 1300, 500]))
cylinder = j.Inertia(40, [0, 0, 24], np.diag([20, 20, 0.4]))
piston = j.Inertia(20, [0, 0, -12], np.diag([10, 10, 0.2]))
dynamics = j.StewartDynamics(platform, cabin, [cylinder] * 6, [piston] * 6, home)


def motion(t: float, h: float = 1e-4) -> tuple[j.SE3, j.Twist, j.Twist]:
    """Pose, body twist and its derivative by central differences."""
    T = pose(t)
    back = j.inverse(T)
    ahead, behind = j.log(back * pose(t + h)), j.log(back * pose(t - h))
    return T, (ahead - behind) * (0.5 / h), (ahead + behind) * (1 / h**2)


forces = np.array([dynamics.inverse(*motion(t)) for t in np.arange(0, 10, 0.01)])
print("largest forces of the legs / N:", np.abs(forces).max(axis=0).round())

# At rest the legs carry the weight: the upward force is that of all moving masses that hang on it.
weight = platform.platform_wrench(home, dynamics.inverse(home, j.Twist(), j.Twist()))
assert 800 * 9.81 < weight.f[2] < (800 + 6 * 60) * 9.81
