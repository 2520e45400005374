# SPDX-License-Identifier: BSD-3-Clause
"""Inverse kinematics: which joint angles bring the flange to a pose, within the limits?"""

import jounce as j
import numpy as np

arm = j.load("builtin:arm7")
kinematics, ik = j.Kinematics(arm), j.InverseKinematics(arm)

# A pose that can be reached: that of some configuration.
target = kinematics.at(arm.random(seed=5)).pose("flange")

found = ik.solve("flange", target, q_guess=arm.neutral())
print(found)
assert found.converged
assert np.all((arm.limits.lower <= found.q) & (found.q <= arm.limits.upper))
assert kinematics.at(found.q).pose("flange").is_approx(target, 1e-8)

# Only the position counts: a weight of zero leaves the rotation free.
point = j.SE3(j.SO3(), [0.4, 0.2, 0.5])
found = ik.solve("flange", point, found.q, rotation_weight=0)
assert np.allclose(kinematics.at(found.q).pose("flange").p, point.p)

# Out of reach is an answer, not an exception: the best pose found.
far = ik.solve("flange", j.SE3(j.SO3(), [5, 0, 0]), arm.neutral(), max_restarts=2)
assert not far.converged and far.residual > 1

# Velocities: lift the flange by 0.1 m/s without turning it.
lift = j.TwistGoal("flange", j.Twist(w=[0, 0, 0], v=[0, 0, 0.1]))
motion = ik.velocity(found.q, lift)
print("joint velocities:", motion.v)
assert kinematics.at(found.q, motion.v).twist_hybrid("flange").is_approx(lift.twist, 1e-9)
