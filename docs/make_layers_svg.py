#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws docs/layers.svg: the layers, and the way of a call through them."""
import pathlib

STYLE = """<style>
text{font:15px sans-serif;fill:#333}.t{font-size:13px;fill:#666}.c{font:13px monospace}
.b{fill:#8882;stroke:#888;stroke-width:1.5}.k{fill:#56b4e933;stroke:#56b4e9;stroke-width:1.5}
line{stroke-width:2.5}.d{stroke:#d55e00}.u{stroke:#0072b2}.i{stroke:#888;stroke-width:1.5}
@media (prefers-color-scheme:dark){text{fill:#ddd}.t{fill:#aaa}}
</style>"""

LAYERS = [("outside", "files, command line, Python", "b"),
          ("doors", "memory, checks, results", "b"),
          ("equations", "mimic joints, loops, ground, outside wrenches, passive forces", "b"),
          ("algorithm", "one recursion on the tree per file", "b"),
          ("model", "views of a robot; the two switches over joint kinds", "b"),
          ("group", "SE(3), twists, wrenches, inertias", "b"),
          ("scalar", "kinds of number", "b")]
DOWN = ["jounce compute inverse", "dyn.inverse(q, v, a, around)", "tree_state, set_ground, add_outside",
        "rnea"]
UP = ["prints", "checks, then writes tau", "gather, add_passive_forces", ""]
HEIGHT, GAP, LEFT, WIDTH = 44, 14, 20, 430


def marker(kind, colour):
    return (f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="5" '
            f'markerHeight="5" orient="auto"><path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>')


def box(kind, x, y, width, title, text):
    return (f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{HEIGHT}" rx="6"/>'
            f'<text x="{x + 12}" y="{y + 19}">{title}</text>'
            f'<text class="t" x="{x + 12}" y="{y + 36}">{text}</text>')


def main():
    rows = [20 + k * (HEIGHT + GAP) for k in range(len(LAYERS))]
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 432" role="img" '
             'aria-label="Layers, and the way of a call through them">', STYLE, "<defs>",
             marker("d", "#d55e00"), marker("u", "#0072b2"), marker("i", "#888"), "</defs>"]
    for (title, text, kind), y in zip(LAYERS, rows):
        parts.append(box(kind, LEFT, y, WIDTH, title, text))
    for y in rows[1:]:
        parts.append(f'<line class="i" x1="{LEFT + WIDTH / 2}" y1="{y - GAP}" '
                     f'x2="{LEFT + WIDTH / 2}" y2="{y - 2}" marker-end="url(#i)"/>')
    down, up = LEFT + WIDTH + 30, LEFT + WIDTH + 50
    parts.append(f'<line class="d" x1="{down}" y1="{rows[0] + 10}" x2="{down}" '
                 f'y2="{rows[3] + HEIGHT - 4}" marker-end="url(#d)"/>')
    parts.append(f'<line class="u" x1="{up}" y1="{rows[3] + HEIGHT - 4}" x2="{up}" '
                 f'y2="{rows[0] + 10}" marker-end="url(#u)"/>')
    for y, there, back in zip(rows, DOWN, UP):
        parts.append(f'<text class="c" x="{up + 16}" y="{y + 19}">{there}</text>')
        parts.append(f'<text class="t" x="{up + 16}" y="{y + 36}">{back}</text>')
    parts.append(box("k", up + 150, rows[3], 260, "kernels", "the same, for one processor"))
    parts.append(f'<text class="t" x="{up + 16}" y="{rows[5] + 19}">grey arrows: includes</text>')
    parts.append(f'<text class="t" x="{up + 16}" y="{rows[5] + 39}">'
                 'orange: a call on its way; blue: its answer</text>')
    parts.append("</svg>\n")
    pathlib.Path(__file__).with_name("layers.svg").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
