# SPDX-License-Identifier: BSD-3-Clause
# The types of ConstrainedDynamics, its derivatives, series, sensitivities, and constraints.
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from numpy.typing import ArrayLike

from ._dynamics import JointWrenches, _Flags, _Ground, _Wrenches, _WrenchSeries
from ._group import SE3, Twist, Wrench
from ._robot import Robot, _Array, _Frame, _Kind

_LoopKind = Literal[
    "fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "point",
    "orientation", "distance"
]
# frames that the ground holds: a frame, or (frame, "fixed" unless given) each
_Contacts = Sequence[_Frame | tuple[_Frame] | tuple[_Frame, _LoopKind]]
_Optimum = Literal["force", "torque"]
_Path = Literal["fastest", "factors", "clusters"]

class ConstrainedForward(NamedTuple):
    a: _Array
    lambda_: _Array
    rank: int
    rank_margin: float
    redundancy_defect: float
    residual: float

class ConstrainedInverse(NamedTuple):
    tau: _Array
    lambda_: _Array
    rank: int
    rank_margin: float
    redundancy_defect: float
    residual: float
    free_dimension: int

class InverseFamily(NamedTuple):
    tau: _Array
    lambda_: _Array
    tau_free: _Array
    lambda_free: _Array

class ConstrainedHybrid(NamedTuple):
    a: _Array
    tau: _Array
    lambda_: _Array
    rank: int
    rank_margin: float
    redundancy_defect: float
    residual: float
    free_dimension: int

class Assembly(NamedTuple):
    q: _Array
    converged: bool
    residual: float
    iterations: int
    worst_loop: int

class Assemblies(NamedTuple):
    q: _Array
    complete: bool
    discriminant: float
    worst_loop: int
    starts: int

class Singularity(NamedTuple):
    rows: float
    passive: float
    frame: float
    position: float
    mobility: int
    instantaneous: int

class ClosedIkResult(NamedTuple):
    q: _Array
    converged: bool
    residual: float
    iterations: int
    restarts: int
    end: Literal["converged", "open_loops", "limits", "out_of_reach", "iterations"]

class Impulse(NamedTuple):
    v: _Array
    lambda_: _Array
    rank: int
    rank_margin: float
    redundancy_defect: float
    residual: float

class ConstrainedDynamics:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def rows(self) -> int: ...
    @property
    def rank(self) -> int: ...
    @property
    def mobility(self) -> int: ...
    def first_row(self, loop: int) -> int: ...
    def decide_rank(self, q: ArrayLike, *, time: float = 0) -> int: ...
    def set_path(self, path: _Path) -> None: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        contacts: _Contacts = (), time: float = 0
    ) -> ConstrainedForward: ...
    def inverse(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        contacts: _Contacts = (), optimum: _Optimum = "force",
        passive_forces: ArrayLike | None = None, time: float = 0
    ) -> ConstrainedInverse: ...
    def inverse_family(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        contacts: _Contacts = (), time: float = 0
    ) -> InverseFamily: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike,
        wrenches: _Wrenches = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, contacts: _Contacts = (), optimum: _Optimum = "force",
        time: float = 0
    ) -> ConstrainedHybrid: ...
    def assemble(
        self, guess: ArrayLike, kept: _Flags | None = None, *, time: float = 0
    ) -> Assembly: ...
    def assemblies(
        self, q: ArrayLike, kept: _Flags | None = None, *, starts: int = 100, seed: int = 1
    ) -> Assemblies: ...
    def working_modes(self, loop: int, point: ArrayLike, q: ArrayLike) -> Assemblies: ...
    def closure(self, q: ArrayLike, *, time: float = 0) -> _Array: ...
    def closure_jacobian(self, q: ArrayLike, *, time: float = 0) -> _Array: ...
    def project(
        self, q: ArrayLike, v: ArrayLike, contacts: _Contacts = (), *, time: float = 0
    ) -> _Array: ...
    def impulse(
        self, q: ArrayLike, v: ArrayLike, contacts: _Contacts = (), restitution: float = 0.0,
        *, time: float = 0
    ) -> Impulse: ...
    def jacobian(
        self, q: ArrayLike, contacts: _Contacts = (), *, time: float = 0
    ) -> _Array: ...
    def bias(
        self, q: ArrayLike, v: ArrayLike, contacts: _Contacts = (), *, time: float = 0
    ) -> _Array: ...
    def loop_wrenches(
        self, q: ArrayLike, lambda_: ArrayLike, contacts: _Contacts = ()
    ) -> list[Wrench]: ...

