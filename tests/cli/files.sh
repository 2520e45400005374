#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Robot files as people have them: warnings, faults, xacro, doctor and info, and large ones.
# files.sh PROGRAM PAGE
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"
corpus=$(dirname "$0")/../io/corpus
: >"$work/in"

# Warnings go to standard error and leave the result alone; --quiet leaves them out.
echo '{"q":[0.5],"v":[1],"a":[2]}' >"$work/in"
expect 0 'inertia_triangle.urdf:3:3: warning: link "b": inertia violates the triangle inequality' \
  compute inverse "$corpus/inertia_triangle.urdf"
"$jounce" compute inverse "$corpus/inertia_triangle.urdf" --quiet <"$work/in" >"$work/out" 2>"$work/err" ||
  fail "--quiet"
[ ! -s "$work/err" ] || fail "--quiet is not: $(cat "$work/err")"
expect 2 'inertia_triangle.urdf:3:3: link "b": inertia violates' info "$corpus/inertia_triangle.urdf" --inertia strict
expect 2 'inertia_triangle.urdf:3:3: link "b": inertia violates' info "$corpus/inertia_triangle.urdf" --strict
expect 0 'becomes 0.45, 0, 0.55, 0, 0, 1' info "$corpus/inertia_triangle.urdf" --inertia repair
expect 2 '--strict refuses what --inertia repair changes' info "$corpus/no_products.urdf" --strict --inertia repair
expect 2 '--inertia' info "$corpus/no_products.urdf" --inertia nice
expect 0 '"nv": 1' info "$corpus/no_products.urdf" --strict --json
# What harms nothing is told by info alone.
"$jounce" compute inverse "$corpus/other_programs.urdf" <"$work/in" 2>"$work/err" >/dev/null || fail "gazebo"
[ ! -s "$work/err" ] || fail "warned of what harms nothing: $(cat "$work/err")"
expect 0 'ignored: 2 <gazebo> (lines 10, 11)' info "$corpus/other_programs.urdf"
expect 0 '<gazebo> of robot "r"' info "$corpus/other_programs.urdf" --verbose

# All faults at once, twenty of them, then a count.
error_lines=4
expect 2 'four_faults.urdf:14:23: joint "k": child: there is no link "nolink"' info "$corpus/four_faults.urdf"
error_lines=21
expect 2 'many_faults.urdf: and 5 more' info "$corpus/many_faults.urdf"
error_lines=1

# A joint called base.
expect 0 '"nv": 1' info "$corpus/joint_base.urdf" --base fixed --json
expect 0 'joint_base.urdf:6:3: warning: the file has a joint "base": the free joint is called "base_free"' \
  info "$corpus/joint_base.urdf" --base floating

# xacro is named, and run through a program of that name only on request.
mkdir "$work/bin"
printf '#!/bin/sh\necho "<robot name=\\"made\\"><link name=\\"a\\"/></robot>"\n' >"$work/bin/xacro"
chmod +x "$work/bin/xacro"
expect 2 'run xacro ' info "$corpus/xacro_include.urdf"
PATH=$work/bin:$PATH expect 0 '"name": "made"' info "$corpus/xacro_include.urdf" --xacro --json

# doctor: 0 healthy, 1 warnings, 2 refused; findings with places and remedies.
doctor() {
  local status=$1 text=$2
  shift 2
  "$jounce" doctor "$@" >"$work/out" 2>"$work/err"
  [ $? = "$status" ] || fail "doctor $*: exit status is not $status"
  grep -qF -- "$text" "$work/out" || fail "doctor $*: no '$text' in: $(cat "$work/out" "$work/err")"
}
doctor 0 healthy builtin:arm7
doctor 0 '-> give --package FOLDER' "$corpus/mesh_missing.urdf"
mkdir -p "$work/packages/none"
touch "$work/packages/none/a.stl"
doctor 0 'mesh_missing.urdf:4:225: note: mesh "b.stl" is not found' "$corpus/mesh_missing.urdf" \
  --package "$work/packages"
