# SPDX-License-Identifier: BSD-3-Clause
"""The friction of a joint from a recorded motion: least squares with the gradient of a simulation.

An arm moves; its joint positions are recorded. The friction of its second joint is found as that with
which a simulation of the same steps passes nearest to them.
"""
import json
from collections.abc import Iterator

import jounce
import numpy as np
from numpy.typing import NDArray

TRUTH, STEPS = 0.35, 400
Q0, V0, LENGTHS, NO_FORCE = [1.2, 0.8], [2.0, -3.0], np.full(STEPS, 2.5e-3), np.zeros((2, 1))
MODEL = json.loads(jounce.load("builtin:planar_2r").to_json())


def arm_with(friction: float) -> jounce.Robot:
    MODEL["joints"][1]["friction"] = friction
    return jounce.loads(json.dumps(MODEL))


def states(robot: jounce.Robot, parameters: list[tuple[str, str, int]] = []  # noqa: B006
           ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Positions after every 40 steps, and how they change by the parameters."""
    run = jounce.SimulationGradient(robot, parameters=parameters)
    for last in range(40, STEPS + 1, 40):
        run.simulate(Q0, V0, LENGTHS[:last], NO_FORCE)
        yield run.q, run.tangents().q[:, 6:]


measured = [q for q, _ in states(arm_with(TRUTH))]
joint = MODEL["joints"][1]["name"]
friction = 0.1
for _ in range(6):
    off, by = [], []
    for wanted, (q, slope) in zip(measured, states(arm_with(friction), [("friction", joint, 0)])):
        off.append(q - wanted)
        by.append(slope[:, 0])
    all_off, all_by = np.concatenate(off), np.concatenate(by)
    print(f"friction {friction:.6f} N m: off by {np.linalg.norm(all_off):.2e} rad")
    friction -= all_off @ all_by / (all_by @ all_by)  # Gauss and Newton's step
print(f"found {friction:.6f} N m, true {TRUTH}")
assert abs(friction - TRUTH) < 1e-6
