# SPDX-License-Identifier: BSD-3-Clause
"""For a pip that does not know pyproject.toml, or not how to link to a build from it: it runs this."""

import sys

sys.exit("jounce: this pip is too old, needs 21.3 or later: python3 -m pip install --upgrade pip")
