# SPDX-License-Identifier: BSD-3-Clause
# The types of linear models and regulators.
from collections.abc import Sequence
from typing import NamedTuple

from numpy.typing import ArrayLike

from ._derivatives import Derivatives
from ._dynamics import _Ground, _Wrenches
from ._robot import _Array

class LinearModel(NamedTuple):
    A: _Array
    B: _Array

class Regulator(NamedTuple):
    cost: _Array
    gain: _Array
    residual: float
    iterations: int

def linearise(
    derivatives: Derivatives, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (),
    *, ground: _Ground = None, passive: bool = True, gravity: bool = True
) -> LinearModel: ...
def discretise(A: ArrayLike, B: ArrayLike, dt: float) -> LinearModel: ...
def continuous_regulator(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> Regulator: ...
def discrete_regulator(A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike) -> Regulator: ...
def finite_horizon_gains(
    steps: Sequence[tuple[ArrayLike, ArrayLike]], Q: ArrayLike, R: ArrayLike, Q_end: ArrayLike
) -> list[_Array]: ...
