# SPDX-License-Identifier: BSD-3-Clause
"""aerial_manipulator: a hexarotor with tilted propellers and two arms of three joints."""

import dataclasses
import math

from shapes import box, capsule, cylinder, turned
from spatial import cos_sin_degrees
from urdf_writer import Joint, Robot, solid_link

COMMENT = """
A flying base with six tilted propellers and two parallel arms of three revolute joints: the
aerial manipulator of A. Ali, C. Gabellieri, A. Franchi, "Lie group formulation of recursive
dynamics algorithms of higher order for floating-base robots", 2026, section 7.1 and fig. 2;
12 degrees of freedom. Base: free.

From the paper's text: seven bodies, the base and two branches of three links; both arms attached
to the base vertically, a distance below its centre of mass, side by side ("arm lateral spacing");
the base frame at its centre of mass; all frames parallel to the world at home; one entry for the
mass and one for the inertia of a link, read as shared by all six; six rigidly attached tilted
propellers, placed by rotations through fixed angles and a translation, with a thrust and a drag
coefficient (the paper refers to S. Rajappa, M. Ryll, H. H. Buelthoff, A. Franchi, ICRA 2015).

Its numbers (offsets, spacing, masses, inertias, angles, coefficients), the directions of the joint
axes and the formula of the propeller poses could not be read in the copy at hand. Chosen here:
  base: hub, cylinder of radius 0.10 m, height 0.06 m, 1.20 kg; six booms along the propeller arms,
    cylinders of radius 0.008 m from 0.10 m to 0.30 m, 0.03 kg each; six motors at 0.30 m,
    cylinders of radius 0.018 m, height 0.03 m, 0.08 kg each; two shoulder blocks, boxes of
    0.04 x 0.04 x 0.06 m centred 0.05 m below the hub's centre, 0.05 kg each, balanced by a
    battery above the hub, box of 0.12 x 0.06 x 0.03 m, 0.10 kg, 0.05 m above it, so that the
    base's centre of mass is its origin;
  arms: 0.20 m apart (y = +-0.10 m), first joint 0.08 m below the base's origin, joints 0.18 m
    apart, axes y, x, y; each link a capsule of radius 0.018 m, 0.144 m between the centres of its
    ends, 0.15 kg; 5 N m, 6 rad/s;
  propellers: at 0.30 m from the axis and 0.03 m above the origin, 60 degrees apart, the first on
    +x; tilted about their arm by +20 and -20 degrees in turn; thrust 1.0e-5 N s^2, drag
    1.6e-7 N m s^2; spinning + and - in turn about their own axis; at most 1100 rad/s.
    aerial_manipulator_propellers.json has them.
The paper puts each link's frame at its centre of mass; URDF needs it at the joint. So the link
frames here are 0.09 m higher, and <inertial> gives the paper's frame.
"""

ARM_RADIUS, PROPELLER_Z, TILT_DEGREES = 0.30, 0.03, 20
THRUST, DRAG, MAX_SPEED = 1.0e-5, 1.6e-7, 1100.0
SHOULDER_Y, SHOULDER_Z, SPACING = 0.10, -0.08, 0.18


def _propeller(k):
    c, s = cos_sin_degrees(60 * k)
    sign = 1 if k % 2 == 0 else -1
    ct, st = cos_sin_degrees(sign * TILT_DEGREES)
    return {"name": f"propeller_{k + 1}",
            "position": (ARM_RADIUS * c, ARM_RADIUS * s, PROPELLER_Z),
            "axis": (s * st, -c * st, ct),     # Rot_z(60 k) Rot_x(tilt) applied to z
            "thrust_coefficient": THRUST, "drag_coefficient": DRAG, "spin": sign}


def _propellers():
    return {"body": "base",
            "convention": "position and unit axis in the frame of body; at speed w (rad/s) the "
                          "propeller gives body the force f = thrust_coefficient w^2 axis and the "
                          "moment position x f - spin drag_coefficient w^2 axis about the origin; "
                          "spin +1: it turns positively about axis",
            "max_speed": MAX_SPEED,
            "propellers": [_propeller(k) for k in range(6)]}


def _disc(k):
    """A propeller's disc, drawn only."""
    disc = turned(cylinder(0.12, 0.004, (ARM_RADIUS, 0.0, PROPELLER_Z)), 60 * k)
    tilt = math.radians(TILT_DEGREES if k % 2 == 0 else -TILT_DEGREES)
    return dataclasses.replace(disc, rpy=(tilt, 0.0, disc.rpy[2]))


def _base():
    booms = [turned(cylinder(0.008, 0.20, (0.20, 0.0, 0.0), along="x", mass=0.03), 60 * k)
             for k in range(6)]
    motors = [turned(cylinder(0.018, 0.03, (ARM_RADIUS, 0.0, 0.0), mass=0.08), 60 * k)
              for k in range(6)]
    blocks = [box((0.04, 0.04, 0.06), (0.0, y, -0.05), mass=0.05)
              for y in (SHOULDER_Y, -SHOULDER_Y)]
    battery = box((0.12, 0.06, 0.03), (0.0, 0.0, 0.05), mass=0.10)
    hub = cylinder(0.10, 0.06, (0.0, 0.0, 0.0), mass=1.20)
    base = solid_link("base", hub, battery, *blocks, *booms, *motors, *map(_disc, range(6)))
    return dataclasses.replace(base, centre=(0.0, 0.0, 0.0))   # exact: the parts balance


def _arm(side, y):
    axes = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    links, joints = [], []
    parent, position = "base", (0.0, y, SHOULDER_Z)
    for i, axis in enumerate(axes, start=1):
        child = f"{side}_link_{i}"
        links.append(solid_link(child, capsule(0.018, SPACING - 0.036, (0.0, 0.0, -SPACING / 2),
                                               mass=0.15)))
        joints.append(Joint(f"{side}_joint_{i}", "revolute", parent, child, position, axis=axis,
                            lower=-2.0, upper=2.0, effort=5.0, velocity=6.0))
        parent, position = child, (0.0, 0.0, -SPACING)
    return links, joints


def aerial_manipulator():
    left, right = _arm("left", SHOULDER_Y), _arm("right", -SHOULDER_Y)
    return Robot("aerial_manipulator", "free",
                 "layout: Ali, Gabellieri, Franchi 2026; numbers chosen", COMMENT,
                 (_base(), *left[0], *right[0]), (*left[1], *right[1]),
                 {"aerial_manipulator_propellers.json": _propellers()})
