# SPDX-License-Identifier: BSD-3-Clause
"""The planar robots: planar_2r, four_bar and five_bar."""

import math

from shapes import box
from urdf_writer import Joint, Robot, solid_link

ALUMINIUM = 2700.0      # kg/m^3
ROOT_HALF = math.sqrt(0.5)
# Loop placements have z along the pin. About x by +90 degrees: z goes to -y, the pins' axis.
PIN = (ROOT_HALF, 0.0, 0.0, ROOT_HALF)
PIN_AXIS = (0.0, -1.0, 0.0)


def planar_2r():
    comment = """
Two revolute joints with parallel axes: the 2R example of F. C. Park, J. E. Bobrow and
S. R. Ploen, "A Lie group formulation of robot dynamics", Int. J. Robotics Research 14(6), 1995,
section 4.3.1, equations (60) to (64). Base: fixed.

The paper keeps the 2R arm general and prints no numbers. Chosen here: links that are uniform
bars of 1 m, 1 kg and 0.8 m, 0.5 kg with a square section of 0.1 m (different, so that a swapped
index shows), limits of half a turn, 20 N m and 10 N m, 10 rad/s; a base block of 1 kg. The arm
moves in the x-y plane and turns about z, so gravity along z does no work: the paper ignores it.
"""
    thick = 0.1
    links = (
        solid_link("base", box((0.2, 0.2, 0.1), (0.0, 0.0, -0.1), mass=1.0)),
        solid_link("link_1", box((1.0, thick, thick), (0.5, 0.0, 0.0), mass=1.0)),
        solid_link("link_2", box((0.8, thick, thick), (0.4, 0.0, 0.0), mass=0.5)),
    )
    joints = (
        Joint("joint_1", "revolute", "base", "link_1", lower=-math.pi, upper=math.pi,
              effort=20.0, velocity=10.0),
        Joint("joint_2", "revolute", "link_1", "link_2", (1.0, 0.0, 0.0), lower=-math.pi,
              upper=math.pi, effort=10.0, velocity=10.0),
    )
    return Robot("planar_2r", "fixed", "Park, Bobrow, Ploen 1995, 4.3.1; numbers chosen",
                 comment, links, joints)


def _bar(name, length):
    """A flat aluminium bar along x, between pins at 0 and at its length."""
    return solid_link(name, box((length, 0.01, 0.02), (0.5 * length, 0.0, 0.0),
                                density=ALUMINIUM))


def _pin(name, parent, child, x, kind="revolute", lower=-math.pi, upper=math.pi):
    return Joint(name, kind, parent, child, (x, 0.0, 0.0), axis=PIN_AXIS, lower=lower,
                 upper=upper, effort=5.0, velocity=20.0)


def _loop(name, link_1, length_1, link_2, length_2, closed, motors):
    def placement(x):
        return {"position": (x, 0.0, 0.0), "quaternion": PIN}

    loop = {"name": name, "link_1": link_1, "link_2": link_2,
            "placement_1": placement(length_1), "placement_2": placement(length_2),
            "kind": "revolute"}
    return {"convention": "placements are in the links' frames; quaternion x, y, z, w; "
                          "a revolute loop turns about the z axis of its placements",
            "loops": [loop], "closed_configuration": closed,
            "actuated": {joint: True for joint in motors}}


def four_bar():
    crank, coupler, rocker, ground = 0.10, 0.30, 0.35, 0.45
    comment = """
Planar four-bar linkage (crank-rocker), a tree cut open at the pin between coupler and rocker.
Base: fixed. No friction. All numbers chosen for this project:
  crank 0.10 m, coupler 0.30 m, rocker 0.35 m, ground 0.45 m (0.10 + 0.45 < 0.30 + 0.35: by
  Grashof's rule the crank turns fully); bars of 10 mm x 20 mm, aluminium, 2700 kg/m^3;
  a ground bar of the same section; 5 N m and 20 rad/s at each pin.
The linkage moves in the x-z plane, pins turn about -y (x towards z), gravity acts in the plane.

The cut (also in four_bar_loop.json): the point (0.30, 0, 0) of coupler and the point
(0.35, 0, 0) of rocker are one pin along -y. With the crank upright the linkage is made of
3-4-5 triangles: joint A = (0, 0), B = (0, 0.10), C = (0.24, 0.28), D = (0.45, 0) in (x, z). It
closes exactly at
  crank_joint = pi/2,  coupler_joint = atan2(3, 4) - pi/2,  rocker_joint = atan2(4, -3).
"""
    links = (_bar("ground", ground), _bar("crank", crank), _bar("coupler", coupler),
             _bar("rocker", rocker))
    joints = (_pin("crank_joint", "ground", "crank", 0.0, kind="continuous"),
              _pin("coupler_joint", "crank", "coupler", crank, kind="continuous"),
              _pin("rocker_joint", "ground", "rocker", ground, lower=0.0))
    closed = {"crank_joint": math.pi / 2, "coupler_joint": math.atan2(3, 4) - math.pi / 2,
              "rocker_joint": math.atan2(4, -3)}
    cut = _loop("coupler_rocker", "coupler", coupler, "rocker", rocker, closed,
                ("crank_joint",))
    return Robot("four_bar", "fixed", "chosen; 3-4-5 triangles", comment, links, joints,
                 {"four_bar_loop.json": cut})


def five_bar():
    half, proximal, distal = 0.06, 0.20, 0.30
    comment = """
Planar symmetric five-bar linkage, a tree cut open at the tip, where the two distal bars meet.
Base: fixed. No friction. All numbers chosen for this project:
  motors 0.12 m apart, proximal bars 0.20 m, distal bars 0.30 m; bars of 10 mm x 20 mm,
  aluminium, 2700 kg/m^3; a ground bar of the same section; 5 N m and 20 rad/s at each pin.
The linkage moves in the x-z plane, pins turn about -y (x towards z), gravity acts in the plane.

The cut (also in five_bar_loop.json): the points (0.30, 0, 0) of left_distal and of right_distal
are one pin along -y. With 3-4-5 triangles: left elbow (-0.18, 0.16), right elbow (0.18, 0.16),
tip (0, 0.40) in (x, z). It closes exactly at
  left_proximal_joint = atan2(4, -3),  left_distal_joint = atan2(4, 3) - atan2(4, -3),
  right_proximal_joint = atan2(4, 3),  right_distal_joint = atan2(4, -3) - atan2(4, 3).
"""
    ground = solid_link("ground", box((2 * half, 0.01, 0.02), (0.0, 0.0, 0.0),
                                      density=ALUMINIUM))
    links, joints = [ground], []
    for side, x in (("left", -half), ("right", half)):
        links += [_bar(f"{side}_proximal", proximal), _bar(f"{side}_distal", distal)]
        joints += [_pin(f"{side}_proximal_joint", "ground", f"{side}_proximal", x),
                   _pin(f"{side}_distal_joint", f"{side}_proximal", f"{side}_distal", proximal)]
    outward, inward = math.atan2(4, -3), math.atan2(4, 3)
    closed = {"left_proximal_joint": outward, "left_distal_joint": inward - outward,
              "right_proximal_joint": inward, "right_distal_joint": outward - inward}
    cut = _loop("tip", "left_distal", distal, "right_distal", distal, closed,
                ("left_proximal_joint", "right_proximal_joint"))
    return Robot("five_bar", "fixed", "chosen; 3-4-5 triangles", comment, tuple(links),
                 tuple(joints), {"five_bar_loop.json": cut})
