#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the command line reads: every key and option that has no use is refused by its name.
# input.sh PROGRAM
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"

# Keys: unknown, repeated, of another quantity, beside the states.
good='{"q":[0,0.3],"v":[1,1],"a":[0,0]}'
with() { printf '%s,%s}' "${good%\}}" "$1"; }
inverse=(compute inverse builtin:planar_2r)
given "$good" 0 '"tau"' "${inverse[@]}"
given "$(with '"a":[5,5]')" 2 'standard input:1:34: key "a" appears twice' "${inverse[@]}"
given "$(with '"fext":{"link_2":[0,0,0,5,5,5]}')" 2 \
  'standard input:1:34: inverse: "fext" is not a key of inverse; nearest: "f_ext"' "${inverse[@]}"
given "{\"states\":[$good,$good,$good,$(with '"fext":{}')]}" 2 \
  'inverse: state 3: "fext" is not a key of inverse; nearest: "f_ext"' "${inverse[@]}"
given "$(with '"gravity":[0,0,0]')" 2 '"gravity" is not a key of inverse' "${inverse[@]}"
given "$(with '"passive":"off"')" 2 '--passive is an option' "${inverse[@]}"
given "$(with '"tau_ext":[1,1]')" 2 \
  '"tau_ext" is not a key of inverse; it is a key of higher-inverse' "${inverse[@]}"
given "$(with '"tau":[1,1]')" 2 '"tau" is not a key of inverse; other quantities read it' \
  "${inverse[@]}"
given "$(with '"contacts":{}')" 2 \
  '"contacts" is not a key of inverse; it is a key of constrained-forward' "${inverse[@]}"
given "$(with '"f_ext":{"link_2":[0,0,0,0,0,1],"link_2":[0,0,0,0,0,0]}')" 2 \
  'key "link_2" appears twice' "${inverse[@]}"
given "$(with '"f_ext":{"link_3":[0,0,0,0,0,1]}')" 2 \
  'has no link or frame "link_3"; nearest: "link_1"' "${inverse[@]}"
given "$(with '"f_ext":{"link_2":[0,0]}')" 2 '"link_2" has 2 numbers, needs 6' "${inverse[@]}"
given "{\"q\":[9],\"states\":[$good]}" 2 '"q" stands beside "states"' "${inverse[@]}"
given '{"q":[0,0],"v":[1]}' 2 'gravity: v has 1 elements' compute gravity builtin:planar_2r
given '{"q":[0,0],"v":[1,1]}' 2 '"v" is not a key of mass' compute mass builtin:planar_2r
given '{"states":[]}' 0 '"results": []' "${inverse[@]}"
given '{"states":[1]}' 2 'must be an object' "${inverse[@]}"
given '{"states":{}}' 2 '"states" must be a list' "${inverse[@]}"
given "[$good]" 2 'many states go in as {"states": [...]}' "${inverse[@]}"

# Dynamics of any order in other frames, what joints transmit, propellers: too few derivatives,
# robots that a form does not take, bad numbers.
moved='{"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,2]]}'
higher=(compute higher-inverse builtin:planar_2r)
given "$moved" 0 '"taus"' "${higher[@]}" --frames spatial
given "$moved" 0 '"taus"' "${higher[@]}" --frames hybrid
given "${moved%\}},\"order\":1}" 2 '"motion" has 2 lists, order 1 needs 3' "${higher[@]}" --frames spatial
given "${moved%\}},\"order\":170}" 2 '"order"' "${higher[@]}" --frames spatial
given "$good" 2 '--frames does not apply' "${inverse[@]}" --frames spatial
given "$moved" 0 '"ground"' compute higher-wrenches builtin:planar_2r --kind space
rotor='{"position":[0,0,0],"axis":[0,0,1],"thrust_coefficient":1e-5,"drag_coefficient":0,"spin":1}'
given "{\"propellers\":[$rotor],\"speeds\":[[100],[1]]}" 0 '"rank": 1' propellers wrenches
given "{\"propellers\":[$rotor],\"wrenches\":[[0,0,0,0,0,1]]}" 0 '"speeds"' propellers speeds
given "{\"propellers\":[$rotor],\"wrenches\":[[0,0,0,3,0,4]]}" 1 \
  'Propellers: 1 propellers of rank 1 miss derivative 0 of the wrench by 3 of 5' propellers speeds
given "{\"propellers\":[${rotor/,1],/,2],}],\"speeds\":[[1]]}" 2 \
  'Propellers: propeller 1: axis has length 2, needs 1' propellers wrenches
