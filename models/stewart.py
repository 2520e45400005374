# SPDX-License-Identifier: BSD-3-Clause
"""The Gough-Stewart platform, in Jounce's own JSON: URDF has neither its joints nor its loops."""

import json
import math

from checks import check_moments
from shapes import cylinder, mass_properties
from spatial import (IDENTITY, add, compose, cross, dot, from_rpy, pose_difference, scale,
                     subtract, transpose)
from urdf_writer import number

ABOUT = """
stewart: written by models/generate.py, do not edit. SPDX-License-Identifier: BSD-3-Clause
Gough-Stewart platform with six extensible legs. Base: fixed.
Joint centres: B. Xie, S. Dai, F. Liu, "A Lie group-based iterative algorithm framework for
numerically solving forward kinematics of Gough-Stewart platform", Mathematics 9(7), 757, 2021,
Table 1, in metres. The paper gives no masses, no limits and no home pose; chosen here:
home pose 0.5 m above the base and parallel to it; platform and base uniform discs of aluminium,
2700 kg/m^3, 20 mm thick, of radius 0.2 m and 0.3 m; each leg two slender uniform cylinders of
0.35 m, the lower of 1 kg and radius 20 mm, the upper of 0.5 kg and radius 10 mm; stroke 0.15 m to
either side of home, 500 N, 1 m/s; no friction.
A leg: universal joint at the base (first axis horizontal), prismatic joint along the leg,
spherical joint at the platform. The platform hangs on leg 1; legs 2 to 6 are cut open at their
upper joints. At zero every leg has its home length and every loop is closed.
"""

# Table 1: lower joints a_i in the base frame, upper joints b_i in the platform frame, cm.
LOWER = ((28.9778, 7.7646), (-7.7646, 28.9778), (-21.2132, 21.2132), (-21.2132, -21.2132),
         (-7.7646, -28.9778), (28.9778, -7.7646))
UPPER = ((14.1421, 14.1421), (5.1764, 19.3185), (-19.3185, 5.1764), (-19.3185, -5.1764),
         (5.1764, -19.3185), (14.1421, -14.1421))
# Equation (29), cm: the legs' lengths at the pose (0, 0, 50 cm), roll 20, pitch 0, yaw -30 degrees.
# Leg 6 is printed as 55.9910, which fits neither of the paper's two poses: both need 4 less.
LENGTHS = (55.8558, 62.5313, 52.7436, 55.1457, 44.7972, 51.9910)
TRUE_POSE = (from_rpy((math.radians(20), 0.0, math.radians(-30))), (0.0, 0.0, 0.5))
HOME_HEIGHT = 0.5       # m
BAR, STROKE = 0.35, 0.15
DENSITY = 2700.0        # kg/m^3
SOURCE = "Xie, Dai, Liu 2021, Table 1; masses and limits chosen"


def _metres(point):
    return (point[0] / 100, point[1] / 100, 0.0)


def leg_at_home(i):
    """Length, and rotation with z along the leg and x horizontal, of leg i = 1 ... 6."""
    top = add(_metres(UPPER[i - 1]), (0.0, 0.0, HOME_HEIGHT))
    along = subtract(top, _metres(LOWER[i - 1]))
    length = math.sqrt(dot(along, along))
    z = scale(1 / length, along)
    sideways = cross((0.0, 0.0, 1.0), z)
    x = scale(1 / math.sqrt(dot(sideways, sideways)), sideways)
    return length, transpose((x, cross(z, x), z))


def _link(name, solid):
    mass, centre, inertia = mass_properties((solid,))
    moments = [inertia[i][j] for i, j in ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2))]
    shape = {"cylinder": {"radius": solid.size[0], "length": solid.size[1]}}
    if any(solid.centre):
        shape = {"placement": {"position": solid.centre}, **shape}
    return {"name": name, "mass": mass, "com": centre, "inertia": moments, "visual": [shape],
            "collision": [shape]}


def _rotation(R):
    return [x for row in R for x in row]


def _leg_joints(i):
    length, R = leg_at_home(i)
    yield {"name": f"universal_{i}", "parent": "base", "child": f"cylinder_{i}",
           "kind": "universal",
           "placement": {"position": _metres(LOWER[i - 1]), "rotation": _rotation(R)},
           "axes": [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], "lower": [-1.0, -1.0],
           "upper": [1.0, 1.0]}
    yield {"name": f"leg_{i}", "parent": f"cylinder_{i}", "child": f"piston_{i}",
           "kind": "prismatic", "placement": {"position": (0.0, 0.0, length)},
           "axes": [(0.0, 0.0, 1.0)], "lower": -STROKE, "upper": STROKE, "velocity": 1.0,
           "effort": 500.0, "actuated": True}


