# SPDX-License-Identifier: BSD-3-Clause
# The types of dynamics and kinematics of higher order.
from collections.abc import Sequence
from typing import Literal, NamedTuple

from numpy.typing import ArrayLike

from ._dynamics import _Flags, _Ground, _WrenchSeries
from ._group import Twist
from ._robot import Robot, _Array, _Frame, _Kind

class HybridSeriesResult(NamedTuple):
    motion: _Array
    taus: _Array

class JointWrenchSeries(NamedTuple):
    joints: dict[str, _Array]
    ground: _Array

class Series:
    def __init__(self, robot: Robot, order: int) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def order(self) -> int: ...
    def inverse(
        self, q: ArrayLike, motion: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> _Array: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, taus: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> _Array: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, motion: ArrayLike, taus: ArrayLike,
        wrenches: _WrenchSeries = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, joint_torques: ArrayLike | None = None
    ) -> HybridSeriesResult: ...

    def joint_wrenches(
        self, q: ArrayLike, motion: ArrayLike, kind: _Kind = "body",
        wrenches: _WrenchSeries = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, joint_torques: ArrayLike | None = None
    ) -> JointWrenchSeries: ...

class WorldSeries:
    def __init__(
        self, robot: Robot, order: int, frames: Literal["spatial", "hybrid"] = "spatial",
        base: Literal["body", "own"] = "body"
    ) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def order(self) -> int: ...
    def inverse(
        self, q: ArrayLike, motion: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> _Array: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, taus: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> _Array: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, motion: ArrayLike, taus: ArrayLike,
        wrenches: _WrenchSeries = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, joint_torques: ArrayLike | None = None
    ) -> HybridSeriesResult: ...

class KinematicSeries:
    def __init__(self, robot: Robot, order: int) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def order(self) -> int: ...
    def at(self, q: ArrayLike, motion: ArrayLike, *, ground: _Ground = None) -> KinematicSeries: ...
    def pose(self, frame: _Frame, k: int) -> _Array: ...
    def twist(self, frame: _Frame, kind: _Kind, k: int) -> Twist: ...
    def jacobian(self, frame: _Frame, kind: _Kind, k: int) -> _Array: ...

class SeriesPartials:
    @property
    def order(self) -> int: ...
    def series(self) -> _Array: ...
    def __call__(self, r: int, s: int) -> _Array: ...

class SeriesDerivatives:
    def __init__(self, robot: Robot, order: int) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def order(self) -> int: ...
    def inverse(
        self, q: ArrayLike, motion: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> SeriesPartials: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, taus: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None
    ) -> SeriesPartials: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, motion: ArrayLike, taus: ArrayLike,
        wrenches: _WrenchSeries = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, joint_torques: ArrayLike | None = None
    ) -> SeriesPartials: ...

class Propellers:
    def __init__(
        self, positions: ArrayLike, axes: ArrayLike, thrust: float, drag: float,
        spins: Sequence[int]
    ) -> None: ...
    @property
    def count(self) -> int: ...
    @property
    def rank(self) -> int: ...
    def allocation(self) -> _Array: ...
    def wrench(self, speeds: ArrayLike) -> _Array: ...
    def speeds(self, wrenches: ArrayLike) -> _Array: ...
    def nearest_speeds(self, wrenches: ArrayLike) -> _Array: ...

def tilted_hexarotor(
    arm: float, height: float, tilt: float, thrust: float, drag: float
) -> Propellers: ...
def spatial_rates(
    robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike
) -> dict[str, _Array]: ...
