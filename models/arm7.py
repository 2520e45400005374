# SPDX-License-Identifier: BSD-3-Clause
"""arm7: a seven-joint arm with the layout of a human arm and an offset elbow."""

from shapes import capsule, cylinder
from urdf_writer import Joint, Robot, solid_link

DENSITY = 1530.0   # kg/m^3: an aluminium shell with motors and gears, taken as uniform
ELBOW = 0.05       # offset of the elbow axis from the line shoulder - wrist

COMMENT = """
Seven revolute joints: shoulder (z, y, z), elbow (y), wrist (z, y, z), the elbow axis 50 mm off
the line from shoulder to wrist. Base: fixed. All numbers chosen for this project:
  lengths: base to shoulder 0.34 m, shoulder to elbow 0.38 m, elbow to wrist 0.37 m, wrist to
    flange 0.10 m, so the flange reaches 0.85 m from the shoulder;
  inertias: the cylinders and capsules below at a uniform 1530 kg/m^3 (an aluminium shell with
    motors and gears inside); where two primitives of a link overlap, the overlap counts twice;
  limits: position, torque and speed of the size that arms of this class have.
At q = 0 the arm stands upright and all frames are parallel to the base: z up, x forward.
"""

# Joint: position in the parent link (m), axis, lower, upper (rad), effort (N m), velocity (rad/s)
JOINTS = (
    ((0.0, 0.0, 0.16), "z", -2.9, 2.9, 160.0, 2.0),
    ((0.0, 0.0, 0.18), "y", -2.0, 2.0, 160.0, 2.0),
    ((0.0, 0.0, 0.18), "z", -2.9, 2.9, 90.0, 2.2),
    ((ELBOW, 0.0, 0.20), "y", -0.1, 2.6, 90.0, 2.2),
    ((-ELBOW, 0.0, 0.19), "z", -2.9, 2.9, 40.0, 3.0),
    ((0.0, 0.0, 0.18), "y", -2.0, 2.0, 30.0, 3.0),
    ((0.0, 0.0, 0.06), "z", -2.9, 2.9, 20.0, 3.0),
)
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def _tube(radius, start, end, x=0.0):
    """A cylinder along z."""
    return cylinder(radius, end - start, (x, 0.0, 0.5 * (start + end)), density=DENSITY)


def _drive(radius, length, x=0.0, z=0.0):
    """A rounded motor housing along y."""
    return capsule(radius, length, (x, 0.0, z), along="y", density=DENSITY)


def _links():
    return (
        solid_link("base", _tube(0.08, 0.0, 0.14)),
        solid_link("link_1", _tube(0.058, -0.02, 0.13), _drive(0.055, 0.06, z=0.18)),
        solid_link("link_2", _tube(0.055, 0.05, 0.17)),
        solid_link("link_3", _tube(0.052, -0.01, 0.15), _drive(0.048, 0.05, x=ELBOW, z=0.20)),
        solid_link("link_4", _tube(0.048, 0.04, 0.18, x=-ELBOW)),
        solid_link("link_5", _tube(0.044, -0.01, 0.13), _drive(0.040, 0.05, z=0.18)),
        solid_link("link_6", _tube(0.040, 0.02, 0.05)),
        solid_link("link_7", _tube(0.038, -0.01, 0.04)),
        solid_link("flange", _tube(0.0315, 0.0, 0.008)),
    )


def arm7():
    links = _links()
    joints = [Joint(f"joint_{i + 1}", "revolute", links[i].name, links[i + 1].name, position,
                    axis=AXES[axis], lower=lower, upper=upper, effort=effort, velocity=velocity)
              for i, (position, axis, lower, upper, effort, velocity) in enumerate(JOINTS)]
    joints.append(Joint("flange_joint", "fixed", "link_7", "flange", (0.0, 0.0, 0.04)))
    return Robot("arm7", "fixed", "chosen; primitives of 1530 kg/m^3", COMMENT, links,
                 tuple(joints))