def _loop(i):
    _, R = leg_at_home(i)
    return {"name": f"spherical_{i}", "link_1": "platform", "link_2": f"piston_{i}",
            "placement_1": {"position": _metres(UPPER[i - 1])},
            "placement_2": {"rotation": _rotation(transpose(R))}, "kind": "spherical"}


def description():
    links = [_link("base", cylinder(0.3, 0.02, (0.0, 0.0, -0.01), density=DENSITY))]
    joints = []
    for i in range(1, 7):
        links += [_link(f"cylinder_{i}", cylinder(0.02, BAR, (0.0, 0.0, BAR / 2), mass=1.0)),
                  _link(f"piston_{i}", cylinder(0.01, BAR, (0.0, 0.0, -BAR / 2), mass=0.5))]
        joints += _leg_joints(i)
    links.append(_link("platform", cylinder(0.2, 0.02, (0.0, 0.0, 0.0), density=DENSITY)))
    _, R = leg_at_home(1)
    joints.append({"name": "spherical_1", "parent": "piston_1", "child": "platform",
                   "kind": "spherical", "placement": {"rotation": _rotation(transpose(R))},
                   "child_placement": {"position": scale(-1.0, _metres(UPPER[0]))}})
    return {"jounce": 1, "name": "stewart", "about": ABOUT.strip().splitlines(), "links": links,
            "joints": joints, "loops": [_loop(i) for i in range(2, 7)]}


def _one_line(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {_one_line(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_one_line(v) for v in value) + "]"
    return json.dumps(value) if isinstance(value, (str, bool)) else number(value)


def text():
    """Lists of objects and of texts over several lines, the keys of such objects too."""
    rows = []
    for key, value in description().items():
        if not isinstance(value, list):
            rows.append(f"  {json.dumps(key)}: {_one_line(value)}")
            continue
        entries = []
        for item in value:
            if isinstance(item, str):
                entries.append("    " + json.dumps(item))
            else:
                inner = ",\n".join(f"      {json.dumps(k)}: {_one_line(v)}"
                                   for k, v in item.items())
                entries.append("    {\n" + inner + "\n    }")
        rows.append(f"  {json.dumps(key)}: [\n" + ",\n".join(entries) + "\n  ]")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def table_row():
    robot = description()
    dof = sum({"universal": 2, "prismatic": 1, "spherical": 3}[joint["kind"]]
              for joint in robot["joints"])
    mass = math.fsum(link["mass"] for link in robot["links"])
    moving = mass - robot["links"][0]["mass"]
    return (f"| stewart | {dof} | {len(robot['joints'])} | {len(robot['links'])} | {mass:.3f} | "
            f"{moving:.3f} | fixed | {SOURCE} |")


def _pose(value):
    r = value.get("rotation", _rotation(IDENTITY))
    return (tuple(r[0:3]), tuple(r[3:6]), tuple(r[6:9])), tuple(value.get("position", (0, 0, 0)))


def check(written):
    """Tree, inertias, axes, loops, home pose and the paper's leg lengths, from the written text."""
    robot = json.loads(written)
    poses, problems = {"base": (IDENTITY, (0.0, 0.0, 0.0))}, []
    for joint in robot["joints"]:
        pose = compose(poses[joint["parent"]], _pose(joint.get("placement", {})))
        poses[joint["child"]] = compose(pose, _pose(joint.get("child_placement", {})))
        if any(abs(dot(a, a) - 1) > 1e-15 for a in joint.get("axes", [])):
            problems.append(f'joint "{joint["name"]}": axis is not a unit vector')
    if sorted(poses) != sorted(link["name"] for link in robot["links"]):
        problems.append("not a tree")
    for link in robot["links"]:
        xx, xy, yy, xz, yz, zz = link["inertia"]
        problems += [f'link "{link["name"]}": {problem}' for problem in check_moments(
            link["mass"], ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))]
    home = (IDENTITY, (0.0, 0.0, HOME_HEIGHT))
    if pose_difference(poses["platform"], home) > 1e-14:
        problems.append("zero is not the home pose")
    for loop in robot["loops"]:
        gap = pose_difference(*(compose(poses[loop[f"link_{k}"]], _pose(loop[f"placement_{k}"]))
                                for k in (1, 2)))
        if gap > 1e-14:
            problems.append(f'loop "{loop["name"]}" is open by {gap:.1e}')
    for i, leg in enumerate(LENGTHS, start=1):
        top = compose(TRUE_POSE, (IDENTITY, _metres(UPPER[i - 1])))[1]
        along = subtract(top, poses[f"cylinder_{i}"][1])
        if abs(100 * math.sqrt(dot(along, along)) - leg) > 1e-4:
            problems.append(f"leg {i} does not have the paper's length at the paper's pose")
    return [f"stewart: {problem}" for problem in problems]
