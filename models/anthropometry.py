# SPDX-License-Identifier: BSD-3-Clause
"""Segment masses, lengths and radii of gyration of an average young man.

P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics
29(9), 1996, pp. 1223-1230, table 4, male: body mass 73.0 kg, stature 1.741 m.
"""

import dataclasses

BODY_MASS = 73.0
STATURE = 1.741

# D. A. Winter, Biomechanics and Motor Control of Human Movement, 4th ed., 2009, fig. 4.1 (after
# Drillis and Contini 1966), as fractions of stature.
ANKLE_HEIGHT = 0.039
SHOULDER_HEIGHT = 0.818
SHOULDER_WIDTH = 0.259


@dataclasses.dataclass(frozen=True)
class Segment:
    length: float       # m, between the two endpoints
    mass: float         # kg
    to_centre: float    # m, from the first endpoint to the centre of mass
    sagittal: float     # kg m^2, about the axis from back to front
    transverse: float   # kg m^2, about the axis from right to left
    longitudinal: float  # kg m^2, about the axis from endpoint to endpoint


# name: endpoints, length (mm), mass (% of body), centre of mass from the first endpoint (% of
# length), radii of gyration about the sagittal, transverse, longitudinal axis (% of length)
TABLE = {
    "head":         ("VERT-CERV", 242.9, 6.94, 50.02, 30.3, 31.5, 26.1),
    "upper_trunk":  ("SUPR-XYPH", 170.7, 15.96, 29.99, 71.6, 45.4, 65.9),
    "middle_trunk": ("XYPH-OMPH", 215.5, 16.33, 45.02, 48.2, 38.3, 46.8),
    "lower_trunk":  ("OMPH-MIDH", 145.7, 11.17, 61.15, 61.5, 55.1, 58.7),
    "upper_arm":    ("SJC-EJC", 281.7, 2.71, 57.72, 28.5, 26.9, 15.8),
    "forearm":      ("EJC-WJC", 268.9, 1.62, 45.74, 27.6, 26.5, 12.1),
    "hand":         ("WJC-MET3", 86.2, 0.61, 79.00, 62.8, 51.3, 40.1),
    "thigh":        ("HJC-KJC", 422.2, 14.16, 40.95, 32.9, 32.9, 14.9),
    "shank":        ("KJC-AJC", 440.3, 4.33, 43.95, 25.1, 24.6, 10.2),
    "foot":         ("HEEL-TTIP", 258.1, 1.37, 44.15, 25.7, 24.5, 12.4),
}


def segment(name):
    _, millimetres, mass_percent, centre_percent, *radii_percent = TABLE[name]
    length, mass = millimetres / 1000, BODY_MASS * mass_percent / 100
    moments = [mass * (r / 100 * length) * (r / 100 * length) for r in radii_percent]
    return Segment(length, mass, centre_percent / 100 * length, *moments)
