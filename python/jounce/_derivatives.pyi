# SPDX-License-Identifier: BSD-3-Clause
# The types of sensitivities, of derivatives of higher order and of linear models.
from collections.abc import Sequence

from numpy.typing import ArrayLike

from ._dynamics import Dynamics, _Ground, _WrenchSeries, _Wrenches
from ._robot import Robot, _Array

class Sensitivity:
    def __init__(self, robot: Robot, parameters: Sequence[tuple[str, str, int]]) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def force(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> _Array: ...
    def acceleration(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> _Array: ...

class SeriesDerivatives:
    def __init__(self, robot: Robot, order: int) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def order(self) -> int: ...
    def inverse_series(
        self, q: ArrayLike, motion: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> _Array: ...
    def force(self, r: int, s: int) -> _Array: ...
    def forward_series(
        self, q: ArrayLike, v: ArrayLike, taus: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> _Array: ...
    def acceleration(self, r: int, s: int) -> _Array: ...

def linearise(
    dynamics: Dynamics, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (), *,
    ground: _Ground = None, passive: bool = True, gravity: bool = True
) -> tuple[_Array, _Array]: ...
def discretise(A: ArrayLike, B: ArrayLike, dt: float) -> tuple[_Array, _Array]: ...
def continuous_regulator(
    A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike
) -> tuple[_Array, _Array, float]: ...
def discrete_regulator(
    A: ArrayLike, B: ArrayLike, Q: ArrayLike, R: ArrayLike
) -> tuple[_Array, _Array, float]: ...
def finite_horizon_gains(
    steps: Sequence[tuple[ArrayLike, ArrayLike]], Q: ArrayLike, R: ArrayLike, Q_end: ArrayLike
) -> list[_Array]: ...
