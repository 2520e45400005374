# SPDX-License-Identifier: BSD-3-Clause
"""The stubs say what the compiled module has, name for name, and every name is documented."""

import ast
import inspect
import pathlib
import unittest

import jounce

STUBS = [node for file in sorted(pathlib.Path(jounce.__file__).parent.glob("*.pyi"))
         for node in ast.parse(file.read_text()).body]
# Dunder methods that Python or pybind11 provides and that no stub repeats.
PLUMBING = {"__module__", "__doc__", "__new__", "__getstate__", "__setstate__", "__repr__",
            "__str__", "__annotations__", "__weakref__", "__dict__"}


def stub_names(body):
    """The names a module or class body of the stubs declares, each with its declarations."""
    names = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.AnnAssign):
            names.setdefault(node.target.id, []).append(node)
    return names


def is_public(name):
    return not name.startswith("_")


def is_named_tuple(node):
    return "NamedTuple" in [ast.unparse(base) for base in node.bases]


def parameters(node):
    """The parameter names of a stub's function, with their kinds and defaults, without self."""
    missing = inspect.Parameter.empty
    arguments = [a.arg for a in node.args.args]
    defaults = [missing] * (len(arguments) - len(node.args.defaults)) + node.args.defaults
    shown = {a: (d, False) for a, d in zip(arguments, defaults)}
    shown.update({a.arg: (d or missing, True)
                  for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults)})
    shown.pop("self", None)
    return {name: (d if d is missing else ast.literal_eval(d), keyword)
            for name, (d, keyword) in shown.items()}


def documented(function):
    """The same of a function's signature and of further ones that its text starts with."""
    first = {p.name: (p.default, p.kind is p.KEYWORD_ONLY)
             for p in inspect.signature(function).parameters.values() if p.name != "self"}
    name = function.__name__
    lines = [line for line in function.__doc__.splitlines() if line.startswith(name + "(")]
    return [first] + [parameters(ast.parse(f"def {line}: ...").body[0]) for line in lines]


class Stubs(unittest.TestCase):
    def classes(self):
        for name, (node,) in [(n, d) for n, d in stub_names(STUBS).items()
                              if isinstance(d[0], ast.ClassDef)]:
            yield name, getattr(jounce, name), node

    def functions(self):
        """Every function and method, with its stub's declarations."""
        for name, nodes in stub_names(STUBS).items():
            if isinstance(nodes[0], ast.FunctionDef):
                yield name, getattr(jounce, name), nodes
        for owner, cls, node in self.classes():
            for name, nodes in stub_names(node.body).items():
                if is_public(name) and not isinstance(vars(cls)[name], property) \
                        and not is_named_tuple(node):
                    yield f"{owner}.{name}", getattr(cls, name), nodes

    def test_module_names(self):
        stubs = {name for name in stub_names(STUBS) if is_public(name)}
        self.assertEqual(stubs, set(jounce.__all__))
        self.assertEqual(stubs, {name for name in dir(jounce) if is_public(name)})

    def test_class_members(self):
        for name, cls, node in self.classes():
            if issubclass(cls, Exception):
                continue
            if is_named_tuple(node):
                self.assertEqual(tuple(stub_names(node.body)), cls._fields, name)
                continue
            stubs, members = set(stub_names(node.body)), set(vars(cls)) - PLUMBING
            if "__init__" not in stubs:
                with self.assertRaisesRegex(TypeError, "No constructor defined"):
                    cls()
                members.discard("__init__")
            self.assertEqual(stubs, members, name)

    def test_properties(self):
        for name, cls, node in self.classes():
            for member, nodes in stub_names(node.body).items():
                decorators = [ast.unparse(d) for n in nodes
                              for d in getattr(n, "decorator_list", [])]
                self.assertEqual("property" in decorators, isinstance(vars(cls)[member], property),
                                 f"{name}.{member}")

    def test_signatures(self):
        for name, function, nodes in self.functions():
            for node in nodes:
                self.assertIn(parameters(node), documented(function), name)

    def test_everything_is_documented(self):
        for name in jounce.__all__:
            self.assertTrue(getattr(jounce, name).__doc__, name)
            self.assertEqual(getattr(jounce, name).__module__, "jounce", name)
        for name, function, _ in self.functions():
            self.assertTrue(function.__doc__, name)
            self.assertFalse(function.__doc__.startswith("Of "), name)
        for name, cls, node in self.classes():
            for field in cls._fields if is_named_tuple(node) else ():
                self.assertNotIn("Alias for field", getattr(cls, field).__doc__, f"{name}.{field}")
            for member, value in vars(cls).items():
                if isinstance(value, property):
                    self.assertTrue(value.__doc__, f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
