# SPDX-License-Identifier: BSD-3-Clause
# The types of the geometry of the kinetic-energy metric and of motions that cost least.
from typing import Callable, NamedTuple, Sequence

from numpy.typing import ArrayLike

from ._robot import Robot, _Array

class Curvature(NamedTuple):
    riemann: _Array
    ricci: _Array
    scalar: float
    mass: _Array

class GeodesicPath(NamedTuple):
    times: list[float]
    q: _Array
    v: _Array
    steps: int

class ShortestPath(NamedTuple):
    times: list[float]
    q: _Array
    v: _Array
    length: float
    residual: float
    iterations: int
    converged: bool

class Flatness(NamedTuple):
    flat: bool
    ratio: float
    q: _Array

class FlatPoint(NamedTuple):
    y: _Array
    N: _Array

class Geometry:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def christoffel(self, q: ArrayLike) -> _Array: ...
    def second_kind(self, q: ArrayLike) -> _Array: ...
    def christoffel_derivatives(self, q: ArrayLike) -> _Array: ...
    def curvature(self, q: ArrayLike) -> Curvature: ...
    def sectional(self, q: ArrayLike, x: ArrayLike, y: ArrayLike) -> float: ...
    def structure_constant(self, i: int, j: int, k: int) -> float: ...
    def covariant_derivative(
        self, q: ArrayLike, v: ArrayLike, Y: ArrayLike, Ydot: ArrayLike, *,
        out: _Array | None = None
    ) -> _Array: ...
    def geodesic(
        self, q: ArrayLike, v: ArrayLike, times: ArrayLike, tolerance: float = 1e-13
    ) -> GeodesicPath: ...
    def shortest_path(
        self, q0: ArrayLike, q1: ArrayLike, points: int = 41
    ) -> ShortestPath: ...
    def transport(
        self, curve: Callable[[float], tuple[ArrayLike, ArrayLike]], start: float, end: float,
        steps: int, Y: ArrayLike
    ) -> _Array: ...
    def flatness(self, samples: int = 8, threshold: float = 1e-12) -> Flatness: ...
    def flat_coordinates(
        self, q0: ArrayLike, q: ArrayLike, steps: int = 200
    ) -> FlatPoint: ...

class GeometrySensitivity:
    def __init__(self, robot: Robot, parameters: Sequence[tuple[str, str, int]]) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def mass(self, q: ArrayLike) -> _Array: ...
    def christoffel(self, q: ArrayLike) -> _Array: ...

class SplinePath:
    def __call__(self, t: float, order: int = 0) -> _Array: ...
    @property
    def duration(self) -> float: ...
    @property
    def control(self) -> _Array: ...

class MinimumMotionResult(NamedTuple):
    path: SplinePath
    value: float
    straight: float
    values: _Array
    residual: float
    iterations: int
    at_limits: int
    converged: bool

class MinimumMotion:
    def __init__(
        self, robot: Robot, *, cost: str = "energy", duration: float = 1.0,
        control_points: int = 14, limits: bool = True, gravity: bool = True, passive: bool = False,
        tolerance: float = 1e-08, iterations: int = 300
    ) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def find(self, q0: ArrayLike, q1: ArrayLike) -> MinimumMotionResult: ...
