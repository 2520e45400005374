# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics of articulated rigid bodies on Lie groups.

Twists are V = (w, v) and wrenches F = (m, f), angular part first, and different types. T is the
pose of a frame b in a frame a: x_a = T * x_b. SI units, quaternions in the order x, y, z, w.
Functions have the names of the C++ library: exp, log, Ad, dual_Ad, ad, dexp_body, pull_back, ...
Values do not change once made; their arrays are read-only copies. What calls find belongs to the
caller: arrays, matrices in Fortran order, and named tuples of them. Where it is one vector, it goes
into the array `out` where that is given, without another one being made.

    arm = jounce.load("panda.urdf")     # or "builtin:arm7"; a Robot does not change
    kinematics = jounce.Kinematics(arm) # one per thread
    J = kinematics.at(q, v).jacobian_body("flange")
    tau = jounce.Dynamics(arm).inverse(q, v, a)
    found = jounce.InverseKinematics(arm).solve("flange", target, q)
"""

import sys as _sys

try:
    import numpy as _numpy  # noqa: F401
except ImportError as _error:
    raise ImportError(
        f"jounce: NumPy is missing in Python {_sys.version.split()[0]} ({_sys.executable}): "
        "apt-get install python3-numpy, or pip install numpy"
    ) from _error
try:
    from . import _jounce
    from ._jounce import *  # noqa: F403
except ImportError as _error:
    raise ImportError(
        f"jounce: the compiled part does not load in Python {_sys.version.split()[0]} ({_error}); "
        f"for this Python build it with -DJOUNCE_PYTHON=ON -DPython3_EXECUTABLE={_sys.executable}"
    ) from _error

from . import _representation  # noqa: E402, F401
from ._table import Table  # noqa: E402

__version__ = _jounce.version()
__all__ = [_name for _name in dir(_jounce) if not _name.startswith("_")] + ["Table"]
