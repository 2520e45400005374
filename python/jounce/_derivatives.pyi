# SPDX-License-Identifier: BSD-3-Clause
# The types of derivatives of dynamics, kinematics, momentum and energy.
from typing import NamedTuple

from numpy.typing import ArrayLike

from ._dynamics import _Flags, _Ground, _Wrenches
from ._robot import Robot, _Array, _Frame, _Kind

class InverseDerivatives(NamedTuple):
    dq: _Array
    dv: _Array
    da: _Array

class ForwardDerivatives(NamedTuple):
    dq: _Array
    dv: _Array
    dtau: _Array

class HybridDerivatives(NamedTuple):
    dq: _Array
    dv: _Array
    dgiven: _Array

class VectorJacobian(NamedTuple):
    dq: _Array
    dv: _Array
    da: _Array

class TwistDerivatives(NamedTuple):
    dq: _Array
    dv: _Array

class AccelerationDerivatives(NamedTuple):
    dq: _Array
    dv: _Array
    da: _Array

class ComDerivatives(NamedTuple):
    position_dq: _Array
    velocity_dq: _Array
    velocity_dv: _Array
    acceleration_dq: _Array
    acceleration_dv: _Array
    acceleration_da: _Array

class MomentumDerivatives(NamedTuple):
    momentum_dq: _Array
    momentum_dv: _Array
    rate_dq: _Array
    rate_dv: _Array
    rate_da: _Array

class EnergyDerivatives(NamedTuple):
    kinetic_dq: _Array
    kinetic_dv: _Array
    potential_dq: _Array

class Derivatives:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def inverse(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> InverseDerivatives: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> ForwardDerivatives: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike,
        wrenches: _Wrenches = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True
    ) -> HybridDerivatives: ...
    def inverse_jacobian_vector(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, dq: ArrayLike, dv: ArrayLike,
        da: ArrayLike, wrenches: _Wrenches = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, out: _Array | None = None
    ) -> _Array: ...
    def forward_jacobian_vector(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dq: ArrayLike, dv: ArrayLike,
        dtau: ArrayLike, wrenches: _Wrenches = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, out: _Array | None = None
    ) -> _Array: ...
    def inverse_vector_jacobian(
        self, y: ArrayLike, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> VectorJacobian: ...
    def forward_vector_jacobian(
        self, y: ArrayLike, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (),
        *, ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> VectorJacobian: ...
    def twist(
        self, frame: _Frame, kind: _Kind, q: ArrayLike, v: ArrayLike, *, ground: _Ground = None
    ) -> TwistDerivatives: ...
    def spatial_acceleration(
        self, frame: _Frame, kind: _Kind, q: ArrayLike, v: ArrayLike, a: ArrayLike, *,
        ground: _Ground = None
    ) -> AccelerationDerivatives: ...
    def classical_acceleration(
        self, frame: _Frame, kind: _Kind, q: ArrayLike, v: ArrayLike, a: ArrayLike, *,
        ground: _Ground = None
    ) -> AccelerationDerivatives: ...
    def com(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, ground: _Ground = None
    ) -> ComDerivatives: ...
    def momentum(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, ground: _Ground = None
    ) -> MomentumDerivatives: ...
    def energy(
        self, q: ArrayLike, v: ArrayLike, *, ground: _Ground = None
    ) -> EnergyDerivatives: ...

class InverseSecondDerivatives(NamedTuple):
    dqdq: _Array
    dqdv: _Array
    dvdv: _Array
    dadq: _Array

class ForwardSecondDerivatives(NamedTuple):
    dqdq: _Array
    dqdv: _Array
    dvdv: _Array
    dtaudq: _Array

class SecondProducts(NamedTuple):
    dqdq: _Array
    dqdv: _Array
    dvdv: _Array
    dadq: _Array

class SecondDerivatives:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def inverse(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> InverseSecondDerivatives: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> ForwardSecondDerivatives: ...
    def inverse_products(
        self, y: ArrayLike, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> SecondProducts: ...
    def forward_products(
        self, y: ArrayLike, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (),
        *, ground: _Ground = None, passive: bool = True, gravity: bool = True
    ) -> SecondProducts: ...
    def mass(self, q: ArrayLike) -> _Array: ...
    def mass_second(self, q: ArrayLike, k: int, l: int) -> _Array: ...