doctor 1 '-> give moments that a body has' "$corpus/inertia_triangle.urdf"
doctor 1 'limits_reversed.urdf:8:24: warning: ' "$corpus/limits_reversed.urdf"
doctor 2 'four_faults.urdf:7:51: fault: link "c": mass -1 is negative' "$corpus/four_faults.urdf"
doctor 2 'many_faults.urdf: and 5 more' "$corpus/many_faults.urdf"
doctor 2 refused "$corpus/link_twice.urdf"
doctor 2 refused "$corpus/limits_reversed.urdf" --strict
doctor 2 'truncated.urdf:8:5: fault: the text ends inside <joint> of line 6' "$corpus/truncated.urdf"
doctor 2 '"verdict": "refused"' "$corpus/truncated.urdf" --json
doctor 0 healthy "$corpus/loop.urdf"
doctor 2 'loop_unknown_kind.urdf:10:24: fault: loop "l": kind "hinge" is not one of' "$corpus/loop_unknown_kind.urdf"
doctor 2 'loop_unknown_link.urdf:12:5: fault: loop "l": link_2: there is no link "c"' "$corpus/loop_unknown_link.urdf"
doctor 2 'loop_on_one_link.urdf:10:3: fault: loop "l": both ends are on link "b"' "$corpus/loop_on_one_link.urdf"
doctor 2 'loop_faults.urdf:14:44: fault: loop "rod": attribute "length": "long"' "$corpus/loop_faults.urdf"
doctor 2 'actuated_maybe.urdf:6:45: fault: joint "j": actuated is "maybe"' "$corpus/actuated_maybe.urdf"
cat >"$work/sick.urdf" <<'URDF'
<robot name="sick"><link name="world"/>
  <link name="wheel"><inertial><origin xyz="5 0 0"/><mass value="2.6"/>
    <inertia ixx="0.025" ixy="0" ixz="0" iyy="0.025" iyz="0" izz="0.044"/></inertial>
    <collision><geometry><cylinder radius="0.2" length="0.1"/></geometry></collision></link>
  <joint name="spin" type="continuous"><parent link="world"/><child link="wheel"/><axis xyz="0 2 0"/></joint>
  <link name="flag"/>
  <joint name="wave" type="revolute"><parent link="wheel"/><child link="flag"/></joint>
</robot>
URDF
doctor 1 'sick.urdf:7:3: warning: joint "wave" moves link "flag", which has no mass' "$work/sick.urdf"
doctor 1 'sick.urdf:5:3: warning: joints "base" and "spin" move the same bodies' "$work/sick.urdf" --base floating
doctor 1 'sick.urdf:7:3: warning: joint "wave" moves link "flag", which has no mass' "$work/sick.urdf" --base floating
doctor 1 'sick.urdf:2:3: warning: link "wheel": com (5,0,0) lies outside its collision shapes' "$work/sick.urdf"
doctor 1 'sick.urdf:5:83: note: joint "spin": axis (0,2,0) has length 2, brought to 1' "$work/sick.urdf"
sed -i '/flag/d' "$work/sick.urdf"
doctor 1 'sick.urdf:5:3: warning: joints "base" and "spin" move the same bodies' "$work/sick.urdf" --base floating
doctor 1 '"verdict": "warnings"' "$work/sick.urdf" --json
/usr/bin/env python3 -c '
import json, sys
found = json.load(sys.stdin)
assert found["verdict"] == "warnings", found
assert [(x["kind"], x["level"], x["count"]) for x in found["findings"]] == \
    [("com", "warning", 1), ("axis", "note", 1)], found
assert all(x["remedy"] and x["places"][0]["line"] > 0 for x in found["findings"])' <"$work/out" || fail "doctor --json"
# Centres of mass: told outside the box around primitive shapes and a twentieth of its size.
/usr/bin/env python3 - >"$work/centres.urdf" <<'PYTHON'
box, ball = '<box size="0.2 0.2 0.2"/>', '<sphere radius="0.1"/>'
rod, stick = '<cylinder radius="0.01" length="0.2"/>', '<box size="0.4 0.02 0.02"/>'
links = [("box_out", 1, "0.12 0 0", [(box, "")]), ("ball_out", 1, "0 0.15 0", [(ball, "")]),
         ("rod_out", 1, "0 0 0.15", [(rod, "")]), ("far_out", 1, "0 0 0", [(ball, 'xyz="1 0 0"')]),
         ("box", 1, "0.108 0 0", [(box, "")]), ("capsule", 1, "0 0 0.19", [('<capsule radius="0.1" length="0.2"/>', "")]),
         ("turned", 1, "0 0.18 0", [(stick, 'rpy="0 0 -1.5707963"')]), ("far", 1, "1 0 0", [(ball, 'xyz="1 0 0"')]),
         ("two", 1, "0.5 0 0", [(ball, ""), (ball, 'xyz="1 0 0"')]), ("empty", 0, "5 0 0", [(ball, "")]),
         ("none", 1, "5 0 0", []), ("mesh", 1, "5 0 0", [(ball, ""), ('<mesh filename="m.stl"/>', "")])]
