# SPDX-License-Identifier: BSD-3-Clause
"""Matrices and vectors with the names of joints beside their numbers."""

import html
import shutil

import numpy as np

from ._jounce import InputError, Robot

TWIST = ("wx", "wy", "wz", "vx", "vy", "vz")


def coordinate_names(robot, which):
    """Of q or v: "elbow", of a joint with several coordinates "base:0", "base:1", ..."""
    names = []
    for joint in robot.joints:
        place = getattr(joint, which)
        count = place.stop - place.start
        if not joint.mimic:
            names += [joint.name] if count == 1 else [f"{joint.name}:{k}" for k in range(count)]
    return names


def cells_of(values):
    """Four digits; rounding errors, below 1e-14 of the largest number, are zeros."""
    least = 1e-14 * np.max(np.abs(values), initial=0)
    return [["0" if abs(x) <= least else f"{x:.4g}" for x in row] for row in values]


class Table:
    """A matrix or vector with names: what Robot.table gives.

    print(table) is for terminals, a notebook shows a table, numpy.asarray(table) has the numbers.
    Numbers below 1e-14 of the largest are shown as 0.
    """

    def __init__(self, values, rows, columns):
        self._values, self._rows, self._columns = values, tuple(rows), tuple(columns)

    @property
    def values(self):
        """The numbers, shape (rows, columns)."""
        return self._values

    @property
    def rows(self):
        """The names of the rows."""
        return self._rows

    @property
    def columns(self):
        """The names of the columns; empty strings for a vector."""
        return self._columns

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype=dtype)

    def __repr__(self):
        cells = cells_of(self._values)
        widths = [max([len(name)] + [len(row[j]) for row in cells])
                  for j, name in enumerate(self._columns)]
        first = max(map(len, self._rows), default=0)
        room = shutil.get_terminal_size().columns - first
        lines, start = [], 0
        while start < len(widths) or start == 0:
            stop = start + 1
            while stop < len(widths) and sum(w + 2 for w in widths[start:stop + 1]) <= room:
                stop += 1
            lines += [""] if start else []
            if any(self._columns[start:stop]):
                lines.append(" " * first + "".join(
                    f"  {n:>{w}}" for n, w in zip(self._columns[start:stop], widths[start:stop])))
            lines += [f"{name:<{first}}" + "".join(
                f"  {c:>{w}}" for c, w in zip(row[start:stop], widths[start:stop]))
                for name, row in zip(self._rows, cells)]
            start = stop
        return "\n".join(lines)

    def _repr_html_(self):
        def line(cells):
            return "<tr>" + "".join(cells) + "</tr>"
        head = line(["<th></th>"] + [f"<th>{html.escape(n)}</th>" for n in self._columns])
        body = [line([f"<th>{html.escape(name)}</th>"] + [f"<td>{x}</td>" for x in row])
                for name, row in zip(self._rows, cells_of(self._values))]
        return "<table>" + (head if any(self._columns) else "") + "".join(body) + "</table>"


def names_of(robot, count):
    """Of an axis of so many numbers: velocities, positions, or none."""
    if count == robot.nv:
        return coordinate_names(robot, "v")
    if count == robot.nq:
        return coordinate_names(robot, "q")
    return [str(k) for k in range(count)]


def may_be_jacobian(numbers):
    """Not symmetric, as a mass matrix is, or without anything that tells."""
    differences = np.max(np.abs(numbers - numbers.T))
    return not 0 <= differences < 1e-9 * np.max(np.abs(numbers))


def row_names(robot, numbers, wanted):
    """Of the rows: as wanted, or as what alone has so many."""
    count, needed = len(numbers), {"twist": 6, "joints": robot.nv}
    if wanted is not None and wanted not in needed:
        raise InputError(f"table: rows is {wanted!r}, needs 'joints' or 'twist'")
    if wanted is not None and count != needed[wanted]:
        whose = "a twist has 6" if wanted == "twist" else f"the robot has nv = {robot.nv}"
        raise InputError(f"table: values has {count} rows, {whose}")
    if wanted is None and numbers.shape == (6, 6) and robot.nv == 6 and may_be_jacobian(numbers):
        raise InputError("table: six rows of this robot are a Jacobian's or a matrix of joints', "
                         "needs rows='twist' or rows='joints'")
    if wanted == "twist" or (wanted is None and count == 6 != robot.nv):
        return TWIST
    return names_of(robot, count)


def table(self, values, rows=None):
    """A Table of a vector or a matrix of this robot, with names beside
    the numbers: those of joints where an axis has nv or nq numbers, wx to vz for the six rows of a
    Jacobian, counted from 0 elsewhere. rows='twist' or rows='joints' says which six rows they are:
    where nv = 6 it needs to, but for a symmetric matrix, which is of joints."""
    numbers = np.asarray(values, dtype=float)
    if numbers.ndim not in (1, 2):
        raise InputError(f"table: values has shape {numbers.shape}, needs a vector or a matrix")
    names = row_names(self, numbers, rows)
    if numbers.ndim == 1:
        return Table(numbers[:, None], names, [""])
    return Table(numbers, names, names_of(self, numbers.shape[1]))


Table.__module__ = table.__module__ = "jounce"
Robot.table = table
