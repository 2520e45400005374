# SPDX-License-Identifier: BSD-3-Clause
# The types of the Python module and of its parts; a test compares them with the compiled module.
from ._constrained import *
from ._derivatives import *
from ._dynamics import *
from ._geometry import *
from ._simulation_gradient import *
from ._group import *
from ._inverse_kinematics import *
from ._linear import *
from ._move import *
from ._papers import *
from ._parameters import *
from ._robot import *
from ._series import *
from ._simulation import *
from ._stewart import *
from ._table import *

__version__: str
__all__: list[str]

class InputError(ValueError): ...
class ComputationError(RuntimeError): ...

def version() -> str: ...
def best_isa() -> str: ...
def optimised() -> bool: ...
