# SPDX-License-Identifier: BSD-3-Clause
"""Solid primitives of uniform density: mass, centre and moments of inertia in closed form.

Every primitive takes `mass` or `density` (neither: drawn, but without mass). Primitives of one
link are added up; where two overlap, the overlap counts twice.
"""

import dataclasses
import math

from spatial import IDENTITY, add, apply, cos_sin_degrees, dot, multiply, scale, subtract, transpose

# Rotations that take the z axis of a cylinder to the named axis: roll, pitch, yaw and the matrix.
_ALONG = {
    "x": ((0.0, math.pi / 2, 0.0), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))),
    "y": ((-math.pi / 2, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))),
    "z": ((0.0, 0.0, 0.0), IDENTITY),
}


@dataclasses.dataclass(frozen=True)
class Shape:
    kind: str            # box, cylinder, capsule, sphere
    size: tuple          # box: edges; cylinder, capsule: radius, length; sphere: radius
    centre: tuple        # in the link's frame
    rpy: tuple           # of the shape's own axes in the link's frame
    rotation: tuple      # the same as a matrix, free of rounding noise
    mass: float
    moments: tuple       # principal moments about the centre, in the shape's own axes


def _weight(volume, mass, density):
    return mass if density is None else density * volume


def box(edges, centre, mass=0.0, density=None):
    x, y, z = edges
    m = _weight(x * y * z, mass, density)
    moments = scale(m / 12, (y * y + z * z, x * x + z * z, x * x + y * y))
    return Shape("box", edges, centre, (0.0, 0.0, 0.0), IDENTITY, m, moments)


def sphere(radius, centre, mass=0.0, density=None):
    m = _weight(4 * math.pi * radius * radius * radius / 3, mass, density)
    moment = 0.4 * m * radius * radius
    return Shape("sphere", (radius,), centre, (0.0, 0.0, 0.0), IDENTITY, m, (moment,) * 3)


def cylinder(radius, length, centre, along="z", mass=0.0, density=None):
    m = _weight(math.pi * radius * radius * length, mass, density)
    across = m * (radius * radius / 4 + length * length / 12)
    rpy, rotation = _ALONG[along]
    moments = (across, across, m * radius * radius / 2)
    return Shape("cylinder", (radius, length), centre, rpy, rotation, m, moments)


def capsule(radius, length, centre, along="z", mass=0.0, density=None):
    """`length` is that of the cylinder between the two half spheres."""
    r, L = radius, length
    barrel, caps = math.pi * r * r * L, 4 * math.pi * r * r * r / 3
    m = _weight(barrel + caps, mass, density)
    m_barrel = m * barrel / (barrel + caps)
    m_caps = m - m_barrel
    axial = m_barrel * r * r / 2 + m_caps * 0.4 * r * r
    across = (m_barrel * (L * L / 12 + r * r / 4)
              + m_caps * (0.4 * r * r + L * L / 4 + 0.375 * L * r))
    rpy, rotation = _ALONG[along]
    return Shape("capsule", (r, L), centre, rpy, rotation, m, (across, across, axial))


def turned(shape, degrees):
    """The shape, carried around the link's z axis."""
    c, s = cos_sin_degrees(degrees)
    Rz = ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))
    yaw = shape.rpy[2] + math.pi * degrees / 180
    return dataclasses.replace(shape, centre=apply(Rz, shape.centre),
                               rpy=(shape.rpy[0], shape.rpy[1], yaw),
                               rotation=multiply(Rz, shape.rotation))


def _inertia_about(point, shape):
    """Inertia matrix of one shape about a point of the link, in link axes (parallel axes)."""
    diagonal = tuple(tuple(shape.moments[i] if i == j else 0.0 for j in range(3))
                     for i in range(3))
    R = shape.rotation
    own = multiply(multiply(R, diagonal), transpose(R))
    r = subtract(shape.centre, point)
    rr = dot(r, r)
    return tuple(tuple(own[i][j] + shape.mass * ((rr if i == j else 0.0) - r[i] * r[j])
                       for j in range(3)) for i in range(3))


def mass_properties(shapes):
    """Mass, centre of mass and inertia matrix about it, of all shapes of one link."""
    mass = math.fsum(shape.mass for shape in shapes)
    centre = tuple(math.fsum(shape.mass * shape.centre[k] for shape in shapes) / mass
                   for k in range(3))
    parts = [_inertia_about(centre, shape) for shape in shapes]
    inertia = tuple(tuple(math.fsum(part[i][j] for part in parts) for j in range(3))
                    for i in range(3))
    return mass, centre, inertia


def ends(shape):
    """Centres of the two half spheres of a capsule."""
    half = scale(0.5 * shape.size[1], apply(shape.rotation, (0.0, 0.0, 1.0)))
    return subtract(shape.centre, half), add(shape.centre, half)
