#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# jounce plot and jounce draw: files of every kind, numbers that agree, exact messages.
# pictures.sh PROGRAM PAGE
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"
: >"$work/in"
svg=$work/p.svg csv=$work/p.csv

expect 0 'The move' plot builtin:planar_2r --to 1,0.5 --duration 1 --out "$svg"
head -c 4 "$svg" | grep -q '<svg' || fail "plot writes no SVG"
grep -q 'dτ/dt' "$svg" || fail "plot has no torque rate"
expect 0 '' plot builtin:planar_2r --to 1,0.5 --duration 1 --out "$work/p.html"
grep -q '<!DOCTYPE html>' "$work/p.html" || fail "plot writes no page"
# Another ending is refused, and nothing is written; capitals, and no ending, are as they were meant.
expect 2 "$work/p.pdf: cannot be written as .pdf, needs an ending .svg, .html, .csv or .npz" plot builtin:planar_2r --to 1,0.5 --out "$work/p.pdf"
expect 2 "$work/p.png: cannot be written as .png, needs an ending .svg or .html" draw builtin:planar_2r --out "$work/p.png"
expect 2 'p.csv: cannot be written as .csv, needs an ending .svg or .html' draw builtin:planar_2r --out "$work/p.csv"
[ ! -e "$work/p.pdf" ] && [ ! -e "$work/p.png" ] || fail "a picture under a false name"
expect 0 '' draw builtin:planar_2r --out "$work/P.HTML"
grep -q '<!DOCTYPE html>' "$work/P.HTML" || fail "draw writes no page"
expect 0 '<svg' draw builtin:planar_2r --out -
expect 0 '"exceeded": []' plot builtin:planar_2r --to 0,0 --out "$svg" --json
expect 0 'to a configuration drawn at random' plot builtin:arm7 --out "$svg"

# What is chosen keeps within limits: the elbow starts where it may be, and as slowly as it has to.
cat >"$work/limits.urdf" <<'URDF'
<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="elbow" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="-0.5" velocity="0.4" effort="1e3"/></joint></robot>
URDF
expect 0 's, so that velocity limits hold' plot "$work/limits.urdf" --out "$svg"
expect 0 '"exceeded": []' plot "$work/limits.urdf" --out "$svg" --json
expect 0 'No limit is exceeded.' plot "$work/limits.urdf" --out "$csv"
[ "$(sed -n 2p "$csv" | cut -d, -f2)" = -0.5 ] || fail "plot starts beyond a limit: $(sed -n 2p "$csv")"
expect 0 'elbow: velocity' plot "$work/limits.urdf" --out "$svg" --duration 2
expect 0 'elbow: position 0 at 0 s, limit -0.5' plot "$work/limits.urdf" --out "$svg" --from 0
for robot in arm7 five_bar stewart humanoid aerial_manipulator; do
  "$jounce" plot "builtin:$robot" --out "$svg" --json 2>/dev/null |
    grep -Eq '"kind": "(position|velocity)"' && fail "plot builtin:$robot goes beyond its limits"
done

# The numbers are those of compute, and a table goes in again.
expect 0 '' plot builtin:planar_2r --to 1,0.5 --duration 1 --points 11 --out "$csv"
[ "$(wc -l <"$csv")" = 12 ] || fail "plot --points 11 writes $(wc -l <"$csv") lines"
"$jounce" compute inverse builtin:planar_2r --in "$csv" --format csv >"$work/tau.csv" ||
  fail "compute reads no table of plot"
