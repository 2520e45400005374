# SPDX-License-Identifier: BSD-3-Clause
"""A five-bar linkage: which motors can give one and the same motion, and what does its pin feel?"""

import json
from typing import Literal

import jounce as j
import numpy as np

linkage = j.load("builtin:five_bar")
dyn = j.ConstrainedDynamics(linkage)
print(f"{dyn.rows} rows, {dyn.rank} of them count: {dyn.mobility} degrees of freedom")


def with_motors(*motors: bool) -> j.ConstrainedDynamics:
    """The linkage with these joints driven: left shoulder and elbow, right shoulder and elbow."""
    robot = json.loads(linkage.to_json())
    for joint, motor in zip(robot["joints"], motors):
        joint["actuated"] = motor
    return j.ConstrainedDynamics(j.loads(json.dumps(robot)))


def show(name: str, found: j.ConstrainedInverse | j.ConstrainedHybrid) -> None:
    """The forces of all joints, and what the pin exerts on the right arm, in its seat's axes."""
    f = dyn.loop_wrenches(q, found.lambda_)[0].f
    numbers = "".join(f"{x:9.5f}" for x in [*found.tau, *f[:2]])
    print(f"{name:<26}{numbers}{found.free_dimension:6}")


# Close it with both shoulders where we want them, and let it move.
shoulders = linkage.actuated
guess = np.where(shoulders, [2, 0, 1, 0], linkage.closed())
closed = dyn.assemble(guess, shoulders)
assert closed.converged
q = closed.q
v = dyn.project(q, [1.5, -2, -0.7, 1.7])
wanted, none = np.array([3, 0, -2, 0]), np.zeros(4)
a = dyn.hybrid(shoulders, q, v, wanted, none).a  # the elbows follow

print(f"\n{'':26}{'joint forces / N m':>36}{'pin / N':>18}  free")
two = dyn.inverse(q, v, a)
show("two motors", two)
assert np.allclose(dyn.forward(q, v, two.tau).a, a)

# With more motors than degrees of freedom the arms can pull at each other.
optima: list[Literal["force", "torque"]] = ["force", "torque"]
for name, motors in ("three", [True, True, True, False]), ("four", [True] * 4):
    driven = with_motors(*motors)
    for optimum in optima:
        found = driven.inverse(q, v, a, optimum=optimum)
        show(f"{name} motors, least {optimum}", found)
        assert np.allclose(dyn.forward(q, v, found.tau).a, a)
    # all forces that give this motion
    family = driven.inverse_family(q, v, a)
    strained = family.tau + family.tau_free @ np.ones(found.free_dimension)
    assert np.allclose(dyn.forward(q, v, strained).a, a)

# One motor cannot hold two degrees of freedom, but it can hold its own joint.
one = with_motors(True, False, False, False)
try:
    one.inverse(q, v, a)
    raise AssertionError("one motor was enough")
except j.ComputationError as refusal:
    hybrid = one.hybrid([True, False, False, False], q, v, wanted, none)
    show("one motor, hybrid", hybrid)
    print("\nwith one motor:", refusal)
assert hybrid.a[0] == 3 and hybrid.tau[2] == 0

# A constraint of one's own: the left shoulder follows a function of time. f runs once, on symbols.
linkage = j.load("builtin:five_bar")
shoulder, start = linkage.joints[0].name, linkage.closed()[0]
driven = j.ConstrainedDynamics(j.with_constraint(
    linkage, "drive", [shoulder],
    lambda x, t: x[0] - start - 0.1 * np.sin(2 * t)))  # type: ignore[call-overload, no-any-return]
moved = driven.assemble(linkage.closed(), time=0.2).q
assert abs(moved[0] - start - 0.1 * np.sin(0.4)) < 1e-12
print(f"\nwith the left shoulder driven: {driven.mobility} degree of freedom")

# What a longer left forearm does to the motion: along states that stay closed.
to = j.ConstrainedSensitivity(linkage, [("placement", "left_distal_joint", 3)])
by, along = j.ConstrainedDerivatives(linkage).forward(q, v, two.tau), to.closed(q, v)
longer = to.forward(q, v, two.tau).dx_dp + by.da_dq @ along.dq_dp + by.da_dv @ along.dv_dp
print("accelerations per metre of the left arm:", np.round(longer[:, 0], 2))
