# SPDX-License-Identifier: BSD-3-Clause
"""Vectors, rotations and poses as plain tuples: what the generator and its checks need, no more.

A rotation is three rows; a pose is (rotation, position). Sums go through math.fsum, which is
rounded once and so gives the same digits on every machine and Python version.
"""

import math

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def subtract(a, b):
    return tuple(x - y for x, y in zip(a, b))


def scale(s, a):
    return tuple(s * x for x in a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def transpose(A):
    return tuple(zip(*A))


def multiply(A, B):
    return tuple(tuple(dot(row, column) for column in transpose(B)) for row in A)


def apply(A, x):
    return tuple(dot(row, x) for row in A)


def cos_sin_degrees(degrees):
    """cos and sin, without rounding noise at the multiples of 30 and 45 degrees."""
    exact = {0: 0.0, 30: 0.5, 45: math.sqrt(0.5), 60: math.sqrt(0.75), 90: 1.0}

    def sine(angle):
        angle %= 360
        sign, angle = (-1.0, angle - 180) if angle >= 180 else (1.0, angle)
        angle = min(angle, 180 - angle)
        return sign * exact[angle] if angle in exact else sign * math.sin(math.radians(angle))

    return sine(degrees + 90), sine(degrees)


def about(axis, angle):
    """Rotation about a unit axis (Rodrigues)."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = axis
    v = 1.0 - c
    return ((x * x * v + c, x * y * v - z * s, x * z * v + y * s),
            (y * x * v + z * s, y * y * v + c, y * z * v - x * s),
            (z * x * v - y * s, z * y * v + x * s, z * z * v + c))


def from_rpy(rpy):
    """URDF: roll about x, then pitch about y, then yaw about z, all axes fixed."""
    Rx, Ry, Rz = (about(IDENTITY[k], rpy[k]) for k in range(3))
    return multiply(Rz, multiply(Ry, Rx))


def from_quaternion(q):
    x, y, z, w = q
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))


def compose(S, T):
    return multiply(S[0], T[0]), add(apply(S[0], T[1]), S[1])


def pose_difference(S, T):
    """Largest difference between two entries of the 3x4 matrices."""
    rotations = (abs(x - y) for a, b in zip(S[0], T[0]) for x, y in zip(a, b))
    positions = (abs(x - y) for x, y in zip(S[1], T[1]))
    return max(max(rotations), max(positions))


def determinant3(A):
    return dot(A[0], cross(A[1], A[2]))


def is_positive_definite(A):
    """By leading minors; A symmetric 3x3, judged relative to its trace."""
    t = A[0][0] + A[1][1] + A[2][2]
    if t <= 0:
        return False
    B = tuple(scale(1.0 / t, row) for row in A)
    minor2 = B[0][0] * B[1][1] - B[0][1] * B[1][0]
    return B[0][0] > 1e-9 and minor2 > 1e-12 and determinant3(B) > 1e-15


def rank(rows, tolerance):
    """Rank by Gaussian elimination with row pivoting."""
    A = [list(row) for row in rows]
    found = 0
    for column in range(len(A[0])):
        best = max(range(found, len(A)), key=lambda i: abs(A[i][column]), default=None)
        if best is None or abs(A[best][column]) <= tolerance:
            continue
        A[found], A[best] = A[best], A[found]
        for i in range(found + 1, len(A)):
            factor = A[i][column] / A[found][column]
            A[i] = [x - factor * y for x, y in zip(A[i], A[found])]
        found += 1
    return found
