#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws docs/first.svg: torque and torque rate of the README's move, two of the panels of plot.

    PYTHONPATH=build/python python3 docs/make_first_svg.py
"""
import pathlib
import xml.etree.ElementTree as xml

import jounce

arm = jounce.load("builtin:arm7")
run = jounce.along(arm, jounce.septic(arm.neutral(), arm.random(3), duration=2))
xml.register_namespace("", "http://www.w3.org/2000/svg")
root = xml.fromstring(run.plot().svg)
panels = list(root)
for panel in (panels[0], panels[3]):
    root.remove(panel)
for panel, y in zip(root, ("0", "300")):
    panel.set("y", y)
root.set("height", "600")
root.set("viewBox", "0 0 720 600")
pathlib.Path(__file__).with_name("first.svg").write_text(xml.tostring(root, "unicode") + "\n")
