# SPDX-License-Identifier: BSD-3-Clause
"""A robot: load one, ask where its flange is and how fast it moves."""

import jounce as j
import numpy as np

arm = j.load("builtin:arm7")  # or a path to a URDF or JSON file
print(arm, "of", round(arm.mass, 1), "kg")
for joint in arm.joints:
    print(f"  {joint.name}: {joint.kind}, within {arm.limits.lower[joint.v]} to "
          f"{arm.limits.upper[joint.v]} rad")

# A robot never changes and threads may share it; a Kinematics does the work, one per thread.
q = arm.random(seed=1)
v = np.linspace(-1, 1, arm.nv)
kinematics = j.Kinematics(arm).at(q, v)

# The pose of the flange in the ground.
T = kinematics.pose("flange")
print("flange at", T.p)

# Which frame? The name says it. Hybrid: axes of the ground, origin at the flange.
J = kinematics.jacobian_hybrid("flange")
V = kinematics.twist_hybrid("flange")
assert J.shape == (6, arm.nv)
assert np.allclose(J @ v, V.vector)  # angular part first

# The linear part is the velocity of the flange's origin: the same by differences of positions.
h = 1e-6
kinematics.at(arm.integrate(q, h * v))
assert np.allclose((kinematics.pose("flange").p - T.p) / h, V.v, atol=1e-5)

# Hang a gripper of 0.8 kg on it: a new robot, the old one stays.
armed = j.attach(arm, "flange", {"name": "gripper", "mass": 0.8}, j.SE3(j.SO3(), [0, 0, 0.1]))
assert np.isclose(armed.mass, arm.mass + 0.8) and "gripper" not in arm.links
