# SPDX-License-Identifier: BSD-3-Clause
"""The group layer from Python: its laws, its shapes, pickling and copying."""

import copy
import pickle
import unittest

import jounce as j
import numpy as np


def expm(matrix):
    """The matrix exponential by scaling, series and squaring; independent of the library."""
    small, term = matrix / 2**10, np.eye(len(matrix))
    total = term.copy()
    for k in range(1, 20):
        term = term @ small / k
        total = total + term
    return np.linalg.matrix_power(total, 2**10)


class GroupTest(unittest.TestCase):
    """Random values, the same in every run."""

    def setUp(self):
        self.random = np.random.default_rng(7)

    def vector(self, n=3):
        return self.random.normal(size=n)

    def twist(self):
        return j.Twist(self.vector(6))

    def wrench(self):
        return j.Wrench(self.vector(6))

    def pose(self):
        return j.exp(self.twist())

    def inertia(self):
        points, masses = self.random.normal(size=(8, 3)), self.random.uniform(0.1, 1, 8)
        second = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, points))
        return j.Inertia(masses.sum(), masses @ points, second)

    def articulated(self):
        root = self.random.normal(size=(6, 6))
        return j.ArticulatedInertia(root @ root.T + np.eye(6))

    def values(self):
        return [j.exp(self.vector()), j.Quaternion(self.vector(4)), self.pose(), self.twist(),
                self.wrench(), self.inertia(), self.articulated()]

    def assert_close(self, a, b, tolerance=1e-12):
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance, equal_nan=False)


class ExpLog(GroupTest):
    def test_exp_is_the_matrix_exponential(self):
        for _ in range(20):
            X, w = self.twist(), self.vector()
            self.assert_close(j.exp(X).matrix, expm(j.hat(X)))
            self.assert_close(j.exp(w).matrix, expm(j.hat(w)))

    def test_log_undoes_exp_from_zero_to_pi(self):
        for angle in (0, 1e-200, 1e-9, 1e-4, 0.5, 2, 3, np.pi - 1e-6):
            direction = self.vector()
            w = angle * direction / np.linalg.norm(direction)
            X = j.Twist(w, self.vector())
            self.assert_close(j.log(j.exp(X)).vector, X.vector)
            self.assert_close(j.log(j.exp(w)), w)
            self.assert_close(j.log(j.exp_quaternion(w)), w)

    def test_quaternions_are_the_same_rotation(self):
        for _ in range(20):
            w, x = self.vector(), self.vector()
            q = j.exp_quaternion(w)
            self.assert_close(j.to_rotation(q) * x, j.exp(w) * x)
            self.assertTrue(j.to_rotation(j.to_quaternion(j.exp(w))).is_approx(j.exp(w), 1e-12))
            r = j.exp_quaternion(self.vector())
            self.assertTrue(
                j.to_rotation(q * r).is_approx(j.to_rotation(q) * j.to_rotation(r), 1e-12))
            self.assert_close((q * j.inverse(q)).xyzw, [0, 0, 0, 1])
            self.assert_close(j.normalize(j.Quaternion(5 * q.xyzw)).xyzw, q.xyzw)
            self.assert_close([q.x, q.y, q.z, q.w], q.xyzw, 0)

    def test_normalize_survives_extreme_lengths(self):
        for s in (1e-300, 1e300):
            q = j.normalize(j.Quaternion(s, 0, 0, s))
            self.assert_close(q.xyzw, [0.5**0.5, 0, 0, 0.5**0.5])

    def test_hat_and_vee(self):
        w, u, X = self.vector(), self.vector(), self.twist()
        self.assert_close(j.hat(w) @ u, np.cross(w, u))
        self.assert_close(j.vee(j.hat(w)), w)
        self.assertTrue(j.vee(j.hat(X)).is_approx(X, 0))

    def test_dexp_against_differences(self):
        step = 1e-6
        for _ in range(10):
            X, Y = self.twist(), self.twist()
            dT = (j.exp(X + step * Y).matrix - j.exp(X - step * Y).matrix) / (2 * step)
            T_inv = j.inverse(j.exp(X)).matrix
            self.assert_close(j.dexp_body(X, Y).vector, j.vee(T_inv @ dT).vector, 1e-8)
            self.assert_close(j.dexp_space(X, Y).vector, j.vee(dT @ T_inv).vector, 1e-8)

    def test_dexp_inverses_and_parts(self):
        for _ in range(10):
            X, Y = self.twist(), self.twist()
            F = j.Wrench(self.vector(6))
            self.assert_close(j.dual_dexp_body_inv(X, F).vector @ Y.vector,
                              F.vector @ j.dexp_body_inv(X, Y).vector, 1e-12)
            for f, g in ((j.dexp_body, j.dexp_body_inv), (j.dexp_space, j.dexp_space_inv)):
                self.assertTrue(g(X, f(X, Y)).is_approx(Y, 1e-11))
                self.assert_close(g(X.w, f(X.w, Y.w)), Y.w, 1e-12)
                self.assert_close(f(X, Y).w, f(X.w, Y.w))

    def test_nearest_is_the_polar_factor(self):
        R, root = j.exp(self.vector()), self.random.normal(size=(3, 3))
        stretched = R.matrix @ (root @ root.T + np.eye(3))
        self.assert_close(j.SO3.nearest(stretched).matrix, R.matrix, 1e-10)
        self.assertAlmostEqual(np.linalg.det(j.SO3.nearest(root).matrix), 1)