given "{\"propellers\":[$rotor],\"speeds\":[[1,2]]}" 2 '"speeds" has 2 numbers, needs 1' \
  propellers wrenches

# What is missing or has the wrong size is named in the order of the table, the caller once.
given '{"v":[0,0]}' 2 'inverse: key "q" is missing' "${inverse[@]}"
given '{"q":[0,0],"v":[0],"a":[0]}' 2 'jounce: inverse: v has 1 elements, robot "planar_2r" needs 2' \
  "${inverse[@]}"
given "{\"states\":[$good,{\"q\":[0],\"v\":[0],\"a\":[0]}]}" 2 \
  'jounce: inverse: state 1: q has 1 elements, robot "planar_2r" needs 2' "${inverse[@]}"

# Whole numbers and joints.
series='{"q":[0,0.3],"motion":[[1,1],[5,5],[0,0],[0,0]],"order":'
for order in 4294967296 4294967298 0.9 -1 1e300; do
  given "$series$order}" 2 'needs a whole number from 0 to 169' compute higher-inverse builtin:planar_2r
done
given "$series 1}" 0 '"order": 1' compute higher-inverse builtin:planar_2r
hybrid='{"q":[0,1],"v":[0,0],"a":[1,1],"tau":[1,1],"prescribed":['
for joint in joint_1:4294967296 joint_1: joint_1:1 joint_1:-0 joint_1:0x0 joint_1:+0; do
  given "$hybrid\"$joint\"]}" 2 "\"$joint\" names no coordinate of joint \"joint_1\"" \
    compute hybrid builtin:planar_2r
done
given "$hybrid\"joint_1:0\"]}" 0 '"a"' compute hybrid builtin:planar_2r
given "$hybrid\"jont_1\"]}" 2 'nearest: "joint_1"' compute hybrid builtin:planar_2r
cat >"$work/colon.json" <<'JSON'
{"jounce": 1, "name": "gate", "links": [{"name": "post"},
 {"name": "leaf", "mass": 2, "com": [0.4, 0, 0], "inertia": [1, 0, 1, 0, 0, 1]}],
 "joints": [{"name": "arm:0", "parent": "post", "child": "leaf", "kind": "revolute", "axes": [[0, 0, 1]]}]}
JSON
for joint in arm:0 arm:0:0; do
  given "{\"q\":[0],\"v\":[0],\"a\":[1],\"tau\":[null],\"prescribed\":[\"$joint\"]}" 0 '"tau"' \
    compute hybrid "$work/colon.json"
done

# JSON itself: line, column and what was found; depth and size are limited.
given '' 2 'standard input: no input' "${inverse[@]}"
given '  ' 2 'no input' "${inverse[@]}"
given '{"q":[0,1],
 "v": x}' 2 'standard input:2:7: is not JSON: unexpected "x"' "${inverse[@]}"
given '{"q":[0,1]' 2 'ends too early' "${inverse[@]}"
/usr/bin/env python3 -c "print('{\"q\":' + '[' * 2000000 + ']' * 2000000 + '}')" >"$work/in"
expect 2 'nested more than 100 deep' "${inverse[@]}"
/usr/bin/env python3 -c "print('{\"a\":' * 200000 + '1' + '}' * 200000)" >"$work/in"
expect 2 'nested more than 100 deep' "${inverse[@]}"
expect 2 'nested more than 100 deep' stewart fk
head -c 300000000 /dev/zero | tr '\0' ' ' >"$work/in"
expect 2 'standard input:1:1: has more than 268435456 bytes' "${inverse[@]}"
expect 2 "$work: cannot be read: is a folder" "${inverse[@]}" --in "$work"
expect 2 'none.json: cannot be read: No such file or directory' "${inverse[@]}" --in "$work/none.json"

# Results that are not finite are an error, with the entry that is not.
given '{"q":[0,1],"v":[1e160,1e160]}' 1 'kinetic is not finite' compute energy builtin:planar_2r
given '{"states":[{"q":[0,1],"v":[1,1],"a":[0,0]},{"q":[0,1],"v":[1e160,1e160],"a":[0,0]}]}' 1 \
  'inverse: state 1: ' "${inverse[@]}"
given '{"q":[0,1],"v":[0,0],"tau":[1e308,-1e308]}' 1 'not finite' compute forward builtin:planar_2r

