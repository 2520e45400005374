# SPDX-License-Identifier: BSD-3-Clause
"""A five-bar linkage is let go: integrators, a run that is stopped and goes on, a led joint."""

import os
import tempfile

import jounce as j
import numpy as np

linkage = j.load("builtin:five_bar")
closed, still = linkage.closed(), np.zeros(4)

print(f"{'integrator':<15}{'steps':>8}{'energy drift':>14}{'loop open by':>14}")
for name, step in (("semi_implicit", 1e-3), ("rk4", 1e-3), ("dopri5", 0), ("dop853", 0),
                   ("taylor", 0)):  # 0: steps are chosen
    sim = j.Simulation(linkage, integrator=name, passive=False, step=step)  # type: ignore[arg-type]
    report = sim.run(sim.start(closed, still), 1.0)
    print(f"{name:<15}{report.steps:8}{report.energy_drift:14.2e}{report.constraint_violation:14.2e}")
    assert report.constraint_violation < 1e-10

# Stopped half way, written down, read, and gone on with: the same as at one go, to the last bit.
sim, record = j.Simulation(linkage), j.Record(linkage)
whole, part = sim.start(closed, still), sim.start(closed, still)
sim.run(whole, 1.0, record, every=0.01)
sim.run(part, 1.0, watch=lambda state: state.t < 0.5)
with tempfile.TemporaryDirectory() as folder:
    j.save_checkpoint(linkage, part, os.path.join(folder, "part.json"))
    resumed = j.load_checkpoint(linkage, os.path.join(folder, "part.json"))
    record.save(os.path.join(folder, "run.npz"))
    with np.load(os.path.join(folder, "run.npz")) as arrays:
        assert np.array_equal(arrays["q"], record.q) and arrays["q"].shape == (101, 4)
j.Simulation(linkage).run(resumed, 1.0)
assert np.array_equal(resumed.q, whole.q) and np.array_equal(resumed.v, whole.v)
print(f"\nstopped at {part.t:.3f} s, gone on to the same bits")

# The left shoulder swings as a function of Python says, all others are free.
sim, record = j.Simulation(linkage), j.Record(linkage)
sim.command(linkage.joints[0].name, j.Command.trajectory(
    lambda t: ([closed[0] + 0.2 * np.sin(2 * t) ** 2], [0.4 * np.sin(4 * t)], [1.6 * np.cos(4 * t)])))
state = sim.start(closed, still)
report = sim.run(state, 1.0, record)
print(f"led by the left shoulder: up to {np.abs(record.tau[:, 0]).max():.3f} N m; "
      f"energy drift {report.energy_drift:.1e}")
assert np.allclose(record.q[:, 0], closed[0] + 0.2 * np.sin(2 * record.t) ** 2, atol=1e-14)

# A controller that is asked every 5 ms and acts 5 ms later holds the linkage; an event ends the run.
sim = j.Simulation(linkage)
motors = np.array([joint.name in (linkage.joints[0].name, linkage.joints[2].name)
                   for joint in linkage.joints])
sim.controller(lambda t, q, v: motors * (8 * (closed - q) - 0.8 * v), sample=5e-3, delay=5e-3)
sim.event("slow", lambda moment: float(np.abs(moment.v).max()) - 1e-3, direction="falling",
          stop=True)
state = sim.start(closed, still)
report = sim.run(state, 20.0)
print(f"held: at rest after {state.t:.2f} s, {np.abs(state.q - closed).max():.3f} rad from the start")
assert report.end == "event" and report.events[-1][1] == "slow"
