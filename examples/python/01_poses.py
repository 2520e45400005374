# SPDX-License-Identifier: BSD-3-Clause
"""Poses, twists and wrenches: where a hand is, how fast it moves, what a force does to it."""

import jounce as j
import numpy as np

# The pose of the hand in the room: a quarter turn about z, one metre along x.
R = j.exp([0, 0, np.pi / 2])
T = j.SE3(R, [1, 0, 0])
print("the hand:", T)

# A fingertip 0.2 m along the hand's own x axis is, in the room, at (1, 0.2, 0).
tip = T * [0.2, 0, 0]
assert np.allclose(tip, [1, 0.2, 0])

# The hand turns about its own z axis with 3 rad/s: the same motion, told in two frames.
V_hand = j.Twist(w=[0, 0, 3], v=[0, 0, 0])
V_room = j.Ad(T, V_hand)
print("in the room:", V_room)
assert np.allclose(V_room.v, [0, -3, 0])  # velocity of the body's point at the room's origin

# A wrench moves the other way; the power <F, V> is the same in every frame.
F_room = j.Wrench(m=[0, 0, 1], f=[0, 2, 0])
F_hand = j.dual_Ad(T, F_room)
assert np.isclose(j.dot(F_hand, V_hand), j.dot(F_room, V_room))

# Keep that twist for a second: the pose follows T exp(t V), and log gives the twist back.
moved = T * j.exp(V_hand * 1.0)
assert j.log(j.inverse_times(T, moved)).is_approx(V_hand)

# A hand of 2 kg, its centre of mass 0.1 m along x: momentum and energy.
G = j.inertia_from_com(2.0, j.SE3(j.SO3(), [0.1, 0, 0]), 0.01 * np.eye(3))
momentum = G * V_hand  # a Wrench
print("momentum:", momentum, " energy:", j.kinetic_energy(G, V_hand), "J")
assert np.isclose(j.kinetic_energy(G, V_hand), 0.5 * (0.01 + 2 * 0.1**2) * 3**2)
