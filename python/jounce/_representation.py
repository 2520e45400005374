# SPDX-License-Identifier: BSD-3-Clause
"""What classes without a text of their own are shown as: the robot they are about, or what they
hold."""

from . import _jounce

LONGEST = 6  # properties


def short_text(value):
    """Numbers and words as they are, arrays by their shape, lists by their length."""
    if isinstance(value, (bool, int, float, str)):
        return f"{value:.5g}" if isinstance(value, float) else repr(value)
    if hasattr(value, "shape"):
        return f"array{value.shape}"
    if isinstance(value, (list, tuple, dict)):
        return f"{type(value).__name__} of {len(value)}"
    return type(value).__name__


def representation(self):
    parts = []
    for name in (n for n, x in vars(type(self)).items() if isinstance(x, property)):
        try:
            value = getattr(self, name)
        except (ValueError, RuntimeError):  # not asked for yet
            continue
        robot = isinstance(value, _jounce.Robot)
        parts.append(f'"{value.name}"' if robot else f"{name}={short_text(value)}")
    more = ", ..." if len(parts) > LONGEST else ""
    return f"{type(self).__name__}({', '.join(parts[:LONGEST])}{more})"


for _class in vars(_jounce).values():
    if isinstance(_class, type) and _class.__repr__ is object.__repr__:
        _class.__repr__ = representation
