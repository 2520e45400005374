# SPDX-License-Identifier: BSD-3-Clause
"""From a robot to a picture: torque and torque rate along a move, as SVG.

    python3 19_picture_of_a_move.py [my.urdf [torque.svg]]
"""

import sys
import tempfile

import jounce

path = sys.argv[1] if len(sys.argv) > 1 else "builtin:arm7"
picture = sys.argv[2] if len(sys.argv) > 2 else tempfile.mktemp(suffix=".svg")

arm = jounce.load(path)
move = jounce.septic(arm.neutral(), arm.random(3), duration=2.0)  # from rest to rest
run = jounce.along(arm, move, points=201)
run.plot(picture)

print(f"{arm.name}: {len(run)} times, drawn in {picture}")
for k, joint in enumerate(arm.joints):
    print(f"{joint.name:>12}  |tau| <= {abs(run.tau[:, k]).max():8.3f}"
          f"  |tau'| <= {abs(run.tau_rate[:, k]).max():8.3f}")
for one in run.exceeded():
    print(f"{one.joint}: {one.kind} {one.value:.3g} at {one.t:.2f} s exceeds {one.limit:.3g}")