# Options: those that a quantity needs, and those it has no use for.
given '{"q":[0,1]}' 2 'jacobian: --frame is missing' compute jacobian builtin:planar_2r
expect 0 '"frame": "link_2"' compute jacobian builtin:planar_2r --frame link_2
expect 2 '--frame does not apply; it is an option of fk, jacobian, ik' compute mass builtin:planar_2r --frame link_2
expect 2 '--kind does not apply; it is an option of jacobian' compute mass builtin:planar_2r --kind space
expect 2 '--factorization does not apply; it is an option of coriolis' \
  compute mass builtin:planar_2r --factorization lie
expect 2 'there is no option "--fram"; nearest: "--frame"' compute fk builtin:planar_2r --fram link_2
expect 2 '--frame is given 2 times' compute fk builtin:planar_2r --frame link_2 --frame link_1
expect 2 'there is no use for "more"' compute fk builtin:planar_2r more
expect 2 'there is no quantity "invers"; nearest: "inverse"' compute invers builtin:planar_2r
expect 2 'MODEL is missing' compute fk
expect 2 'QUANTITY is missing' compute
expect 2 'planar_2r, puma560, arm7, quadruped' info
expect 2 'four_bar, five_bar, stewart' info builtin:panda
expect 2 'there is no command "comput"; nearest: "compute"' comput x y
expect 2 'there is no command "fkk"; nearest: "fk"' stewart fkk
# What is no misspelling of anything is answered with all there is; quantities and options count.
expect 2 'there is no command "xyz"; there are info, doctor, compute' xyz
expect 2 'there is no command "invers"; nearest: "compute inverse"' invers builtin:arm7
expect 2 'there is no command "help"; nearest: "--help"' help
expect 2 'there is no command "version"; nearest: "--version"' version
expect 2 'there is no option "--zzz"; there are --' plot builtin:arm7 --zzz
expect 2 'there is no bundled robot "foo"; there are' info builtin:foo
expect 2 'there is no quantity "banana"; there are fk, jacobian' compute banana builtin:arm7
given '{"zzz":1}' 2 '"zzz" is not a key of inverse; there are q, v, a' "${inverse[@]}"
expect 2 'compute: --kind: found "bodi", needs body, space or hybrid' compute jacobian builtin:arm7 --kind bodi
expect 2 'plot: --points: found "x", needs a number' plot builtin:arm7 --points x
expect 2 'plot: --points: found "1.5", needs a whole number' plot builtin:arm7 --points 1.5
expect 2 'plot: --points is 1, needs at least 2' plot builtin:arm7 --points 1
expect 2 'plot: --duration: found "1x", needs a number' plot builtin:arm7 --duration 1x
expect 2 'plot: --duration is -1.5, needs to be positive' plot builtin:arm7 --duration -1.5
expect 2 'plot: --out needs a value: FILE' plot builtin:arm7 -o
expect 2 'info: --base needs a value: fixed|floating' info builtin:arm7 --base
expect 2 'stewart tables: --draws: found "x", needs a whole number from 1 to 1000' stewart tables --draws x
expect 2 'simulate: --time is missing: until when, in s' simulate builtin:arm7
expect 2 'plot: MODEL is missing: URDF or JSON file' plot
expect 2 'convert: joint "left_proximal_joint": URDF has no closed position; --lossy leaves such things out' convert builtin:five_bar --to urdf
expect 2 'stewart sweep: --general: found "-3", needs a whole number from 0 to 1000000' stewart sweep --general -3
given '{"position":[0.5,0.5,0]}' 2 '"frame" is missing' compute ik builtin:planar_2r
given '{"position":[0.5,0.5,0],"frame":"link_1"}' 2 'but --frame is "link_2"' \
  compute ik builtin:planar_2r --frame link_2
for command in "" stewart; do
  "$jounce" $command >"$work/out" 2>"$work/err"
  [ $? = 2 ] || fail "jounce $command: exit status"
  { [ ! -s "$work/out" ] && grep -q 'Commands:' "$work/err"; } || fail "jounce $command: no help"
done

# Platforms: keys, whole numbers, counts.
platform='"base":[[1,0,0],[-0.4,0.9,0],[-0.6,0.8,0],[-0.6,-0.8,0],[-0.4,-0.9,0],[0.9,-0.3,0]],
"platform":[[0.4,0.5,0],[0.2,0.55,0],[-0.6,0,0],[-0.6,-0.1,0.05],[0.3,-0.5,0],[0.5,-0.4,0]]'
grid='"grid":{"lower":[0,0,1],"upper":[0.1,0.1,1.1],"points":[2,2,2]}'
given "{$platform,\"limits\":{\"longst\":1.0},$grid}" 2 \
  '"longst" is not a key of "limits"; nearest: "longest"' stewart workspace
