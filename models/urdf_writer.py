# SPDX-License-Identifier: BSD-3-Clause
"""A robot as plain data, and its text as URDF and JSON with a stable layout."""

import dataclasses

import shapes as solids


@dataclasses.dataclass(frozen=True)
class Link:
    name: str
    mass: float
    centre: tuple        # centre of mass in the link's frame
    inertia: tuple       # 3x3 about the centre of mass, in axes turned by rpy
    shapes: tuple        # what is drawn and touched
    rpy: tuple = (0.0, 0.0, 0.0)


@dataclasses.dataclass(frozen=True)
class Joint:
    name: str
    kind: str            # revolute, continuous, prismatic, fixed
    parent: str
    child: str
    position: tuple = (0.0, 0.0, 0.0)
    rpy: tuple = (0.0, 0.0, 0.0)
    axis: tuple = (0.0, 0.0, 1.0)
    lower: float = 0.0
    upper: float = 0.0
    effort: float = 0.0
    velocity: float = 0.0
    damping: float = 0.0
    friction: float = 0.0


@dataclasses.dataclass(frozen=True)
class Robot:
    name: str
    base: str            # fixed or free
    source: str          # one line for the table
    comment: str         # what it is and where each number comes from
    links: tuple
    joints: tuple
    sidecars: dict = dataclasses.field(default_factory=dict)   # file name -> JSON data


def solid_link(name, *shapes):
    """A link whose inertia is that of its shapes."""
    mass, centre, inertia = solids.mass_properties(shapes)
    return Link(name, mass, centre, inertia, shapes)


def given_link(name, mass, centre, moments, *shapes, rpy=(0.0, 0.0, 0.0)):
    """A link whose principal moments come from a publication; its shapes are drawn only."""
    inertia = tuple(tuple(moments[i] if i == j else 0.0 for j in range(3)) for i in range(3))
    return Link(name, mass, centre, inertia, shapes, rpy)


def number(x):
    """Shortest text: 15 digits where they are within 7e-16 of the value, else up to 17."""
    x = float(x)
    rounded = float(f"{x:.15g}")
    if abs(x - rounded) <= 7e-16 * abs(x):
        x = rounded
    return str(int(x)) if x == int(x) and abs(x) < 1e6 else repr(x)


def vector(values):
    return " ".join(number(x) for x in values)


def _origin(position, rpy):
    return f'<origin xyz="{vector(position)}" rpy="{vector(rpy)}"/>'


def _inertia_attributes(inertia):
    largest = max(abs(x) for row in inertia for x in row)
    names = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2),
             ("izz", 2, 2))

    def entry(i, j):   # products of inertia that are only rounding noise are zero
        return 0.0 if abs(inertia[i][j]) < 1e-14 * largest else inertia[i][j]

    return " ".join(f'{name}="{number(entry(i, j))}"' for name, i, j in names)


def _geometries(shape):
    """(position, rpy, tag) of each URDF primitive that makes up the shape."""
    def tag(kind, **sizes):
        return f"<{kind} " + " ".join(f'{k}="{v}"' for k, v in sizes.items()) + "/>"

    if shape.kind == "box":
        return [(shape.centre, shape.rpy, tag("box", size=vector(shape.size)))]
    radius = number(shape.size[0])
    if shape.kind == "sphere":
        return [(shape.centre, shape.rpy, tag("sphere", radius=radius))]
    barrel = tag("cylinder", radius=radius, length=number(shape.size[1]))
    parts = [(shape.centre, shape.rpy, barrel)]
    if shape.kind == "capsule":   # plain URDF has no capsule
        parts += [(end, (0.0, 0.0, 0.0), tag("sphere", radius=radius))
                  for end in solids.ends(shape)]
    return parts


def _link_lines(link):
    yield f'  <link name="{link.name}">'
    yield "    <inertial>"
    yield f"      {_origin(link.centre, link.rpy)}"
    yield f'      <mass value="{number(link.mass)}"/>'
    yield f"      <inertia {_inertia_attributes(link.inertia)}/>"
    yield "    </inertial>"
    for element in ("visual", "collision"):
        for shape in link.shapes:
            for position, rpy, tag in _geometries(shape):
                yield f"    <{element}>"
                yield f"      {_origin(position, rpy)}"
                yield f"      <geometry>{tag}</geometry>"
                yield f"    </{element}>"
    yield "  </link>"


def _joint_lines(joint):
    yield f'  <joint name="{joint.name}" type="{joint.kind}">'
    yield f"    {_origin(joint.position, joint.rpy)}"
    yield f'    <parent link="{joint.parent}"/>'
    yield f'    <child link="{joint.child}"/>'
    if joint.kind != "fixed":
        yield f'    <axis xyz="{vector(joint.axis)}"/>'
        bounds = "" if joint.kind == "continuous" else (
            f'lower="{number(joint.lower)}" upper="{number(joint.upper)}" ')
        yield (f'    <limit {bounds}effort="{number(joint.effort)}" '
               f'velocity="{number(joint.velocity)}"/>')
        if joint.damping or joint.friction:
            yield (f'    <dynamics damping="{number(joint.damping)}" '
                   f'friction="{number(joint.friction)}"/>')
    yield "  </joint>"


def to_urdf(robot):
    lines = ['<?xml version="1.0"?>', "<!--", "  SPDX-License-Identifier: BSD-3-Clause",
             f"  {robot.name}: written by models/generate.py, do not edit.", ""]
    lines += [f"  {line}".rstrip() for line in robot.comment.strip().splitlines()]
    lines += ["-->", f'<robot name="{robot.name}">']
    for link in robot.links:
        lines += _link_lines(link)
    for joint in robot.joints:
        lines += _joint_lines(joint)
    return "\n".join(lines + ["</robot>", ""])


def to_json(value, indent=""):
    """JSON with objects over several lines and lists of plain values on one."""
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [f"{deeper}{to_json(k)}: {to_json(v, deeper)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)):
        if any(isinstance(v, (dict, list, tuple)) for v in value):
            rows = [deeper + to_json(v, deeper) for v in value]
            return "[\n" + ",\n".join(rows) + f"\n{indent}]"
        return "[" + ", ".join(to_json(v) for v in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, bool):
        return "true" if value else "false"
    return number(value)
