# SPDX-License-Identifier: BSD-3-Clause
"""puma560: the published tables of the Unimation PUMA 560, turned from standard DH into URDF."""

import math

from shapes import box, capsule, cylinder
from urdf_writer import Joint, Robot, given_link, solid_link

# Standard Denavit-Hartenberg: d, a (m), alpha (quarter turns). [CA94]
DH = ((0.0, 0.0, 1), (0.0, 0.4318, 0), (0.15005, 0.0203, -1), (0.4318, 0.0, 1),
      (0.0, 0.0, -1), (0.0, 0.0, 0))

# In DH frame i (at the far end of link i): mass, centre of mass, moments about the centre of
# mass. [AKB86] in the standard-DH form of [CA94]. ADDED marks what the sources do not give.
LINK_1_MASS_ADDED = 13.0
LINK_3_IZZ_PUBLISHED, LINK_3_IZZ_USED = 0.0125, 0.0205
BODIES = (
    (LINK_1_MASS_ADDED, (0.0, 0.0, 0.0), (0.35, 0.35, 0.35)),
    (17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
    (4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, LINK_3_IZZ_USED)),
    (0.82, (0.0, 0.019, 0.0), (1.8e-3, 1.3e-3, 1.8e-3)),
    (0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.4e-3, 0.3e-3)),
    (0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)

# Per joint: reflected motor and drive inertia (kg m^2) [AKB86]; gear ratio, viscous friction at
# the motor (N m s/rad), Coulomb friction at the motor for + and - motion (N m) [CA94]; limits
# (degrees) [CA94]; largest torque (N m) [AKB86]; largest speed (rad/s), chosen.
MOTORS = (
    (1.14, 62.6111, 1.48e-3, (0.395, 0.435), (-160, 160), 97.6, 1.5),
    (4.71, 107.815, 0.817e-3, (0.126, 0.071), (-45, 225), 186.4, 1.0),
    (0.83, 53.7063, 1.38e-3, (0.132, 0.105), (-225, 45), 89.4, 2.0),
    (0.200, 76.0364, 71.2e-6, (11.2e-3, 16.9e-3), (-110, 170), 24.2, 4.0),
    (0.179, 71.923, 82.6e-6, (9.26e-3, 14.5e-3), (-100, 100), 20.1, 4.0),
    (0.193, 76.686, 36.7e-6, (3.96e-3, 10.5e-3), (-266, 266), 21.3, 4.0),
)

COMMENT = """
Unimation PUMA 560, six revolute joints. Base: fixed.
Sources:
  [AKB86] B. Armstrong, O. Khatib, J. Burdick, "The explicit dynamic model and inertial
          parameters of the PUMA 560 arm", Proc. IEEE ICRA 1986, pp. 510-518: masses, centres of
          mass, moments of inertia, reflected motor inertia, largest torques.
  [CA94]  P. Corke, B. Armstrong-Helouvry, "A search for consensus among model parameters
          reported for the PUMA 560 robot", Proc. IEEE ICRA 1994, pp. 1608-1613, as tabulated in
          Corke's Robotics Toolbox: standard DH parameters, the same bodies in standard DH frames,
          gear ratios, motor friction; joint limits as the Toolbox lists them.
Frames: link_i has its origin on the axis of joint i, z along the axis; it is DH frame i-1 turned
by q_i. DH frame i is this frame moved by d_i along z, a_i along x and turned by alpha_i about x;
link_6 is DH frame 6. The base frame is at the height of the shoulder. The <inertial> of link_i is
turned by alpha_i, so that the moments stand as published.

Departures from the published numbers:
  link_1: only the moment about the axis of joint 1 (0.35 kg m^2) is published. Added: a mass of
    13 kg on the axis and the two other moments, 0.35 too. With a fixed base the link only turns
    about its own z axis and none of the added numbers enters the equations of motion (the mass
    does enter the centre of mass and the weight of the whole arm).
  link_3: the published moments 0.066, 0.086, 0.0125 violate the triangle inequality
    (0.066 + 0.0125 < 0.086), so no body has them. Izz, the smallest, is 0.0205 instead of 0.0125.
  Coulomb friction differs with the direction in [CA94]; the mean is used.
Chosen: largest speeds; the base (30 kg, never moves); all shapes (drawn only).

Motors, at the joint side (also in puma560_motors.json; armature cannot be said in plain URDF;
damping and friction repeat <dynamics>: gear^2 * viscous, gear * mean Coulomb):
"""
NOTE = """
[AKB86] also measured break-away torques: 6.3, 5.5, 2.6, 1.3, 1.0, 1.2 N m. The friction of
[CA94], used here, is larger than that at joints 1 to 3.
"""