cut -d, -f1,10,11 "$csv" | tail -n +2 >"$work/one"
tail -n +2 "$work/tau.csv" >"$work/two"
/usr/bin/env python3 - "$work/one" "$work/two" <<'PY' || fail "torques of plot and compute differ"
import sys
one, two = ([[float(x) for x in line.split(",")] for line in open(path)] for path in sys.argv[1:])
sys.exit(len(one) != 11 or max(abs(x - y) for a, b in zip(one, two) for x, y in zip(a, b)) > 1e-9)
PY
expect 0 'The move' plot builtin:planar_2r --motion "$csv" --out "$svg"
expect 2 '--from and --to do not apply' plot builtin:planar_2r --motion "$csv" --to 0,0
expect 2 '--to: found "1", needs 2 numbers' plot builtin:planar_2r --to 1
printf '{"q":[0,0]}' >"$work/no.csv"
expect 2 'no.csv:1:1: is no table of a motion: begins as JSON, needs CSV with columns t, q.JOINT' plot builtin:planar_2r --motion "$work/no.csv"
printf '<robot/>' >"$work/no.csv"
expect 2 'begins as XML' plot builtin:planar_2r --motion "$work/no.csv"
printf 'a,b\n1,2\n' >"$work/no.csv"
expect 2 'no.csv:1:1: is no table of a motion: there is no column "t"' plot builtin:planar_2r --motion "$work/no.csv"
printf 't,joint_1,joint_3\n0,0,0\n1,0,0\n' >"$work/no.csv"
expect 2 'there is no column "joint_3"; nearest: "joint_' plot builtin:planar_2r --motion "$work/no.csv"
expect 2 'needs at least 2' plot builtin:planar_2r --points 1 --to 0,0
expect 2 'needs to be positive' plot builtin:planar_2r --duration 0 --to 0,0

# Loops are closed: the motors lead, the numbers are those of constrained-inverse.
expect 0 'left_proximal_joint and right_proximal_joint lead' plot builtin:five_bar --out "$csv" --points 5
"$jounce" compute constrained-inverse builtin:five_bar --in "$csv" --format csv 2>/dev/null |
  /usr/bin/env python3 -c '
import csv, sys
found = list(csv.DictReader(sys.stdin))
plotted = list(csv.DictReader(open(sys.argv[1])))
names = [name for name in plotted[0] if name.startswith("tau.")]
worst = max(abs(float(a[n]) - float(b[n])) for a, b in zip(found, plotted) for n in names)
sys.exit(len(found) != 5 or len(names) != 4 or worst > 1e-9)' "$csv" || fail "loops are left open"
expect 0 '"leading"' plot builtin:stewart --out "$svg" --json
expect 0 'motors 0.1 on' plot --help

# Meshes of the file, and what is said of one that cannot be drawn.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/one.obj"
mesh() { printf '<robot name="r"><link name="a"><visual><geometry><mesh filename="%s"/></geometry></visual></link></robot>' "$1" >"$work/mesh.urdf"; }
mesh one.obj
expect 0 '' draw "$work/mesh.urdf" --out "$svg"
[ "$(grep -c '<polygon' "$svg")" = 1 ] || fail "draw shows no triangle of a mesh"
printf '<COLLADA/>' >"$work/one.dae"
mesh one.dae
expect 0 "1 mesh is not drawn: $work/one.dae: has no triangles" draw "$work/mesh.urdf" --out "$svg"
sed 's|</robot>|<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>|' \
  "$work/mesh.urdf" >"$work/moves.urdf"
for command in draw plot; do
  "$jounce" $command "$work/moves.urdf" --out "$work/mesh.html" >/dev/null 2>&1
  grep -q ">[^>]*1 mesh is not drawn: $work/one.dae: has no triangles[^<]*\.</p>" "$work/mesh.html" ||
    fail "the page of $command says nothing of a mesh that is not drawn"
done
expect 0 '"not_drawn": ["' draw "$work/mesh.urdf" --out "$svg" --json
mesh none.stl
expect 0 'none.stl: cannot be read: No such file or directory' draw "$work/mesh.urdf" --out "$svg"

for robot in $("$jounce" --version | sed -n 's/^robots //p'); do
  expect 0 '' draw "builtin:$robot" --out "$svg"
  grep -q '<polygon' "$svg" || fail "draw $robot has no shapes"
done
expect 0 "$work/d.html" draw builtin:arm7 --q 0,1,0,1,0,1,0 --view 30,10 --out "$work/d.html"
grep -q '<polygon' "$work/d.html" || fail "draw writes no page"
expect 2 '--view: found "1", needs azimuth' draw builtin:arm7 --view 1
expect 2 '--q: found "1,2", needs 7 numbers' draw builtin:arm7 --q 1,2
finish "plot and draw"