class ClosedKinematics:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def mobility(self) -> int: ...
    def decide_rank(self, q: ArrayLike, *, time: float = 0) -> int: ...
    def motion(
        self, q: ArrayLike, driven: _Flags | None = None, *, time: float = 0
    ) -> _Array: ...
    def jacobian(
        self, q: ArrayLike, frame: _Frame, kind: _Kind = "body", driven: _Flags | None = None,
        *, time: float = 0
    ) -> _Array: ...
    def singularity(
        self, q: ArrayLike, frame: _Frame, driven: _Flags | None = None, *, time: float = 0
    ) -> Singularity: ...
    def solve(
        self, frame: _Frame, pose: SE3, q_guess: ArrayLike, *, rotation_weight: float = 1.0,
        position_weight: float = 1.0, max_iterations: int = 100, max_restarts: int = 20,
        seed: int = 1, tolerance: float = 1e-9, respect_limits: bool = True, time: float = 0
    ) -> ClosedIkResult: ...

class ConstrainedWrenches:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    def joint_wrenches(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lambda_: ArrayLike, kind: _Kind = "body",
        wrenches: _Wrenches = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, contacts: _Contacts = ()
    ) -> JointWrenches: ...

class ConstrainedForwardDerivatives(NamedTuple):
    da_dq: _Array
    da_dv: _Array
    da_dtau: _Array
    dlambda_dq: _Array
    dlambda_dv: _Array
    dlambda_dtau: _Array

class ConstrainedInverseDerivatives(NamedTuple):
    dtau_dq: _Array
    dtau_dv: _Array
    dtau_da: _Array
    dlambda_dq: _Array
    dlambda_dv: _Array
    dlambda_da: _Array

class ConstrainedHybridDerivatives(NamedTuple):
    dq: _Array
    dv: _Array
    dgiven: _Array
    dlambda_dq: _Array
    dlambda_dv: _Array
    dlambda_dgiven: _Array

class ConstraintDerivatives(NamedTuple):
    dq: _Array
    dv: _Array
    dforce_dq: _Array

class ConstrainedDerivatives:
    def __init__(self, robot: Robot) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def rows(self) -> int: ...
    def decide_rank(self, q: ArrayLike, *, time: float = 0) -> int: ...
    def set_path(self, path: _Path) -> None: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        contacts: _Contacts = (), time: float = 0
    ) -> ConstrainedForwardDerivatives: ...
    def inverse(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        contacts: _Contacts = (), optimum: _Optimum = "force",
        passive_forces: ArrayLike | None = None, time: float = 0
    ) -> ConstrainedInverseDerivatives: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike,
        wrenches: _Wrenches = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, contacts: _Contacts = (), optimum: _Optimum = "force", time: float = 0
    ) -> ConstrainedHybridDerivatives: ...
    def constraints(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, lambda_: ArrayLike,
        contacts: _Contacts = (), *, time: float = 0
    ) -> ConstraintDerivatives: ...

class ConstrainedSeriesResult(NamedTuple):
    motion: _Array
    taus: _Array
    lambdas: _Array