def motor(i):
    """Armature, damping and Coulomb friction seen at joint i (from 0)."""
    armature, gear, viscous, coulomb, _, _, _ = MOTORS[i]
    return {"armature": armature, "damping": gear * gear * viscous,
            "friction": gear * 0.5 * (coulomb[0] + coulomb[1])}


def _motor_table():
    rows = ["  joint    gear      armature kg m^2  damping N m s/rad  friction N m"]
    for i, row in enumerate(MOTORS):
        m = motor(i)
        rows.append(f"  joint_{i + 1}  {row[1]:<8g}  {m['armature']:<15g}  "
                    f"{m['damping']:<17.6g}  {m['friction']:.6g}")
    return "\n".join(rows)


def _quarter_turns(n):
    """Exact cos and sin of n quarter turns."""
    return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[n % 4]


def _in_joint_frame(i, point):
    """A point of DH frame i, in the frame of link i: Trans_z(d) Trans_x(a) Rot_x(alpha)."""
    d, a, turns = DH[i]
    c, s = _quarter_turns(turns)
    x, y, z = point
    return (a + x, c * y - s * z, d + s * y + c * z)


def _shapes(i):
    drawn = (
        (cylinder(0.08, 0.20, (0.0, 0.0, 0.0)),),
        (box((0.56, 0.15, 0.10), (0.15, 0.0, 0.2275)),),
        (capsule(0.05, 0.30, (0.0203, 0.15, 0.15005), along="y"),),
        (cylinder(0.04, 0.10, (0.0, 0.0, 0.36)),),
        (cylinder(0.035, 0.08, (0.0, 0.0, 0.0)),),
        (cylinder(0.03, 0.02, (0.0, 0.0, 0.045)),),
    )
    return drawn[i]


def _link(i):
    mass, centre, moments = BODIES[i]
    rpy = (DH[i][2] * math.pi / 2, 0.0, 0.0)
    return given_link(f"link_{i + 1}", mass, _in_joint_frame(i, centre), moments, *_shapes(i),
                      rpy=rpy)


def _joint(i):
    position, rpy = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if i > 0:
        d, a, turns = DH[i - 1]
        position, rpy = (a, 0.0, d), (turns * math.pi / 2, 0.0, 0.0)
    _, _, _, _, limits, effort, velocity = MOTORS[i]
    lower, upper = (math.pi * degrees / 180 for degrees in limits)
    m = motor(i)
    parent = f"link_{i}" if i > 0 else "base"
    return Joint(f"joint_{i + 1}", "revolute", parent, f"link_{i + 1}", position, rpy,
                 lower=lower, upper=upper, effort=effort, velocity=velocity,
                 damping=m["damping"], friction=m["friction"])


def puma560():
    base = solid_link("base", cylinder(0.10, 0.60, (0.0, 0.0, -0.40), mass=30.0))
    links = (base, *(_link(i) for i in range(6)))
    joints = tuple(_joint(i) for i in range(6))
    comment = COMMENT.rstrip() + "\n" + _motor_table() + "\n" + NOTE.strip()
    motors = {joint.name: motor(i) for i, joint in enumerate(joints)}
    return Robot("puma560", "fixed",
                 "Armstrong, Khatib, Burdick 1986; Corke, Armstrong-Helouvry 1994",
                 comment, links, joints, {"puma560_motors.json": motors})
