# SPDX-License-Identifier: BSD-3-Clause
"""A robot from a Denavit-Hartenberg table, as a product of exponentials in Park's three forms."""

import jounce
import numpy as np

right = np.pi / 2
local = jounce.denavit_hartenberg([  # a, alpha, d, theta of a PUMA 560
    [0, -right, 0, 0], [0.4318, 0, 0.1491, 0], [-0.0203, right, 0, 0],
    [0, -right, 0.4331, 0], [0, right, 0, 0], [0, 0, 0.0563, 0]])
arm = local.robot("puma")
space, body = local.to_space(), local.to_body()

q = [0.3, -0.5, 0.7, -1.1, 0.4, 0.9]
tip = jounce.Kinematics(arm).at(q).pose("tool")
found = [local.forward(q), space.forward(q), body.forward(q)]
worst = max(np.linalg.norm(T.p - tip.p) for T in found)
print(f"tip at {tip.p}; the three forms are at most {worst:.1e} m apart from it")
for A in space.A:
    print(f"screw {A.vector.round(4)}")
assert worst < 1e-14

again = space.to_local().robot("again")
assert np.linalg.norm(jounce.Kinematics(again).at(q).pose("tool").p - tip.p) < 1e-14
