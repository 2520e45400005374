# SPDX-License-Identifier: BSD-3-Clause
"""humanoid: a man of 73 kg with 32 revolute joints."""

import anthropometry as body
from shapes import box, capsule, sphere
from urdf_writer import Joint, Robot, given_link, solid_link

COMMENT = """
A human body with 32 revolute joints: legs 2 x 6, arms 2 x 7, torso 3, neck 3.
Base: free, the link pelvis.
Sources:
  P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics
    29(9), 1996, pp. 1223-1230, table 4, male, 73.0 kg, 1.741 m: length, mass, centre of mass and
    three radii of gyration of every segment (the table stands in models/anthropometry.py);
  D. A. Winter, Biomechanics and Motor Control of Human Movement, 4th ed., 2009, fig. 4.1: ankle
    height 0.039, shoulder height 0.818 and shoulder width 0.259 of the stature.
Segments: pelvis = lower trunk, abdomen = middle trunk, chest = upper trunk, head with neck. The
frame of a link is at its joint; centres of mass lie on the line between the segment's endpoints.
Sagittal, transverse and longitudinal radii belong to x, y and z, for the foot to z, y and x.

Chosen: the hips 0.17 m apart; the heel 0.05 m behind the ankle and the foot's centre of mass
0.04 m below it; the neck joint (cervicale) at the height that gives the stature; the order of the
axes; limits of position, torque and speed; all shapes (drawn only).
Added: where a joint has several axes, the links between them are balls of 0.05 kg and radius
0.04 m (moment 3.2e-5 kg m^2), 17 in all, so that no articulated inertia is singular. The body
weighs 73 kg, the model 0.85 kg more.

Frames: x forward, y left, z up; at q = 0 the body stands upright, arms down, palms forward, and
all frames are parallel. All axes point along +x, +y, +z on both sides; limits about x and z are
mirrored from left to right. Negative flexes the hip, shoulder and elbow; positive the knee.
"""

AXES = {"roll": (1.0, 0.0, 0.0), "pitch": (0.0, 1.0, 0.0), "yaw": (0.0, 0.0, 1.0)}
HIP_Y, HEEL_BEHIND, FOOT_BELOW = 0.085, 0.05, 0.04
BALL_MASS, BALL_RADIUS = 0.05, 0.04

# Chains from parent to child: joint, axis, lower, upper (rad), effort (N m), velocity (rad/s);
# None as segment: a ball between two axes of the same joint.
LEG = (
    ("hip_yaw", "yaw", -0.7, 0.7, 80.0, 8.0, None),
    ("hip_roll", "roll", -0.4, 0.8, 150.0, 8.0, None),
    ("hip_pitch", "pitch", -2.0, 0.5, 200.0, 10.0, "thigh"),
    ("knee", "pitch", 0.0, 2.4, 200.0, 12.0, "shank"),
    ("ankle_pitch", "pitch", -0.5, 0.9, 150.0, 10.0, None),
    ("ankle_roll", "roll", -0.4, 0.4, 60.0, 8.0, "foot"),
)
ARM = (
    ("shoulder_pitch", "pitch", -3.0, 1.0, 80.0, 8.0, None),
    ("shoulder_roll", "roll", -0.3, 3.0, 80.0, 8.0, None),
    ("shoulder_yaw", "yaw", -1.5, 1.5, 50.0, 8.0, "upper_arm"),
    ("elbow", "pitch", -2.5, 0.0, 60.0, 10.0, None),
    ("wrist_yaw", "yaw", -2.8, 0.2, 15.0, 10.0, "forearm"),
    ("wrist_roll", "roll", -0.5, 0.4, 15.0, 10.0, None),
    ("wrist_pitch", "pitch", -1.2, 1.2, 15.0, 10.0, "hand"),
)
TORSO = (
    ("lumbar_roll", "roll", -0.5, 0.5, 200.0, 4.0, None),
    ("lumbar_pitch", "pitch", -0.5, 1.2, 250.0, 4.0, "abdomen"),
    ("torso_yaw", "yaw", -0.8, 0.8, 120.0, 4.0, "chest"),
)
NECK = (
    ("neck_yaw", "yaw", -1.3, 1.3, 20.0, 6.0, None),
    ("neck_roll", "roll", -0.7, 0.7, 30.0, 6.0, None),
    ("neck_pitch", "pitch", -0.9, 0.9, 40.0, 6.0, "head"),
)


