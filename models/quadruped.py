# SPDX-License-Identifier: BSD-3-Clause
"""quadruped: a walking robot with three joints per leg."""

from shapes import box, capsule, cylinder, sphere
from urdf_writer import Joint, Robot, solid_link

COMMENT = """
Four legs with three revolute joints each: hip abduction (x), hip flexion (y), knee (y).
Base: free. All numbers chosen for this project, of the size of a small research quadruped:
  trunk: box 0.40 x 0.20 x 0.10 m, 6.4 kg; hips at x = +-0.19 m, y = +-0.07 m;
  hip: cylinder along y, radius 0.045 m, length 0.06 m, 0.60 kg; the leg plane is 0.08 m outside;
  thigh: 0.21 m, capsule of radius 0.022 m, 0.55 kg, and the knee motor at the hip, cylinder
    along y of radius 0.04 m, length 0.04 m, 0.10 kg;
  shank: 0.21 m, capsule of radius 0.012 m, 0.12 kg; foot: sphere of radius 0.02 m, 0.03 kg;
  limits: position in rad below, 25 N m, 20 rad/s.
Frames: x forward, y left, z up; at q = 0 the legs hang straight down and all frames are parallel.
All axes point along +x or +y on both sides; abduction limits are mirrored from left to right.
"""

LEGS = (("front_left", 1.0, 1.0), ("front_right", 1.0, -1.0),
        ("hind_left", -1.0, 1.0), ("hind_right", -1.0, -1.0))
HIP_X, HIP_Y, LEG_Y, THIGH, SHANK = 0.19, 0.07, 0.08, 0.21, 0.21
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def _leg_links(leg, side):
    return [
        solid_link(f"{leg}_hip",
                   cylinder(0.045, 0.06, (0.0, 0.3 * side * LEG_Y, 0.0), along="y", mass=0.60)),
        solid_link(f"{leg}_thigh",
                   capsule(0.022, THIGH - 0.04, (0.0, 0.0, -0.5 * THIGH), mass=0.55),
                   cylinder(0.04, 0.04, (0.0, 0.0, 0.0), along="y", mass=0.10)),
        solid_link(f"{leg}_shank",
                   capsule(0.012, SHANK - 0.03, (0.0, 0.0, -0.5 * SHANK), mass=0.12)),
        solid_link(f"{leg}_foot", sphere(0.02, (0.0, 0.0, 0.0), mass=0.03)),
    ]


def _leg_joints(leg, fore, side):
    def joint(name, parent, child, position, axis, lower, upper):
        return Joint(f"{leg}_{name}", "revolute", parent, f"{leg}_{child}", position, axis=axis,
                     lower=lower, upper=upper, effort=25.0, velocity=20.0)

    inward, outward = (-0.6, 0.9) if side > 0 else (-0.9, 0.6)
    return [
        joint("hip_abduction", "base", "hip", (fore * HIP_X, side * HIP_Y, 0.0), X,
              inward, outward),
        joint("hip_flexion", f"{leg}_hip", "thigh", (0.0, side * LEG_Y, 0.0), Y, -1.6, 3.0),
        joint("knee", f"{leg}_thigh", "shank", (0.0, 0.0, -THIGH), Y, -2.7, 0.0),
        Joint(f"{leg}_ankle", "fixed", f"{leg}_shank", f"{leg}_foot", (0.0, 0.0, -SHANK)),
    ]


def quadruped():
    links = [solid_link("base", box((0.40, 0.20, 0.10), (0.0, 0.0, 0.0), mass=6.4))]
    joints = []
    for leg, fore, side in LEGS:
        links += _leg_links(leg, side)
        joints += _leg_joints(leg, fore, side)
    return Robot("quadruped", "free", "chosen; primitives of stated mass", COMMENT,
                 tuple(links), tuple(joints))
