# SPDX-License-Identifier: BSD-3-Clause
"""The Python of README and docs runs as it is printed, in the order of its page."""

import contextlib
import importlib.util
import inspect
import io
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import jounce

ROOT = pathlib.Path(__file__).resolve().parents[2]


def snippets(page):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)


class Tests(unittest.TestCase):
    def test_each_file_runs_its_tests(self):
        for path in (ROOT / "python" / "tests").glob("test_*.py"):
            self.assertTrue(path.read_text().endswith("\n    unittest.main()\n"), path.name)


class Docstrings(unittest.TestCase):
    def test_methods_say_what_their_arguments_are(self):
        """Shape and units of q, v, a and tau; of a class whose a is no acceleration nothing."""
        for name in jounce.__all__:
            kind = getattr(jounce, name)
            if not isinstance(kind, type) or name in ("MethodSurvey", "BranchSurvey"):
                continue
            for method in (getattr(kind, x) for x in dir(kind) if not x.startswith("_")):
                try:
                    words = set(inspect.signature(method).parameters)
                except (TypeError, ValueError):  # a property, an overload
                    continue
                for word in words & {"q", "v", "a", "tau"}:
                    self.assertRegex(method.__doc__, rf"\n{word}: shape|{word}, shape|\b{word} \(",
                                     f"{name}.{method.__name__}")


class Pages(unittest.TestCase):
    def run_page(self, page, **names):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for text in snippets(page):
                exec(compile(text, page, "exec"), names)  # noqa: S102
            return {path.name: path.read_text() for path in pathlib.Path().iterdir()}

    def test_readme(self):
        self.assertTrue(self.run_page("README.md")["torque.svg"].startswith("<svg"))

    def test_python_page(self):
        self.assertEqual(set(self.run_page("docs/python.md")),
                         {"torque.svg", "torque.csv", "arm.svg"})

    def test_lines_of_the_tour(self):
        found = [text for path in (ROOT / "apps" / "jounce" / "tour").glob("*.cpp")
                 for text in re.findall(r'R"\((import jounce\n.*?)\)"', path.read_text(), re.S)]
        self.assertEqual(len(found), 2)
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for text in found:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(text, "tour", "exec"), {})  # noqa: S102

    def test_porting(self):
        """With the libraries that are installed."""
        for text in snippets("docs/porting.md"):
            needed = re.match(r"# with: (\w+)\n", text)[1]
            with self.subTest(needed):
                if importlib.util.find_spec(needed) is None:
                    self.skipTest(f"{needed} is not installed")
                with tempfile.TemporaryDirectory() as folder:
                    urdf = os.path.join(folder, "puma560.urdf")
                    shutil.copy(ROOT / "models" / "puma560.urdf", urdf)
                    exec(compile(text, "docs/porting.md", "exec"), {"urdf": urdf})  # noqa: S102


if __name__ == "__main__":
    unittest.main()