given "{$platform,\"limits\":{\"longest\":1.0},$grid}" 0 '"reachable": 0' stewart workspace
given "{$platform,\"limits\":{\"determinant_sign\":0.9},$grid}" 2 \
  '"determinant_sign" is 0.9, needs a whole number from -1 to 1' stewart workspace
given "{$platform,\"pose\":{\"position\":[0,0,1],\"quat\":[0,0,0,1]}}" 2 \
  '"quat" is not a key of a pose; nearest: "quaternion"' stewart ik
given "{$platform,\"pose\":{\"position\":[0,0,1]},\"poses\":[]}" 2 'are both given' stewart ik
given "{$platform,\"poses\":[{\"position\":[0,0,1]},{\"position\":[0,0]}]}" 2 '"poses"[1]' stewart ik
given "{$platform,\"length\":[1,1,1,1,1,1]}" 2 \
  '"length" is not a key of stewart fk; nearest: "lengths"' stewart fk
given "{$platform,\"lengths\":[1,1,1,1,1,1],\"lengths\":[1,1,1,1,1,2]}" 2 'appears twice' stewart fk
given "{$platform,${grid/2,2,2/1000,1000,900}}" 2 \
  '"points" are 900000000 in all, at most 10000000 are scanned' stewart workspace
given "{$platform,${grid/2,2,2/2,2,2.5}}" 2 'three whole numbers' stewart workspace
given "{$platform,${grid/points/point}}" 2 '"point" is not a key of "grid"; nearest: "points"' \
  stewart workspace
slice='"slice":{"origin":{"position":[0,0,1]},"u":[0,0,0,0,0,0],"v":[0,0,0,0,0,1],"range":[1,2,-5,5]}'
given "{$platform,$slice}" 2 '"u" is zero, needs a direction' stewart workspace

# What is left out is told on standard error, once, and not with --quiet; --strict refuses it.
sed 's/"axes"/"dampnig": 3, "stifness": 100, "axes"/' "$work/colon.json" >"$work/gate.json"
echo '{"states":[{"q":[0]},{"q":[1]}]}' >"$work/in"
for model in "$work/gate.json" builtin:four_bar; do
  [ "$model" = builtin:four_bar ] && echo '{"states":[{"q":[0,0,0]},{"q":[0,0,1]}]}' >"$work/in"
  "$jounce" compute mass "$model" <"$work/in" >"$work/out" 2>"$work/err" || fail "mass of $model"
  [ "$(wc -l <"$work/err")" = 1 ] || fail "$model: not one line: $(cat "$work/err")"
  "$jounce" compute mass "$model" --quiet <"$work/in" 2>"$work/quiet" | cmp - "$work/out" ||
    fail "$model: --quiet changes the result"
  [ ! -s "$work/quiet" ] || fail "$model: --quiet is not: $(cat "$work/quiet")"
  grep -q "${model/*gate.json/gate.json:3:86: note: ignored: 1 key \"dampnig\", 1 key \"stifness\" (line 3)}" "$work/err" ||
    fail "$model: $(cat "$work/err")"
done
grep -q 'has 1 loop, left open' "$work/err" || fail "no word of the loop: $(cat "$work/err")"

# Quantities that close the loops say nothing of open ones, and refuse what cannot be held.
q='"q":[2.21429743558818,-1.2870022175865685,0.927295218001612,1.2870022175865685],"v":[0,0,0,0]'
for state in "forward {$q,\"tau\":[0.3,0,-0.2,0]}" "inverse {$q,\"a\":[0,0,0,0]}" \
  "hybrid {$q,\"a\":[1,null,null,null],\"tau\":[null,0,0,0],\"prescribed\":[\"left_proximal_joint\"]}"; do
  given "${state#* }" 0 '"rank": 2' compute "constrained-${state%% *}" builtin:five_bar
  "$jounce" compute "constrained-${state%% *}" builtin:five_bar <"$work/in" 2>"$work/err" >"$work/out"
  [ ! -s "$work/err" ] || fail "constrained-${state%% *} says $(cat "$work/err")"
done
given "{$q,\"a\":[0,0,0,0]}" 0 '"tau"' \
  compute constrained-inverse builtin:five_bar --optimum torque
given "{$q,\"tau\":[0,0,0,0]}" 2 '--optimum does not apply; it is an option of constrained-inverse' \
  compute constrained-forward builtin:five_bar --optimum torque
given "{$q,\"a\":[1,0,0,0]}" 1 'constrained-inverse: the accelerations would open loop "tip"' \
  compute constrained-inverse builtin:five_bar

