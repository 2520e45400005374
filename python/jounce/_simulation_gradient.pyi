# SPDX-License-Identifier: BSD-3-Clause
# The types of gradients of whole simulations.
from collections.abc import Sequence
from typing import NamedTuple

from numpy.typing import ArrayLike

from ._robot import Robot, _Array

class SimulationCovector(NamedTuple):
    q0: _Array
    v0: _Array
    tau: _Array
    parameters: _Array

class SimulationTangents(NamedTuple):
    q: _Array
    v: _Array

class SimulationGradient:
    def __init__(
        self, robot: Robot, integrator: str = "rk4",
        parameters: Sequence[tuple[str, str, int]] = (), *, passive: bool = True,
        gravity: bool = True, little_memory: bool = False
    ) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def steps(self) -> int: ...
    @property
    def q(self) -> _Array: ...
    @property
    def v(self) -> _Array: ...
    def simulate(
        self, q0: ArrayLike, v0: ArrayLike, steps: ArrayLike, taus: ArrayLike
    ) -> None: ...
    def adjoint(self, dq: ArrayLike, dv: ArrayLike) -> SimulationCovector: ...
    def adjoint_along(self, dq: ArrayLike, dv: ArrayLike) -> SimulationCovector: ...
    def tangents(self) -> SimulationTangents: ...