print('<robot name="centres"><link name="root"/>')
for name, mass, com, shapes in links:
    print(f'<link name="{name}"><inertial><origin xyz="{com}"/><mass value="{mass}"/>'
          f'<inertia ixx="{mass}" ixy="0" ixz="0" iyy="{mass}" iyz="0" izz="{mass}"/></inertial>')
    for shape, place in shapes:
        print(f'<collision><origin {place}/><geometry>{shape}</geometry></collision>')
    print(f'</link><joint name="to_{name}" type="fixed"><parent link="root"/><child link="{name}"/></joint>')
print('</robot>')
PYTHON
doctor 1 '"kind": "com"' "$work/centres.urdf" --json
/usr/bin/env python3 -c '
import json, sys
found = [x for x in json.load(sys.stdin)["findings"] if x["kind"] == "com"]
told = [place["what"].split(chr(34))[1] for place in found[0]["places"]]
assert told == ["box_out", "ball_out", "rod_out", "far_out"], found' <"$work/out" || fail "doctor: centres of mass"

# A joint that moves no link with a mass but leads one that does.
cat >"$work/gripper.urdf" <<'URDF'
<robot name="gripper"><link name="hand"/><link name="left"/>
  <link name="right"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="a" type="prismatic"><parent link="hand"/><child link="left"/></joint>
  <joint name="b" type="prismatic"><parent link="hand"/><child link="right"/><mimic joint="a"/></joint>
</robot>
URDF
doctor 0 healthy "$work/gripper.urdf"
sed -i 's/prismatic/revolute/; s/mass value="1"/origin xyz="0 1e9 0"\/><mass value="1e300"/' "$work/gripper.urdf"
doctor 0 healthy "$work/gripper.urdf"
/usr/bin/env python3 - >"$work/long.urdf" <<'PYTHON'
mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
print('<robot name="long"><link name="link_0"/>')
for k in range(1, 401):
    print(f'<link name="link_{k}">{mass if k < 400 else ""}</link><joint name="joint_{k}" type="continuous">'
          f'<parent link="link_{k - 1}"/><child link="link_{k}"/></joint>')
print('</robot>')
PYTHON
doctor 1 'joint "joint_400" moves link "link_400", which has no mass' "$work/long.urdf"

# info: the tree with limits, effort, resistances and mimics; its JSON says the same.
cat >"$work/rough.json" <<'ROBOT'
{"jounce": 1, "name": "rough", "links": [{"name": "a"}, {"name": "b", "mass": 1}],
 "joints": [{"name": "j", "kind": "prismatic", "parent": "a", "child": "b", "axes": [[0, 0, 1]],
             "damping": [0.5], "friction": [0.25], "drag": [0.125], "stiffness": [2], "rest": [1]}]}
ROBOT
expect 0 'damping  friction   drag' info "$work/rough.json"
"$jounce" info "$work/rough.json" --json | /usr/bin/env python3 -c '
import json, sys
joint = json.load(sys.stdin)["tree"][0]
assert [joint[x] for x in ("damping", "friction", "drag", "stiffness", "rest")] == \
    [[0.5], [0.25], [0.125], [2], [1]], joint' || fail "info --json: resistances"
expect 0 '6 j1 + 0.625' info "$corpus/mimic_chain.urdf"
expect 0 '  j2' info "$corpus/mimic_chain.urdf"
"$jounce" info "$corpus/mimic_chain.urdf" --json | /usr/bin/env python3 -c '
import json, sys
found = json.load(sys.stdin)
assert found["mimic"] == {"j2": "j1", "j3": "j1"}, found["mimic"]
last = found["tree"][2]
assert (last["parent"], last["child"], last["kind"]) == ("c", "d", "revolute"), last
assert last["mimic"] == {"leader": "j1", "multiplier": 6, "offset": 0.625}, last
assert found["findings"][0]["kind"] == "mimic_chain" and found["ignored"] == []' || fail "info --json"
"$jounce" info "$corpus/other_programs.urdf" --json | /usr/bin/env python3 -c '
import json, sys
ignored = json.load(sys.stdin)["ignored"]
assert [(x["line"], x["what"]) for x in ignored[1:3]] == \
    [(10, "<gazebo> of robot \"r\""), (11, "<gazebo> of robot \"r\"")], ignored' || fail "ignored"

finish "robot files"