class Actions(GroupTest):
    def test_poses_compose_as_matrices(self):
        T, U, x = self.pose(), self.pose(), self.vector()
        self.assert_close((T * U).matrix, T.matrix @ U.matrix)
        self.assert_close(T * x, T.R @ x + T.p)
        self.assert_close(T * (U * x), (T * U) * x)
        self.assert_close(j.inverse(T).matrix, np.linalg.inv(T.matrix))
        self.assertTrue(j.inverse_times(T, U).is_approx(j.inverse(T) * U))
        R = T.rotation
        self.assert_close(j.inverse_times(R, x), R.matrix.T @ x)
        self.assert_close((j.inverse(R) * R).matrix, np.eye(3))

    def test_many_points_at_once(self):
        T, points = self.pose(), self.random.normal(size=(5, 3))
        self.assert_close(T * points, [T * x for x in points])
        self.assert_close(T.rotation * points, points @ T.R.T)
        self.assertEqual((T * np.zeros((0, 3))).shape, (0, 3))
        self.assert_close(T * points[::2, ::-1], [T * x for x in points[::2, ::-1].copy()])

    def test_Ad_is_a_homomorphism(self):
        for _ in range(20):
            T, U, V, W = self.pose(), self.pose(), self.twist(), self.twist()
            self.assertTrue(j.Ad(T * U, V).is_approx(j.Ad(T, j.Ad(U, V)), 1e-12))
            self.assertTrue(j.Ad_inv(T, j.Ad(T, V)).is_approx(V, 1e-12))
            self.assertTrue(j.Ad(T, j.ad(V, W)).is_approx(j.ad(j.Ad(T, V), j.Ad(T, W)), 1e-11))
            self.assert_close(j.hat(j.Ad(T, V)), T.matrix @ j.hat(V) @ j.inverse(T).matrix, 1e-11)
            self.assert_close(j.hat(j.ad(V, W)), j.hat(V) @ j.hat(W) - j.hat(W) @ j.hat(V))

    def test_duality(self):
        for _ in range(20):
            T, V, W, F = self.pose(), self.twist(), self.twist(), self.wrench()
            self.assertAlmostEqual(j.dot(j.dual_Ad(T, F), V), j.dot(F, j.Ad(T, V)))
            self.assertAlmostEqual(j.dot(j.dual_Ad_inv(T, F), V), j.dot(F, j.Ad_inv(T, V)))
            self.assertAlmostEqual(j.dot(j.dual_ad(V, F), W), j.dot(F, j.ad(V, W)))
            self.assertAlmostEqual(j.dot(F, V), F.vector @ V.vector)

    def test_matrix_forms_equal_the_actions(self):
        T, X, V, F = self.pose(), self.twist(), self.twist(), self.wrench()
        for name, first, second in (
            ("Ad", T, V), ("Ad_inv", T, V), ("dual_Ad", T, F), ("dual_Ad_inv", T, F),
            ("ad", X, V), ("dual_ad", X, F), ("dexp_body", X, V)):
            action, matrix = getattr(j, name), getattr(j, name + "_matrix")
            self.assertEqual(matrix(first).shape, (6, 6))
            self.assert_close(matrix(first) @ second.vector, action(first, second).vector)

    def test_linear_operations(self):
        for V, W in ((self.twist(), self.twist()), (self.wrench(), self.wrench())):
            self.assert_close((V + W).vector, V.vector + W.vector, 0)
            self.assert_close((V - W).vector, V.vector - W.vector, 0)
            self.assert_close((-V).vector, -V.vector, 0)
            for product in (2 * V, V * 2.0, np.float32(2) * V, V * np.int64(2)):
                self.assertIs(type(product), type(V))
                self.assert_close(product.vector, 2 * V.vector, 0)


