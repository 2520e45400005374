# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of an own robot: python3 -m jounce plot my.urdf, python3 -m jounce draw my.urdf."""

import argparse
import difflib
import os
import re
import sys
import warnings

import jounce


def configuration(text):
    return [float(x) for x in text.split(",")]


class Parser(argparse.ArgumentParser):
    """Faults in one line, with the word that may be meant."""

    def error(self, message):
        invalid = re.match(r"argument command: invalid choice: '(.*?)'", message)
        unknown = re.match(r"unrecognized arguments: (\S+)", message)
        word, known = "", ()
        if invalid:
            word, known = invalid[1], ("plot", "draw")
            message = f'there is no command "{word}"'
        elif unknown:
            word, known = unknown[1].partition("=")[0], self.words()
            message = f'there is no {"option" if word[:1] == "-" else "use for"} "{word}"'
        near = difflib.get_close_matches(word, known, 1)
        told = f'; nearest: "{near[0]}"' if near else f"; there are {', '.join(known)}"
        self.exit(2, f"jounce: {message}{told if known else ''}\n")

    def words(self):
        """The options of all commands."""
        below = [x for action in self._actions if isinstance(action, argparse._SubParsersAction)
                 for x in action.choices.values()]
        return sorted({name for one in (self, *below) for action in one._actions
                       for name in action.option_strings if name.startswith("--")})


def parser():
    about = Parser(prog="python3 -m jounce", description=__doc__)
    about.add_argument("--version", action="version", version=f"jounce {jounce.__version__}")
    commands = about.add_subparsers(dest="command", required=True)
    plot = commands.add_parser("plot", help="torque, torque rate and energy along a move")
    plot.add_argument("--to", type=configuration, help="its end, numbers with commas (default: "
                      "drawn at random)")
    plot.add_argument("--duration", type=float, help="in s (default: 2, or more where velocity "
                      "limits need it)")
    plot.add_argument("--motion", help="a table of the motion instead, CSV or NPZ")
    plot.add_argument("--csv", help="also write the numbers to this file")
    draw = commands.add_parser("draw", help="the robot, in its neutral configuration")
    for command, out, more in ((plot, "plot.svg", " or its numbers, .csv or .npz"),
                               (draw, "draw.svg", "")):
        command.add_argument("model", help="URDF or JSON file, or builtin:NAME with one of "
                             + ", ".join(jounce.builtin_robots()))
        command.add_argument("-o", "--out", default=out,
                             help=f"the picture, .svg or .html,{more} (default: {out})")
    return about


def run(given):
    robot = jounce.load(given.model)
    if given.command == "draw":
        robot.draw(robot.closed(), given.out)
        return
    if given.motion:
        along = jounce.along(robot, jounce.load_motion(robot, given.motion))
    else:
        along = jounce._jounce._first_run(robot, given.to, given.duration)
    writers = {".csv": along.to_csv, ".npz": along.to_npz}
    writers.get(os.path.splitext(given.out)[1], along.plot)(given.out)
    if given.csv:
        along.to_csv(given.csv)
    for one in along.exceeded():
        print(f"{one.joint}: {one.kind} {one.value:.4g} at {one.t:.3g} s, limit {one.limit:.4g}")


def tell(message, *_, **__):
    """A warning without the line of this file that met it."""
    print(f"jounce: {message}", file=sys.stderr)


def main():
    given = parser().parse_args()
    warnings.showwarning = tell
    try:
        run(given)
    except (ValueError, OSError, RuntimeError) as error:
        sys.exit(f"jounce: {error}")
    print(given.out)


if __name__ == "__main__":
    main()
