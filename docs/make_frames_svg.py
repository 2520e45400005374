#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws docs/frames.svg: the ground, a body frame, its pose, twist and wrench."""
import pathlib

STYLE = """<style>
text{font:15px sans-serif;fill:#333}.t{font-size:13px;fill:#666}
.x{stroke:#d55e00}.y{stroke:#009e73}.z{stroke:#0072b2}.p{stroke:#777;stroke-dasharray:6 4}
.w{stroke:#cc79a7}.f{stroke:#56b4e9}line,path{stroke-width:2.5;fill:none}
.b{fill:#8882;stroke:#888;stroke-width:1.5}
@media (prefers-color-scheme:dark){text{fill:#ddd}.t{fill:#aaa}.b{stroke:#aaa}}
</style>"""


def arrow(kind, x0, y0, x1, y1, label="", dx=6, dy=4):
    line = f'<line class="{kind}" x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" marker-end="url(#{kind})"/>'
    return line + f'<text x="{x1 + dx}" y="{y1 + dy}">{label}</text>'


def marker(kind, colour):
    return (f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" '
            f'markerHeight="6" orient="auto-start-reverse">'
            f'<path d="M0 0L10 5L0 10z" style="fill:{colour};stroke:none"/></marker>')


def main():
    colours = {"x": "#d55e00", "y": "#009e73", "z": "#0072b2", "p": "#777", "w": "#cc79a7",
               "f": "#56b4e9"}
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 330" '
             'role="img" aria-label="Frames, twist and wrench">', STYLE, "<defs>"]
    parts += [marker(k, c) for k, c in colours.items()]
    parts += ["</defs>",
              '<ellipse class="b" cx="490" cy="150" rx="140" ry="80" transform="rotate(-18 490 150)"/>',
              arrow("x", 90, 260, 180, 260, "x"), arrow("y", 90, 260, 140, 215, "y"),
              arrow("z", 90, 260, 90, 170, "z", -4, -8),
              '<text x="60" y="290">ground {0}</text>',
              arrow("p", 90, 260, 452, 172, "", 0, 0), '<text x="240" y="205">p</text>',
              arrow("x", 460, 170, 535, 145, "x"), arrow("y", 460, 170, 520, 205, "y"),
              arrow("z", 460, 170, 440, 90, "z", -14, -4),
              '<text x="420" y="268">body {1}, pose T = (R, p)</text>',
              arrow("w", 460, 170, 480, 60, "ω", 4, -4), arrow("f", 460, 170, 600, 185, "v", 6, 6),
              '<text class="t" x="20" y="30">body twist: ω and v in the axes of {1}, v of its origin</text>',
              '<text class="t" x="20" y="50">space twist: both in the axes of {0}, v at the origin of {0}</text>',
              '<text class="t" x="20" y="70">hybrid twist: axes of {0}, v of the origin of {1}</text>',
              "</svg>\n"]
    pathlib.Path(__file__).with_name("frames.svg").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
