# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics of articulated rigid bodies on Lie groups.

Twists are V = (w, v) and wrenches F = (m, f), angular part first, and different types. T is the
pose of a frame b in a frame a: x_a = T * x_b. SI units, quaternions in the order x, y, z, w.
Functions have the names of the C++ library: exp, log, Ad, dual_Ad, ad, dexp_body, pull_back, ...
Values do not change once made; their arrays are read-only copies.

    arm = jounce.load("panda.urdf")     # or "builtin:arm7"; a Robot does not change
    dynamics = jounce.Dynamics(arm)     # one per thread
    dynamics.kinematics(q, v)
    J = dynamics.jacobian_body("flange")
    found = jounce.InverseKinematics(arm).solve("flange", target, q)
"""

import sys as _sys

try:
    from . import _jounce
    from ._jounce import *  # noqa: F403
except ImportError as _error:
    raise ImportError(
        f"jounce: the compiled part does not load in Python {_sys.version.split()[0]} ({_error}); "
        f"for this Python build it with -DJOUNCE_PYTHON=ON -DPython3_EXECUTABLE={_sys.executable}"
    ) from _error

__version__ = _jounce.version()
__all__ = [_name for _name in dir(_jounce) if not _name.startswith("_")]
