# SPDX-License-Identifier: BSD-3-Clause
"""The Python of README and docs runs as it is printed, in the order of its page."""

import contextlib
import importlib.util
import os
import pathlib
import re
import shutil
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def snippets(page):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)


class Tests(unittest.TestCase):
    def test_each_file_runs_its_tests(self):
        for path in (ROOT / "python" / "tests").glob("test_*.py"):
            self.assertTrue(path.read_text().endswith("\n    unittest.main()\n"), path.name)


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