# Assemblies: one near a guess, all of them, and what cannot be closed.
motors='"kept":["left_proximal_joint","right_proximal_joint"]'
given "{\"q\":[2,-1,1,1],$motors}" 0 '"converged": true' compute assemble builtin:five_bar
given '{}' 0 '"converged": true' compute assemble builtin:five_bar
given '{"q":[3.14,0,0,0],"kept":["left_proximal_joint","left_distal_joint"]}' 0 '"converged": false' \
  compute assemble builtin:five_bar
given '{"q":[2,0,1,0]}' 0 '"complete": true' compute assemblies builtin:five_bar
"$jounce" compute assemblies builtin:five_bar <"$work/in" | /usr/bin/env python3 -c '
import json, math, sys
found = json.load(sys.stdin)["results"][0]
near = lambda a, b: all(abs(math.remainder(x - y, 2 * math.pi)) < 1e-13 for x, y in zip(a, b))
known = [[2, -1.0187957003519148, 1, 1.0732881017505773], [2, -3.068304551839216, 1, -3.1603883539417077]]
assert len(found["solutions"]) == 2 and abs(found["discriminant"] - 0.6770191374064628) < 1e-13
assert all(any(near(x, y) for y in found["solutions"]) for x in known)' || fail "assemblies"
given '{"q":[2,0,1,0],"position":[9,0,0]}' 0 '"solutions": []' compute assemblies builtin:five_bar
given '{"q":[2,0,1,0],"position":[0,0,0.4]}' 0 '"complete": true' compute assemblies builtin:five_bar
given '{"q":[2,0,1,0],"position":[0,0,0.4],"loop":"tip"}' 0 '"solutions"' \
  compute assemblies builtin:five_bar
given '{"q":[2,0,1,0],"position":[0,0,0.4],"loop":"top"}' 2 'the robot has no loop "top"' \
  compute assemblies builtin:five_bar
given '{"q":[2,0,1,0],"loop":"tip"}' 2 '"loop" needs "position"' compute assemblies builtin:five_bar
given '{"q":[2,0,1,0],"kept":["left_proximal_joint"]}' 2 \
  'leave 1 more coordinates free than are kept' compute assemblies builtin:five_bar
given '{"q":[2,0,1,0],"kept":["left_proximal_joint:1"]}' 2 '"kept": "left_proximal_joint:1" names no' \
  compute assemblies builtin:five_bar
q5='"q":[2.21429743558818,-1.2870022175865685,0.927295218001612,1.2870022175865685]'
given "{$q5}" 0 '"instantaneous": 2' compute constrained-jacobian builtin:five_bar --frame left_distal
given "{$q5,\"driven\":[\"left_distal_joint\",\"right_distal_joint\"]}" 0 '"jacobian"' \
  compute constrained-jacobian builtin:five_bar --frame left_distal
given "{$q5,\"driven\":[\"left_distal_joint\"]}" 1 'determine 1 of its 2 degrees of freedom' \
  compute constrained-jacobian builtin:five_bar --frame left_distal
given '{"position":[9,0,0]}' 0 '"end": "out_of_reach"' \
  compute constrained-ik builtin:five_bar --frame left_distal
given '{"q":[0,0]}' 2 'has no loops' compute assemblies builtin:planar_2r
zeros='[0,0,0,0,0,0,0]'
held() { printf '{"q":%s,"v":%s,"tau":%s,"contacts":%s}' $zeros $zeros $zeros "$1"; }
stand=(compute constrained-forward builtin:arm7)
given "$(held '{"flange":"fixed"}')" 0 '"flange"' "${stand[@]}"
given "$(held '{"flange":"ball"}')" 2 'kind "ball" is not one of fixed, revolute' "${stand[@]}"
given "$(held '{"flange":1}')" 2 'must be a string, found a number' "${stand[@]}"
given "$(held '["flange"]')" 2 'must be an object, found a list' "${stand[@]}"
given "$(held '{"hand":"point"}')" 2 'has no link or frame "hand"' "${stand[@]}"
given "$(held '{"base":"fixed"}')" 2 'contact "base" does not move' "${stand[@]}"
given "$(held '{"flange":"distance"}')" 2 'kind distance needs a second frame' "${stand[@]}"
error_lines=2
given '{"q":[0]}' 2 'key "stifness" of joint "arm:0" would be ignored' \
  compute mass "$work/gate.json" --strict
expect 2 'gate.json:3:' info "$work/gate.json" --strict
error_lines=1

finish "what the command line reads"