def _drawn(segment, length):
    """The shape of a segment; limbs hang down from their joint."""
    def limb(radius):
        return capsule(radius, length - 2 * radius, (0.0, 0.0, -0.5 * length))

    def trunk(depth, width):
        return box((depth, width, length), (0.0, 0.0, 0.5 * length))

    heel_to_centre = 0.5 * length - HEEL_BEHIND
    return {
        "pelvis": lambda: trunk(0.20, 0.32), "abdomen": lambda: trunk(0.20, 0.30),
        "chest": lambda: trunk(0.22, 0.34), "head": lambda: sphere(0.11, (0.0, 0.0, 0.13)),
        "upper_arm": lambda: limb(0.045), "forearm": lambda: limb(0.038),
        "hand": lambda: box((0.03, 0.08, 0.18), (0.0, 0.0, -0.09)),
        "thigh": lambda: limb(0.075), "shank": lambda: limb(0.05),
        "foot": lambda: box((length, 0.09, 0.06), (heel_to_centre, 0.0, -0.038)),
    }[segment]()


DE_LEVA = {"pelvis": "lower_trunk", "abdomen": "middle_trunk", "chest": "upper_trunk"}
UPWARD = ("pelvis", "abdomen", "chest", "head")   # first endpoint of the table is the upper one


def _segment_link(name, segment):
    s = body.segment(DE_LEVA.get(segment, segment))
    centre, moments = (0.0, 0.0, -s.to_centre), (s.sagittal, s.transverse, s.longitudinal)
    if segment in UPWARD:
        centre = (0.0, 0.0, s.length - s.to_centre)
    elif segment == "foot":
        centre = (s.to_centre - HEEL_BEHIND, 0.0, -FOOT_BELOW)
        moments = (s.longitudinal, s.transverse, s.sagittal)
    return given_link(name, s.mass, centre, moments, _drawn(segment, s.length))


def _ball_link(name):
    return solid_link(name, sphere(BALL_RADIUS, (0.0, 0.0, 0.0), mass=BALL_MASS))


def _end_of(segment):
    """Where the next joint sits on a segment."""
    length = body.segment(DE_LEVA.get(segment, segment)).length
    return (0.0, 0.0, length if segment in UPWARD else -length)


def _chain(rows, parent, position, side=""):
    """Links and joints of one limb; the right side mirrors the limits about x and z."""
    links, joints = [], []
    prefix = f"{side}_" if side else ""
    for name, axis, lower, upper, effort, velocity, segment in rows:
        if side == "right" and axis != "pitch":
            lower, upper = -upper, -lower
        child = prefix + (segment or f"{name}_ball")
        links.append(_segment_link(child, segment) if segment else _ball_link(child))
        joints.append(Joint(prefix + name, "revolute", parent, child, position, axis=AXES[axis],
                            lower=lower, upper=upper, effort=effort, velocity=velocity))
        parent, position = child, _end_of(segment) if segment else (0.0, 0.0, 0.0)
    return links, joints


def _chest_height():
    """Height of the lower end of the chest above the ground, standing."""
    leg = body.segment("thigh").length + body.segment("shank").length
    hip = body.ANKLE_HEIGHT * body.STATURE + leg
    return hip + body.segment("lower_trunk").length + body.segment("middle_trunk").length


def humanoid():
    chest = _chest_height()
    neck = round(body.STATURE - body.segment("head").length - chest, 12)
    shoulder = round(body.SHOULDER_HEIGHT * body.STATURE - chest, 12)
    shoulder_y = 0.5 * body.SHOULDER_WIDTH * body.STATURE
    parts = [
        _chain(TORSO, "pelvis", _end_of("pelvis")),
        _chain(NECK, "chest", (0.0, 0.0, neck)),
        _chain(ARM, "chest", (0.0, shoulder_y, shoulder), "left"),
        _chain(ARM, "chest", (0.0, -shoulder_y, shoulder), "right"),
        _chain(LEG, "pelvis", (0.0, HIP_Y, 0.0), "left"),
        _chain(LEG, "pelvis", (0.0, -HIP_Y, 0.0), "right"),
    ]
    links = [_segment_link("pelvis", "pelvis")] + [link for part in parts for link in part[0]]
    joints = [joint for part in parts for joint in part[1]]
    return Robot("humanoid", "free", "de Leva 1996, male; Winter 2009; limits chosen", COMMENT,
                 tuple(links), tuple(joints))