class Inertias(GroupTest):
    def test_change_of_frame(self):
        for G in (self.inertia(), self.articulated()):
            T, V = self.pose(), self.twist()
            Ad = j.Ad_matrix(T)
            pulled = j.pull_back(T, G)
            self.assert_close(pulled.matrix, Ad.T @ G.matrix @ Ad, 1e-10)
            self.assertTrue(j.push_forward(T, pulled).is_approx(G, 1e-11))
            self.assert_close(G.matrix @ V.vector, (G * V).vector, 1e-11)

    def test_energy_does_not_depend_on_the_frame(self):
        G, T, V = self.inertia(), self.pose(), self.twist()
        energy = j.kinetic_energy(G, V)
        self.assertAlmostEqual(energy, V.vector @ G.matrix @ V.vector / 2)
        self.assertAlmostEqual(energy, j.kinetic_energy(j.pull_back(T, G), j.Ad_inv(T, V)))

    def test_inertia_from_com(self):
        T, I_c = self.pose(), np.diag([1, 2, 2.5])
        G = j.inertia_from_com(3, T, I_c)
        self.assertEqual(G.mass, 3)
        self.assert_close(G.com, T.p)
        self.assert_close(G.h, 3 * T.p)
        steiner = 3 * (T.p @ T.p * np.eye(3) - np.outer(T.p, T.p))
        self.assert_close(G.I, T.R @ I_c @ T.R.T + steiner)

    def test_parameters_and_pseudo_inertia(self):
        G = self.inertia()
        I = G.I
        order = [I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]]
        self.assert_close(j.to_parameters(G), [G.mass, *G.h, *order], 0)
        self.assertTrue(j.inertia_from_parameters(j.to_parameters(G)).is_approx(G, 0))
        J = j.pseudo_inertia(G)
        self.assertGreater(np.linalg.eigvalsh(J).min(), 0)
        self.assertTrue(j.inertia_from_pseudo(J).is_approx(G, 1e-12))

    def test_sums(self):
        G, H, IA, JA = self.inertia(), self.inertia(), self.articulated(), self.articulated()
        self.assert_close((G + H).matrix, G.matrix + H.matrix, 1e-14)
        self.assertTrue((G + H - H).is_approx(G, 1e-12))
        self.assert_close((IA + JA).matrix, IA.matrix + JA.matrix, 0)
        self.assert_close(j.ArticulatedInertia(G).matrix, G.matrix, 0)
        self.assert_close(j.ArticulatedInertia(IA.A, IA.B, IA.M).matrix, IA.matrix, 0)

    def test_solve_and_minus_outer(self):
        IA, F, S = self.articulated(), self.wrench(), self.twist()
        self.assert_close((IA * j.solve(IA, F)).vector, F.vector, 1e-10)
        U = IA * S
        rest = j.minus_outer(IA, U, 1 / j.dot(U, S))
        self.assert_close((rest * S).vector, np.zeros(6), 1e-10)


