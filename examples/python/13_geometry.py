# SPDX-License-Identifier: BSD-3-Clause
"""The mass matrix as a metric: curvature of an arm, and the way of least energy."""

import jounce as j
import numpy as np

arm = j.load("builtin:arm7")
geometry = j.Geometry(arm)
q = np.array([0.3, -0.5, 0.7, -1.1, 0.4, 0.9, -0.2])
curvature = geometry.curvature(q)
print(f"arm7: R_0101 {curvature.riemann[0, 1, 0, 1]:.9f}, "
      f"scalar curvature {curvature.scalar:.7f} 1/(kg m^2)")
assert abs(curvature.scalar - 168.34984159129213) < 1e-9

# Christoffel symbols are the Coriolis matrix, all velocities at once.
v = np.linspace(-1, 1, 7)
C = np.einsum("ijk,i->kj", geometry.christoffel(q), v)
assert np.allclose(C, j.Dynamics(arm).coriolis(q, v).matrix, atol=1e-12)

# The way with the least kinetic energy is a geodesic.
small = j.load("builtin:planar_2r")
start, end = [0.2, 0.3], [1.4, 1.9]
best = j.MinimumMotion(small, limits=False).find(start, end)
plane = j.Geometry(small)
way = plane.shortest_path(start, end)
print(f"planar_2r: straight {best.straight:.6f}, best spline {best.value:.6f}, "
      f"geodesic {way.length**2:.6f}, {best.iterations} iterations")
assert best.converged and way.converged
assert abs(best.value - way.length**2) < 1e-6 * best.value

# Free motion that starts as the geodesic does arrives at its end.
free = plane.geodesic(start, way.v[:, 0], [1])
assert np.allclose(free.q[:, 0], end, atol=1e-8)
flat = plane.flatness()
print(f"planar_2r is {'flat' if flat.flat else 'curved'}: ratio {flat.ratio:.3f}")