class ConstrainedSeries:
    def __init__(self, robot: Robot, order: int) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def order(self) -> int: ...
    @property
    def rows(self) -> int: ...
    def decide_rank(self, q: ArrayLike, *, time: float = 0) -> int: ...
    def set_path(self, path: _Path) -> None: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, taus: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None, contacts: _Contacts = (), time: float = 0
    ) -> ConstrainedSeriesResult: ...
    def inverse(
        self, q: ArrayLike, motion: ArrayLike, wrenches: _WrenchSeries = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        joint_torques: ArrayLike | None = None, contacts: _Contacts = (),
        optimum: _Optimum = "force", time: float = 0
    ) -> ConstrainedSeriesResult: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, motion: ArrayLike, taus: ArrayLike,
        wrenches: _WrenchSeries = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, joint_torques: ArrayLike | None = None, contacts: _Contacts = (),
        optimum: _Optimum = "force", time: float = 0
    ) -> ConstrainedSeriesResult: ...

class ConstrainedSensitivities(NamedTuple):
    dx_dp: _Array
    dlambda_dp: _Array

class ClosedSensitivities(NamedTuple):
    dq_dp: _Array
    dv_dp: _Array
    open_dp: _Array

class ConstrainedSensitivity:
    def __init__(self, robot: Robot, parameters: Sequence[tuple[str, str, int]]) -> None: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def rows(self) -> int: ...
    def decide_rank(self, q: ArrayLike, *, time: float = 0) -> int: ...
    def set_path(self, path: _Path) -> None: ...
    def forward(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        contacts: _Contacts = (), time: float = 0
    ) -> ConstrainedSensitivities: ...
    def inverse(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, wrenches: _Wrenches = (), *,
        ground: _Ground = None, passive: bool = True, gravity: bool = True,
        contacts: _Contacts = (), optimum: _Optimum = "force",
        passive_forces: ArrayLike | None = None, time: float = 0
    ) -> ConstrainedSensitivities: ...
    def hybrid(
        self, prescribed: _Flags, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike,
        wrenches: _Wrenches = (), *, ground: _Ground = None, passive: bool = True,
        gravity: bool = True, contacts: _Contacts = (), optimum: _Optimum = "force", time: float = 0
    ) -> ConstrainedSensitivities: ...
    def closed(self, q: ArrayLike, v: ArrayLike, *, time: float = 0) -> ClosedSensitivities: ...

class Symbol:
    def __add__(self, other: Symbol | float) -> Symbol: ...
    def __radd__(self, other: float) -> Symbol: ...
    def __sub__(self, other: Symbol | float) -> Symbol: ...
    def __rsub__(self, other: float) -> Symbol: ...
    def __mul__(self, other: Symbol | float) -> Symbol: ...
    def __rmul__(self, other: float) -> Symbol: ...
    def __truediv__(self, other: Symbol | float) -> Symbol: ...
    def __rtruediv__(self, other: float) -> Symbol: ...
    def __pow__(self, exponent: float) -> Symbol: ...
    def __neg__(self) -> Symbol: ...
    def __abs__(self) -> Symbol: ...
    def __bool__(self) -> bool: ...
    def __float__(self) -> float: ...
    def sin(self) -> Symbol: ...
    def cos(self) -> Symbol: ...
    def tan(self) -> Symbol: ...
    def arcsin(self) -> Symbol: ...
    def arccos(self) -> Symbol: ...
    def arctan(self) -> Symbol: ...
    def arctan2(self, x: Symbol | float) -> Symbol: ...
    def exp(self) -> Symbol: ...
    def log(self) -> Symbol: ...
    def sqrt(self) -> Symbol: ...
    def tanh(self) -> Symbol: ...

def with_constraint(
    robot: Robot, name: str, joints: Sequence[str],
    f: Callable[[list[Symbol], Symbol], Symbol | Sequence[Symbol]]
) -> Robot: ...
def with_custom_joint(
    robot: Robot, joint: str, coordinates: int,
    f: Callable[[list[Symbol]], Sequence[Sequence[Symbol | float]]]
) -> Robot: ...
def lie_derivative(
    f: Callable[[list[list[Symbol]]], Symbol], T: SE3, X: Twist, side: str = "right"
) -> float: ...
def lie_gradient(
    f: Callable[[list[list[Symbol]]], Symbol], T: SE3, side: str = "right"
) -> _Array: ...
def lie_hessian(
    f: Callable[[list[list[Symbol]]], Symbol], T: SE3, side: str = "right"
) -> _Array: ...