class Values(GroupTest):
    def test_shapes_and_read_only_arrays(self):
        shapes = {"SO3.matrix": (3, 3), "Quaternion.xyzw": (4,), "SE3.R": (3, 3), "SE3.p": (3,),
                  "SE3.matrix": (4, 4), "Twist.w": (3,), "Twist.v": (3,), "Twist.vector": (6,),
                  "Wrench.m": (3,), "Wrench.f": (3,), "Wrench.vector": (6,), "Inertia.h": (3,),
                  "Inertia.com": (3,), "Inertia.I": (3, 3), "Inertia.matrix": (6, 6),
                  "ArticulatedInertia.A": (3, 3), "ArticulatedInertia.B": (3, 3),
                  "ArticulatedInertia.M": (3, 3), "ArticulatedInertia.matrix": (6, 6)}
        values = {type(value).__name__: value for value in self.values()}
        for name, shape in shapes.items():
            owner, attribute = name.split(".")
            array = getattr(values[owner], attribute)
            self.assertEqual((array.shape, array.dtype), (shape, np.dtype(float)), name)
            self.assertFalse(array.flags.writeable, name)
            with self.assertRaises(AttributeError):
                setattr(values[owner], attribute, array)
        self.assertTrue(j.Ad_matrix(j.SE3()).flags.writeable)

    def test_pickle_copy_and_repr_keep_every_bit(self):
        for value in self.values():
            twins = [pickle.loads(pickle.dumps(value, p)) for p in range(2, 6)]
            twins += [copy.copy(value), copy.deepcopy([value])[0]]
            twins.append(eval(repr(value), vars(j)))
            for twin in twins:
                self.assertIs(type(twin), type(value))
                self.assertIsNot(twin, value)
                self.assertTrue(twin.is_approx(value, 0))

    def test_text(self):
        V = j.Twist([1, -2.5, 1 / 3], [0, -0.0, 1e-20])
        self.assertEqual(repr(V), "Twist(w=[1, -2.5, 0.3333333333333333], v=[0, 0, 1e-20])")
        self.assertEqual(str(V), "Twist(w=[1, -2.5, 0.333333], v=[0, 0, 1e-20])")
        self.assertEqual(repr(j.Quaternion()), "Quaternion(x=0, y=0, z=0, w=1)")
        self.assertEqual(repr(j.SE3()), "SE3(R=[[1, 0, 0], [0, 1, 0], [0, 0, 1]], p=[0, 0, 0])")
        self.assertEqual(repr(j.SO3()), "SO3([[1, 0, 0], [0, 1, 0], [0, 0, 1]])")

    def test_is_approx_is_relative_to_the_largest_number_above_one(self):
        a, b = j.Twist([1000, 0, 0], [0, 0, 0]), j.Twist([1000, 0, 0], [0, 0, 1e-7])
        self.assertTrue(a.is_approx(b, 1e-10))
        self.assertFalse(a.is_approx(b, 1e-11))
        self.assertFalse((a * 1e-4).is_approx(b * 1e-4, 1e-12))
        self.assertTrue(a.is_approx(other=b, tolerance=1))

    def test_other_kinds_of_input(self):
        T = j.exp(self.twist())
        for matrix in (T.matrix.tolist(), np.asfortranarray(T.matrix), T.matrix[::-1][::-1]):
            self.assertTrue(j.SE3(matrix).is_approx(T, 0))
        self.assertTrue(j.SE3(T.matrix.astype(np.float32)).is_approx(T, 1e-6))
        self.assertTrue(j.SE3(R=T.R, p=T.p).is_approx(j.SE3(T.rotation, T.p), 0))
        self.assert_close(j.Twist((1, 2, 3), range(3)).vector, [1, 2, 3, 0, 1, 2], 0)

    def test_library(self):
        self.assertEqual(j.__version__, j.version())
        self.assertIn(j.best_isa(), ("baseline", "avx2", "avx512"))


if __name__ == "__main__":
    unittest.main()
