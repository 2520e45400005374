#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the bundled robots: NAME.urdf or NAME.json and what goes with them, beside this script.

generate.py            write all files
generate.py --check    write nothing; exit 1 if a file differs or a robot is not physical
generate.py --table    print the table of README.md
"""

import argparse
import math
import pathlib
import sys

sys.dont_write_bytecode = True   # --check leaves nothing behind

import aerial_manipulator
import arm7
import checks
import humanoid
import planar
import puma560
import quadruped
import stewart
import urdf_writer

FOLDER = pathlib.Path(__file__).resolve().parent


def robots():
    return (planar.planar_2r(), puma560.puma560(), arm7.arm7(), quadruped.quadruped(),
            humanoid.humanoid(), aerial_manipulator.aerial_manipulator(), planar.four_bar(),
            planar.five_bar())


def sidecar_texts(robot):
    return {name: urdf_writer.to_json(data) + "\n" for name, data in robot.sidecars.items()}


def texts(robot):
    return {f"{robot.name}.urdf": urdf_writer.to_urdf(robot), **sidecar_texts(robot)}


def table_row(robot):
    joints = [joint for joint in robot.joints if joint.kind != "fixed"]
    dof = len(joints) + (6 if robot.base == "free" else 0)
    mass = math.fsum(link.mass for link in robot.links)
    moving = mass - (robot.links[0].mass if robot.base == "fixed" else 0.0)
    return (f"| {robot.name} | {dof} | {len(joints)} | {len(robot.links)} | {mass:.3f} | "
            f"{moving:.3f} | {robot.base} | {robot.source} |")


def table():
    head = ["| robot | dof | joints | links | mass, kg | moving mass, kg | base | source |",
            "|---|---|---|---|---|---|---|---|"]
    return "\n".join(head + [table_row(robot) for robot in robots()]
                     + [stewart.table_row()])


def write():
    for robot in robots():
        for name, text in texts(robot).items():
            (FOLDER / name).write_text(text, encoding="utf-8")
    (FOLDER / "stewart.json").write_text(stewart.text(), encoding="utf-8")


def differing(texts_by_name):
    for name, text in texts_by_name.items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield f"{name} is not what generate.py writes"


def problems():
    found = [*differing({"stewart.json": stewart.text()}), *stewart.check(stewart.text())]
    for robot in robots():
        found += differing(texts(robot))
        found += checks.check_robot(robot.name, urdf_writer.to_urdf(robot), sidecar_texts(robot))
    readme = FOLDER / "README.md"
    if not readme.exists() or table() not in readme.read_text(encoding="utf-8"):
        found.append("README.md does not hold what generate.py --table prints")
    return found


def main():
    parser = argparse.ArgumentParser(description="Write or check the bundled robots.")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--check", action="store_true", help="compare with the files, write nothing")
    group.add_argument("--table", action="store_true", help="print the table of README.md")
    options = parser.parse_args()
    if options.table:
        print(table())
    elif options.check:
        found = problems()
        print("\n".join(found) if found else "models: all files as generated, all checks passed")
        return 1 if found else 0
    else:
        write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
