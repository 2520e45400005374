# SPDX-License-Identifier: BSD-3-Clause
# The types of inverse kinematics.
from collections.abc import Iterable, Sequence
from typing import overload

from numpy.typing import ArrayLike

from ._group import SE3, Twist
from ._robot import Robot, _Array, _Frame, _Kind

class PoseGoal:
    def __init__(
        self, frame: _Frame, pose: SE3, rotation_weight: float = 1.0, position_weight: float = 1.0
    ) -> None: ...
    @property
    def frame(self) -> _Frame: ...
    @property
    def pose(self) -> SE3: ...
    @property
    def rotation_weight(self) -> float: ...
    @property
    def position_weight(self) -> float: ...

class TwistGoal:
    def __init__(
        self, frame: _Frame, twist: Twist, kind: _Kind = "hybrid",
        components: Sequence[bool] | None = None
    ) -> None: ...
    @property
    def components(self) -> list[bool]: ...
    @property
    def frame(self) -> _Frame: ...
    @property
    def twist(self) -> Twist: ...
    @property
    def kind(self) -> _Kind: ...

class IkResult:
    @property
    def q(self) -> _Array: ...
    @property
    def converged(self) -> bool: ...
    @property
    def residual(self) -> float: ...
    @property
    def iterations(self) -> int: ...
    @property
    def restarts(self) -> int: ...

class VelocityResult:
    @property
    def v(self) -> _Array: ...
    @property
    def primary_error(self) -> float: ...
    @property
    def secondary_error(self) -> float: ...

class InverseKinematics:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @overload
    def solve(
        self, frame: _Frame, pose: SE3, q_guess: ArrayLike, *, rotation_weight: float = 1.0,
        position_weight: float = 1.0, max_iterations: int = 100, max_restarts: int = 20,
        seed: int = 1, tolerance: float = 1e-09, respect_limits: bool = True,
        preferred: ArrayLike | None = None, preference_gain: float = 0.3
    ) -> IkResult: ...
    @overload
    def solve(
        self, goals: PoseGoal | Iterable[PoseGoal], q_guess: ArrayLike, *,
        max_iterations: int = 100, max_restarts: int = 20, seed: int = 1, tolerance: float = 1e-09,
        respect_limits: bool = True, preferred: ArrayLike | None = None,
        preference_gain: float = 0.3
    ) -> IkResult: ...
    def velocity(
        self, q: ArrayLike, primary: TwistGoal | Iterable[TwistGoal],
        secondary: TwistGoal | Iterable[TwistGoal] = (), *, singular_below: float = 0.02,
        damping: float = 0.02
    ) -> VelocityResult: ...
