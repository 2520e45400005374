# SPDX-License-Identifier: BSD-3-Clause
"""Checks on the written files: they read the text again and trust nothing of the generator."""

import json
import math
import random
import xml.etree.ElementTree as ElementTree

import puma560
from spatial import (IDENTITY, about, add, apply, compose, cross, dot, from_quaternion, from_rpy,
                     is_positive_definite, pose_difference, rank, scale, subtract)

ORIGIN = (IDENTITY, (0.0, 0.0, 0.0))


def _floats(element, attribute):
    return tuple(float(x) for x in element.get(attribute).split())


def _pose(element):
    origin = element.find("origin")
    return from_rpy(_floats(origin, "rpy")), _floats(origin, "xyz")


def check_moments(mass, inertia):
    """Positive mass; inertia and pseudo-inertia (triangle inequality) positive definite."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
    half = 0.5 * (xx + yy + zz)
    second_moments = ((half - xx, -xy, -xz), (-xy, half - yy, -yz), (-xz, -yz, half - zz))
    problems = []
    if not mass > 0:
        problems.append("mass is not positive")
    if not is_positive_definite(inertia):
        problems.append("inertia is not positive definite")
    if not is_positive_definite(second_moments):
        problems.append("moments of inertia violate the triangle inequality")
    return problems


def check_inertia(link):
    inertial = link.find("inertial")
    if inertial is None:
        return [f'link "{link.get("name")}" has no inertia']
    mass = float(inertial.find("mass").get("value"))
    xx, xy, xz, yy, yz, zz = (float(inertial.find("inertia").get(name))
                              for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    problems = check_moments(mass, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    if link.find("visual") is None or link.find("collision") is None:
        problems.append("no visual or no collision")
    return [f'link "{link.get("name")}": {problem}' for problem in problems]


def check_joint(joint, links):
    problems = []
    for end in ("parent", "child"):
        if joint.find(end).get("link") not in links:
            problems.append(f"{end} does not exist")
    if joint.get("type") != "fixed":
        axis = _floats(joint.find("axis"), "xyz")
        if abs(dot(axis, axis) - 1) > 1e-15:
            problems.append("axis is not a unit vector")
        limit = joint.find("limit")
        if not (float(limit.get("effort")) > 0 and float(limit.get("velocity")) > 0):
            problems.append("effort or velocity limit is not positive")
        if joint.get("type") != "continuous" and not (
                float(limit.get("lower")) < float(limit.get("upper"))):
            problems.append("lower limit is not below upper limit")
    return [f'joint "{joint.get("name")}": {problem}' for problem in problems]


def check_tree(robot):
    """Names are unique, every link but one has one parent, and no joint chain is a circle."""
    links = [link.get("name") for link in robot.findall("link")]
    joints = [joint.get("name") for joint in robot.findall("joint")]
    parent = {joint.find("child").get("link"): joint.find("parent").get("link")
              for joint in robot.findall("joint")}
    problems = []
    if len(set(links)) != len(links) or len(set(joints)) != len(joints):
        problems.append("a name is used twice")
    if len(parent) != len(joints) or len(links) != len(joints) + 1:
        problems.append("not a tree")
    for link in links:
        steps = 0
        while link in parent and steps <= len(links):
            link, steps = parent[link], steps + 1
        if steps > len(links):
            problems.append("joints form a circle")
    return problems


def forward_kinematics(robot, q):
    """Pose of every link in the root link; q maps joint names to values, 0 where absent."""
    root = robot.find("link").get("name")
    poses, waiting = {root: ORIGIN}, list(robot.findall("joint"))
    while waiting:
        joint = waiting.pop(0)
        parent = joint.find("parent").get("link")
        if parent not in poses:
            waiting.append(joint)
            continue
        pose = compose(poses[parent], _pose(joint))
        if joint.get("type") != "fixed":
            axis, value = _floats(joint.find("axis"), "xyz"), q.get(joint.get("name"), 0.0)
            move = ((IDENTITY, scale(value, axis)) if joint.get("type") == "prismatic"
                    else (about(axis, value), (0.0, 0.0, 0.0)))
            pose = compose(pose, move)
        poses[joint.find("child").get("link")] = pose
    return poses


def check_puma(robot):
    """URDF against the product of the standard DH matrices, at random angles."""
    generator = random.Random(560)
    worst = 0.0
    for _ in range(100):
        q = [generator.uniform(-math.pi, math.pi) for _ in range(6)]
        dh = ORIGIN
        for angle, (d, a, turns) in zip(q, puma560.DH):
            dh = compose(dh, (about((0, 0, 1), angle), (0.0, 0.0, d)))
            dh = compose(dh, (about((1, 0, 0), turns * math.pi / 2), (a, 0.0, 0.0)))
        urdf = forward_kinematics(robot, {f"joint_{i + 1}": x for i, x in enumerate(q)})
        worst = max(worst, pose_difference(dh, urdf["link_6"]))
    return [] if worst < 1e-13 else [f"DH and URDF kinematics differ by {worst:.1e}"]


def check_loops(robot, data):
    """At the closed configuration both sides of each cut meet, with pins parallel."""
    poses = forward_kinematics(robot, data["closed_configuration"])
    problems = []
    for loop in data["loops"]:
        sides = []
        for k in ("1", "2"):
            placement = loop[f"placement_{k}"]
            local = (from_quaternion(placement["quaternion"]), tuple(placement["position"]))
            sides.append(compose(poses[loop[f"link_{k}"]], local))
        gap = max(abs(x) for x in subtract(sides[0][1], sides[1][1]))
        pins = [apply(side[0], (0.0, 0.0, 1.0)) for side in sides]
        twist = max(abs(x) for x in subtract(*pins))
        if max(gap, twist) > 1e-12:
            problems.append(f'loop "{loop["name"]}" is open by {max(gap, twist):.1e}')
    return problems


def check_propellers(data):
    """Unit axes, and six propellers that give any wrench."""
    columns, problems = [], []
    for p in data["propellers"]:
        if abs(dot(p["axis"], p["axis"]) - 1) > 1e-15:
            problems.append(f'{p["name"]}: axis is not a unit vector')
        force = scale(p["thrust_coefficient"], p["axis"])
        drag = scale(-p["spin"] * p["drag_coefficient"], p["axis"])
        columns.append(add(cross(p["position"], force), drag) + force)
    if rank(columns, 1e-3 * data["propellers"][0]["thrust_coefficient"]) != 6:
        problems.append("the propellers do not give every wrench")
    return problems


def check_robot(name, urdf, sidecars):
    """Every problem of one robot; `urdf` and the values of `sidecars` are the files' text."""
    robot = ElementTree.fromstring(urdf)
    links = {link.get("name") for link in robot.findall("link")}
    problems = check_tree(robot)
    for link in robot.findall("link"):
        problems += check_inertia(link)
    for joint in robot.findall("joint"):
        problems += check_joint(joint, links)
    for text in sidecars.values():
        data = json.loads(text)
        if "loops" in data:
            problems += check_loops(robot, data)
        if "propellers" in data:
            problems += check_propellers(data)
    if name == "puma560":
        problems += check_puma(robot)
    return [f"{name}: {problem}" for problem in problems]
