#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The command line as other programs use it: outputs, keys, exit status, one-line errors.
# check.sh PROGRAM
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"

echo '{"q":[0,0,0,0,0,0,0]}' >"$work/in"
expect 0 "jounce 0" --version
for command in info compute convert simulate tour "${bench[@]}"; do expect 0 "Example: " $command --help; done
for robot in planar_2r puma560 arm7 quadruped humanoid aerial_manipulator four_bar five_bar stewart; do
  expect 0 '"joints"' info "builtin:$robot" --json
  expect 0 "degrees of freedom" info "builtin:$robot"
done
# Loops are listed, and how many degrees of freedom they leave.
expect 0 '15 rows, 15 of them independent: 6 degrees of freedom are left' info builtin:stewart
expect 0 '5 rows, 2 of them independent: 2 degrees of freedom are left' info builtin:five_bar
expect 0 'coupler_rocker  revolute  coupler  rocker' info builtin:four_bar
"$jounce" info builtin:arm7 | grep -qi loop && fail "info of a robot without loops speaks of loops"
"$jounce" info builtin:four_bar --json | /usr/bin/env python3 -c '
import json, sys
info = json.load(sys.stdin)
assert info["loops"] == [{"name": "coupler_rocker", "kind": "revolute", "link_1": "coupler",
                          "link_2": "rocker"}], info["loops"]
found = [info[key] for key in ("rows", "rank", "mobility", "actuated")]
assert found == [5, 2, 1, ["crank_joint"]], found' || fail "info --json has other loops"

# An instruction set that there is not is refused by every command, and help still helps.
export JOUNCE_ISA=bogus
expect 2 'jounce: JOUNCE_ISA is "bogus", this processor has baseline' info builtin:arm7
expect 2 'jounce: JOUNCE_ISA is "bogus", this processor has baseline' compute fk builtin:arm7
expect 0 "Examples:" --help
expect 0 "jounce 0" --version
expect 0 "built by" --version
export JOUNCE_ISA=baseline
expect 0 '"joints"' info builtin:arm7 --json
unset JOUNCE_ISA

expect 0 '"quaternion"' compute fk builtin:arm7 --frame flange
expect 0 '"links"' compute fk builtin:arm7
expect 0 '"jacobian"' compute jacobian builtin:arm7 --frame flange --kind hybrid
expect 0 '"nv": 13' info builtin:arm7 --base floating --json
expect 0 '"nv": 12' info builtin:quadruped --base fixed --json
expect 2 'there is no quantity "fkk"' compute fkk builtin:arm7
expect 2 'nearest: "flange"' compute fk builtin:arm7 --frame flage
expect 2 'builtin:arm8' info builtin:arm8
expect 2 'nowhere.urdf' info nowhere.urdf
expect 2 '--base' info builtin:arm7 --base flying
expect 2 'needs three numbers' info builtin:arm7 --gravity 0,0
echo '{"q":[0,0]}' >"$work/in"
expect 2 'q has 2 elements' compute fk builtin:arm7
echo '{}' >"$work/in"
expect 2 '"q" is missing' compute fk builtin:arm7
echo '{"q":["a"]}' >"$work/in"
expect 2 '"q"[0] must be a number, found a string' compute fk builtin:arm7
echo '{"q":[1e999,0,0,0,0,0,0]}' >"$work/in"
expect 2 '' compute fk builtin:arm7
echo '{"q":[' >"$work/in"
expect 2 'standard input:2:1: the JSON text ends too early' compute fk builtin:arm7
echo '[]' >"$work/in"
expect 2 'must be a JSON object' compute fk builtin:arm7
echo '{"states":[{"q":[0,0,0,0,0,0,0]},{"q":[0]}]}' >"$work/in"
expect 2 'state 1: ' compute fk builtin:arm7 --out "$work/out"
[ ! -e "$work/out" ] || fail "a failed run left an output file"
echo '{"q":[0,0,0,0,0,0,1.1]}' >"$work/in"

# Inverse kinematics finds what forward kinematics says, through files.
echo '{"q":[0.1,0.5,-0.3,-1.2,0.2,0.8,0.4]}' >"$work/in"
"$jounce" compute fk builtin:arm7 --frame flange --in "$work/in" --out "$work/pose.json" ||
  fail "fk to a file"
/usr/bin/env python3 - "$work/pose.json" >"$work/in" <<'PY' || fail "fk wrote no JSON"
import json, sys
pose = json.load(open(sys.argv[1]))["results"][0]
print(json.dumps({"frame": "flange", "position": pose["position"], "quaternion": pose["quaternion"]}))
PY
expect 0 '"converged": true' compute ik builtin:arm7
echo '{"frame":"flange","position":[9,9,9]}' >"$work/in"
expect 0 '"converged": false' compute ik builtin:arm7
echo '{"frame":"flange"}' >"$work/in"
expect 2 'one is needed' compute ik builtin:arm7


# Forward dynamics undoes inverse dynamics, and hybrid dynamics mixes both.
echo '{"q":[0.1,0.2],"v":[0.3,-0.4],"a":[1,2]}' >"$work/in"
"$jounce" compute inverse builtin:planar_2r --in "$work/in" --out "$work/tau.json" || fail "inverse"
/usr/bin/env python3 - "$work/tau.json" >"$work/in" <<'PY' || fail "inverse wrote no JSON"
import json, sys
tau = json.load(open(sys.argv[1]))["results"][0]["tau"]
print(json.dumps({"q": [0.1, 0.2], "v": [0.3, -0.4], "tau": tau}))
PY
"$jounce" compute forward builtin:planar_2r --in "$work/in" --out "$work/a.json" || fail "forward"
/usr/bin/env python3 - "$work/a.json" <<'PY' || fail "forward does not undo inverse"
import json, sys
a = json.load(open(sys.argv[1]))["results"][0]["a"]
sys.exit(abs(a[0] - 1) > 1e-12 or abs(a[1] - 2) > 1e-12)
PY
# Overflow is a failed computation that leaves no file.
echo '{"q":[0.1,0.2],"v":[1e160,1e160]}' >"$work/in"
expect 1 'energy: kinetic is not finite' compute energy builtin:planar_2r
echo '{"q":[0.1,0.2],"v":[1e160,1e160],"a":[0,0]}' >"$work/in"
expect 1 'inverse: tau[0] (joint "'"$("$jounce" info builtin:planar_2r --json | tr -d ' \n' |
  sed 's/.*"joints":\[{"name":"\([^"]*\)".*/\1/')"'") is not finite' compute inverse builtin:planar_2r
rm -f "$work/none.json"
echo '{"q":[0.1,0.2],"v":[0,0],"tau":[1e308,-1e308]}' >"$work/in"
expect 1 'is not finite' compute forward builtin:planar_2r --out "$work/none.json"
[ ! -e "$work/none.json" ] || fail "a refused computation left a file"
cat >"$work/world.urdf" <<'URDF'
<robot name="world_floating"><link name="world"/>
  <link name="wheel"><inertial><origin xyz="0.1 0 0"/><mass value="2.6"/>
    <inertia ixx="0.025" ixy="0" ixz="0" iyy="0.025" iyz="0" izz="0.044"/></inertial></link>
  <joint name="spin" type="continuous"><parent link="world"/><child link="wheel"/><axis xyz="0 1 0"/></joint>
</robot>
URDF
echo '{"q":[0,0,0,0,0,0,1,0.3],"v":[0,0,0,0,0,0,0],"tau":[1,1,1,1,1,1,1]}' >"$work/in"
expect 1 'joints "base" and "spin" move the same bodies: link "world" between them has no mass' \
  compute forward "$work/world.urdf" --base floating
joint=$("$jounce" info builtin:planar_2r --json | tr -d ' \n' | sed 's/.*"joints":\[{"name":"\([^"]*\)".*/\1/')
echo '{"q":[0,0],"v":[0,0],"a":[1,null],"tau":[null,0],"prescribed":["'"$joint"'"]}' >"$work/in"
expect 0 '"tau"' compute hybrid builtin:planar_2r
echo '{"q":[0,0],"v":[0,0],"a":[1,null],"tau":[null,0],"prescribed":["'"$joint"':3"]}' >"$work/in"
expect 2 'names no coordinate' compute hybrid builtin:planar_2r
echo '{"q":[0,0],"v":[0,0],"a":[null,null],"tau":[0,0],"prescribed":["'"$joint"'"]}' >"$work/in"
expect 2 '"a"[0] must be a number' compute hybrid builtin:planar_2r
echo '{"q":[0,0],"v":[0,0]}' >"$work/in"
for quantity in gravity bias energy; do expect 0 '"results"' compute $quantity builtin:planar_2r; done
expect 2 '"tau" is missing' compute forward builtin:planar_2r
echo '{"q":[0,0]}' >"$work/in"
for quantity in mass mass-inverse; do
  "$jounce" compute $quantity builtin:planar_2r --in "$work/in" --out "$work/$quantity.json" || fail "$quantity"
done
/usr/bin/env python3 - "$work/mass.json" "$work/mass-inverse.json" <<'PY' || fail "mass-inverse is not the inverse of mass"
import json, sys
M, W = (json.load(open(name))["results"][0]["matrix"] for name in sys.argv[1:])
P = [[sum(M[i][k] * W[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
sys.exit(max(abs(P[i][j] - (i == j)) for i in range(2) for j in range(2)) > 1e-12)
PY

# Forward and hybrid dynamics of a robot with a mimic joint undo its inverse dynamics.
cat >"$work/gripper.urdf" <<'XML'
<robot name="gripper">
  <link name="palm"/>
  <link name="left"><inertial><mass value="2"/><origin xyz="0.1 0 0"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial></link>
  <link name="right"><inertial><mass value="1"/><origin xyz="0 0.2 0"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial></link>
  <joint name="close" type="revolute"><parent link="palm"/><child link="left"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="follow" type="revolute"><parent link="palm"/><child link="right"/><axis xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/>
    <mimic joint="close" multiplier="-0.5" offset="0.1"/></joint>
</robot>
XML
echo '{"q":[0.3],"v":[0.7],"a":[2]}' >"$work/in"
"$jounce" compute inverse "$work/gripper.urdf" --in "$work/in" --out "$work/tau.json" || fail "inverse with a mimic joint"
/usr/bin/env python3 - "$work/tau.json" >"$work/in" <<'PY' || fail "inverse with a mimic joint wrote no JSON"
import json, sys
tau = json.load(open(sys.argv[1]))["results"][0]["tau"]
state = {"q": [0.3], "v": [0.7], "tau": tau}
print(json.dumps(state))
print(json.dumps(state | {"a": [None], "prescribed": []}))
PY
sed -n 1p "$work/in" >"$work/forward"
sed -n 2p "$work/in" >"$work/hybrid"
for quantity in forward hybrid; do
  "$jounce" compute $quantity "$work/gripper.urdf" --in "$work/$quantity" --out "$work/a.json" || fail "$quantity with a mimic joint"
  /usr/bin/env python3 - "$work/a.json" <<'PY' || fail "$quantity does not undo inverse with a mimic joint"
import json, sys
sys.exit(abs(json.load(open(sys.argv[1]))["results"][0]["a"][0] - 2) > 1e-12)
PY
done

# The matrices: C v + g is the bias, Y pi the forces, and the keys are those other programs read.
echo '{"q":[0.1,0.2],"v":[0.3,-0.4]}' >"$work/in"
for kind in plain ploen lie christoffel; do
  "$jounce" compute coriolis builtin:planar_2r --factorization $kind --in "$work/in" --out "$work/C.json" ||
    fail "coriolis $kind"
  "$jounce" compute bias builtin:planar_2r --gravity 0,0,0 --in "$work/in" --out "$work/b.json" || fail "bias"
  /usr/bin/env python3 - "$work/C.json" "$work/b.json" <<'PY' || fail "C v is not the bias: $kind"
import json, sys
C = json.load(open(sys.argv[1]))["results"][0]
b = json.load(open(sys.argv[2]))["results"][0]["tau"]
v = [0.3, -0.4]
off = max(abs(sum(c * x for c, x in zip(row, v)) - t) for row, t in zip(C["matrix"], b))
sys.exit(off > 1e-12 or len(C["mass_rate"]) != 2)
PY
done
"$jounce" compute christoffel builtin:planar_2r --in "$work/in" --out "$work/gamma.json" 2>"$work/err" &&
  fail "christoffel read v"
echo '{"q":[0.1,0.2]}' >"$work/q"
"$jounce" compute christoffel builtin:planar_2r --in "$work/q" --out "$work/gamma.json" || fail "christoffel"
"$jounce" compute curvature builtin:planar_2r --in "$work/q" --out "$work/R.json" || fail "curvature"
"$jounce" compute mass builtin:planar_2r --in "$work/q" --out "$work/M.json" || fail "mass"
/usr/bin/env python3 - "$work/C.json" "$work/gamma.json" "$work/R.json" "$work/M.json" <<'PY' || fail "christoffel or curvature"
import json, sys
C, gamma, R, M = (json.load(open(name))["results"][0] for name in sys.argv[1:])
v = [0.3, -0.4]
off = max(abs(sum(gamma["gamma"][i][j][k] * v[i] for i in range(2)) - C["matrix"][k][j])
          for j in range(2) for k in range(2))
(a, b), (_, d) = M["matrix"]
R_0101 = R["riemann"][0][1][0][1]
flat = max(abs(R["ricci"][i][j] - R_0101 * M["matrix"][i][j] / (a * d - b * b)) for i in range(2) for j in range(2))
sys.exit(off > 1e-12 or flat > 1e-12 or abs(R["scalar"] - 2 * R_0101 / (a * d - b * b)) > 1e-12
         or R["riemann"][1][0][0][1] != -R_0101)
PY
expect 0 '"com"' compute momentum builtin:planar_2r
expect 0 '"momentum"' compute momentum builtin:planar_2r
echo '{"q":[0.1,0.2],"v":[0.3,-0.4],"a":[1,2]}' >"$work/in"
expect 0 '"bodies"' compute regressor builtin:planar_2r

# Derivatives: their keys, and the blocks of hybrid dynamics have their sizes.
expect 0 '"dtau_dv"' compute inverse-derivatives builtin:planar_2r
expect 0 '"d2tau_dadq"' compute inverse-second-derivatives builtin:planar_2r
# What is not finite is named as its key.
echo '{"q":[0.1,0.2],"v":[1e300,1e300],"a":[0,0]}' >"$work/in"
expect 1 'derivatives: dtau_dq(0, 1) ' compute inverse-derivatives builtin:planar_2r
expect 1 'derivatives: d2tau_dqdq(0, ' compute inverse-second-derivatives builtin:planar_2r
echo '{"q":[0.1,0.2],"v":[0.3,-0.4],"tau":[3,4]}' >"$work/in"
expect 0 '"da_dtau"' compute forward-derivatives builtin:planar_2r
expect 0 '"d2a_dtaudq"' compute forward-second-derivatives builtin:planar_2r
echo '{"q":[0,0],"v":[0,0],"a":[1,null],"tau":[null,0],"prescribed":["'"$joint"'"]}' >"$work/in"
"$jounce" compute hybrid-derivatives builtin:planar_2r --in "$work/in" --out "$work/h.json" ||
  fail "hybrid-derivatives"
/usr/bin/env python3 - "$work/h.json" <<'PY' || fail "hybrid-derivatives: wrong blocks"
import json, sys
h = json.load(open(sys.argv[1]))["results"][0]
sizes = [(len(h[key]), len(h[key][0])) for key in ("da_dq", "da_da", "da_dtau", "dtau_dv", "dtau_da")]
sys.exit(sizes != [(1, 2), (1, 1), (1, 1), (1, 2), (1, 1)] or h["free"] != [1])
PY
echo '{"q":[0,0],"v":[0,0]}' >"$work/in"
expect 2 '--factorization' compute coriolis builtin:planar_2r --factorization best

# Gough-Stewart platforms: lengths of a pose, the pose of lengths, reach.
platform='"base":[[28.9778,7.7646,0],[-7.7646,28.9778,0],[-21.2132,21.2132,0],[-21.2132,-21.2132,0],
[-7.7646,-28.9778,0],[28.9778,-7.7646,0]],"platform":[[14.1421,14.1421,0],[5.1764,19.3185,0],
[-19.3185,5.1764,0],[-19.3185,-5.1764,0],[5.1764,-19.3185,0],[14.1421,-14.1421,0]]'
echo "{$platform,\"pose\":{\"position\":[1,2,50],\"quaternion\":[0,0,0.6,0.8]}}" >"$work/in"
"$jounce" stewart ik --in "$work/in" --out "$work/legs.json" || fail "stewart ik"
/usr/bin/env python3 - "$work/in" "$work/legs.json" >"$work/fk" <<'PY' || fail "stewart ik wrote no JSON"
import json, sys
platform, legs = (json.load(open(name)) for name in sys.argv[1:])
print(json.dumps({"base": platform["base"], "platform": platform["platform"],
                  "lengths": legs["lengths"], "near": {"position": [0, 0, 50]}}))
PY
"$jounce" stewart fk --in "$work/fk" --out "$work/pose.json" || fail "stewart fk"
/usr/bin/env python3 - "$work/pose.json" <<'PY' || fail "stewart fk does not undo ik"
import json, sys
found = json.load(open(sys.argv[1]))
pose = found["poses"][0]
wanted = [1, 2, 50, 0, 0, 0.6, 0.8]
apart = max(abs(a - b) for a, b in zip(pose["position"] + pose["quaternion"], wanted))
sys.exit(apart > 1e-7 or not found["converged"] or pose["residual"] > 1e-8
         or "certified" not in pose or "complex_count" not in found or "seconds" not in found)
PY
"$jounce" stewart all --in "$work/fk" --out "$work/all.json" || fail "stewart all"
/usr/bin/env python3 - "$work/all.json" <<'PY' || fail "stewart all does not find the pose of the lengths"
import json, sys
found = json.load(open(sys.argv[1]))
wanted = [1, 2, 50, 0, 0, 0.6, 0.8]
apart = min(max(abs(a - b) for a, b in zip(pose["position"] + pose["quaternion"], wanted))
            for pose in found["poses"])
sys.exit(apart > 1e-7 or found["complex_count"] != 28 or not found["converged"]
         or any(pose["residual"] > 1e-10 or not pose["certified"] for pose in found["poses"]))
PY
expect 0 "semi-regular" stewart sweep --general 2 --planar 0 --semi-regular 2 --paired 2
expect 2 "" stewart sweep --general -1
for command in fk all ik workspace residual run sensors exp experiment tables survey branches sweep; do expect 0 "" stewart $command --help; done
echo "{$platform,\"lengths\":[50,50,50,50,50,-1]}" >"$work/in"
expect 2 'length 6 is -1' stewart fk
expect 2 'length 6 is -1' stewart all
echo "{$platform,\"lengths\":[50,50,50,50,50]}" >"$work/in"
expect 2 '"lengths" has 5 numbers, needs 6' stewart fk
echo "{$platform,\"lengths\":[5,200,5,200,5,200]}" >"$work/in"
expect 0 '"converged": false' stewart fk
expect 0 'no pose has these lengths: legs 1 and 2 are 5 and 200 long, but their joints are 42.4265 apart' stewart fk
expect 0 '"poses": []' stewart all
echo "{$platform,\"lengths\":[38,61,38,61,38,61]}" >"$work/in"  # every two legs could have these
expect 0 '"reason": "no pose has these lengths"' stewart fk
echo "{$platform,\"lengths\":[50,50,50,50,50,50],\"limits\":{\"longest\":45},
\"near\":{\"position\":[0,0,30]}}" >"$work/in"
expect 0 '"reason": "the pose with these lengths is outside the domain: leg too long"' stewart fk
echo "{$platform,\"lengths\":[50,50,50,50,50,50],\"restarts\":13}" >"$work/in"
expect 2 '"restarts" is 13, needs a whole number from 0 to 12' stewart fk
echo "{${platform/28.9778/28977.8},\"lengths\":[50,50,50,50,50,50]}" >"$work/in"
expect 2 'the base is 540 times as large as the platform, at most 300 times is taken; are both in one unit?' stewart fk

# The experiment of Xie, Dai, Liu 2021, piece by piece.
"$jounce" stewart experiment --out "$work/experiment" || fail "stewart experiment"
/usr/bin/env python3 - "$work/experiment" "$work" <<'PY' || fail "stewart experiment wrote no JSON"
import json, sys
x = json.load(open(sys.argv[1]))
common = {key: x[key] for key in ("base", "platform", "lengths")}
def write(name, **others):
    json.dump({**common, **others}, open(f"{sys.argv[2]}/{name}", "w"))
write("residual", pose=x["true_pose"])
write("run", start=x["starts"][2], method="gauss_newton", chart="euler", step_factor=0.9)
write("printed", start=x["starts"][2], method="gauss_newton", line_search="printed",
      step_factor=0.9)
write("wrong", start=x["starts"][2], method="newton")
write("sensors", sensors=[{"kind": "inclination", "base": [0, 0, 1], "platform": [0, 0, 1],
                           "reading": 0.34906585, "accuracy": 0.001}])
write("sensor", sensors=[{"kind": "tilt", "reading": 1, "accuracy": 1}])
write("leg", sensors=[{"kind": "first_angle", "leg": 7, "home": {"position": [0, 0, 50]},
                       "reading": 1, "accuracy": 1}])
PY
expect 0 '"objective": ' stewart residual --in "$work/residual"
expect 0 '"converged": true' stewart run --in "$work/run"
expect 0 '"stop": "endless_search"' stewart run --in "$work/printed"
expect 2 '"method" is "newton", needs one of "levenberg_marquardt", "gauss_newton"' stewart run --in "$work/wrong"
expect 0 '"poses_before": 4' stewart sensors --in "$work/sensors"
expect 2 '"kind" is "tilt", needs one of "length", "inclination", "first_angle", "second_angle"' stewart sensors --in "$work/sensor"
expect 2 '"leg" is 7, needs a whole number from 1 to 6' stewart sensors --in "$work/leg"
expect 0 '55.991' stewart experiment --as-printed
echo '{"screw":[0.3,0,0,0,0,0]}' >"$work/in"
expect 0 '"basis"' stewart exp
echo '{"screw":[0.3,0,0]}' >"$work/in"
expect 2 '"screw" has 3 numbers, needs 6' stewart exp
expect 0 'GN-SE(3) from start 4 reaches q_C for alpha 0.60' stewart tables --draws 1 --samples 2
expect 0 'LM-SE(3) diagonal tau 1e-9' stewart survey --samples 2
expect 0 'caught less often near a branch is' stewart branches --samples 2
expect 2 'stewart survey: --samples: found "1", needs a whole number from 2 to 1000000' stewart survey --samples 1
echo "{$platform,\"limits\":{\"shortest\":40,\"longest\":70},
\"grid\":{\"lower\":[-5,-5,45],\"upper\":[5,5,55],\"points\":[2,2,2]},
\"sample\":{\"lower\":[-5,-5,45],\"upper\":[5,5,55],\"poses\":1000},
\"path\":{\"from\":{\"position\":[0,0,45]},\"to\":{\"position\":[0,0,55]}}}" >"$work/in"
expect 0 '"reachable": 1000' stewart workspace
expect 0 '"passed": true' stewart workspace
echo "{$platform,\"slice\":{\"origin\":{\"position\":[0,0,50]},\"u\":[0,0,1,0,0,0],
\"v\":[0,0,0,0,0,1],\"range\":[1,2,-5,5],\"cells\":4}}" >"$work/in"
expect 0 '1.570' stewart workspace
echo "{$platform}" >"$work/in"
expect 2 'one of "grid", "sample", "path" and "slice" is needed' stewart workspace
expect 2 '"lengths" is missing' stewart fk
echo '{"base":[[0,0]],"platform":[]}' >"$work/in"
expect 2 '"base" must be a list of six points' stewart ik

# Dynamics of higher order: forward undoes inverse, hybrid agrees with both.
cat >"$work/in" <<'JSON'
{"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,2],[-1,0.5],[2,1]],"order":2}
JSON
"$jounce" compute higher-inverse builtin:planar_2r --in "$work/in" --out "$work/taus.json" ||
  fail "higher-inverse"
/usr/bin/env python3 - "$work/taus.json" "$joint" >"$work/in" <<'PY' || fail "higher-inverse wrote no JSON"
import json, sys
taus = json.load(open(sys.argv[1]))["results"][0]["taus"]
motion = [[0.3, -0.4], [1, None], [-1, None], [2, None]]
state = {"q": [0.1, 0.2], "taus": taus}
print(json.dumps(state | {"v": [0.3, -0.4]}))
print(json.dumps(state | {"motion": motion, "prescribed": [sys.argv[2]]}))
PY
sed -n 1p "$work/in" >"$work/higher-forward"
sed -n 2p "$work/in" >"$work/higher-hybrid"
for quantity in higher-forward higher-hybrid; do
  "$jounce" compute $quantity builtin:planar_2r --in "$work/$quantity" --out "$work/motion.json" ||
    fail "$quantity"
  /usr/bin/env python3 - "$work/motion.json" <<'PY' || fail "$quantity does not undo higher-inverse"
import json, sys
motion = json.load(open(sys.argv[1]))["results"][0]["motion"]
expected = [[0.3, -0.4], [1, 2], [-1, 0.5], [2, 1]]
sys.exit(any(abs(x - y) > 1e-11 for a, b in zip(motion, expected) for x, y in zip(a, b))
         or len(motion) != 4)
PY
done
cat >"$work/in" <<'JSON'
{"states":[{"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,2],[-1,0.5]]},
{"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,2],[-1,0.5]],"tau_ext":[0.5,-2]},
{"q":[0.1,0.2],"motion":[[0.3,-0.4],[1,2],[-1,0.5]],"tau_ext":[[0.5,-2],[3,0.25]]}]}
JSON
"$jounce" compute higher-inverse builtin:planar_2r --in "$work/in" --out "$work/taus.json" ||
  fail "higher-inverse with tau_ext"
/usr/bin/env python3 - "$work/taus.json" <<'PY' || fail "tau_ext does not help the actuators"
import json, sys
free, constant, rising = [r["taus"] for r in json.load(open(sys.argv[1]))["results"]]
given = [[[0.5, -2], [0, 0]], [[0.5, -2], [3, 0.25]]]
sys.exit(any(abs(free[k][j] - found[k][j] - x[k][j]) > 1e-12
             for found, x in zip((constant, rising), given) for k in (0, 1) for j in (0, 1)))
PY
echo '{"q":[0,0],"motion":[[0,0],[0,0]],"tau_ext":[1]}' >"$work/in"
expect 2 '"tau_ext" has 1 elements, needs 2' compute higher-inverse builtin:planar_2r
# Lists beyond the order are not read; states of one run may have different orders.
/usr/bin/env python3 - "$jounce" "$joint" <<'PY' || fail "lists beyond the order change results"
import json, subprocess, sys
def results(quantity, states):
    run = subprocess.run([sys.argv[1], "compute", quantity, "builtin:planar_2r"], check=True,
                         input=json.dumps({"states": states}), capture_output=True, text=True)
    return json.loads(run.stdout)["results"]
motion, taus = [[0.3, -0.4], [1, 2], [-1, 0.5], [2, 1]], [[5, 1], [-2, 3], [1, 1]]
given = {"higher-inverse": {"motion": motion}, "higher-forward": {"v": motion[0], "taus": taus},
         "higher-hybrid": {"motion": motion, "taus": taus, "prescribed": [sys.argv[2]]}}
for quantity, lists in given.items():
    def state(order):
        keep = {"motion": order + 2, "taus": order + 1}
        cut = {key: value[:keep[key]] if key in keep else value for key, value in lists.items()}
        return {"q": [0.1, 0.2], **cut}
    long = results(quantity, [{"q": [0.1, 0.2], **lists, "order": r} for r in (1, 2, 0)])
    assert long == results(quantity, [state(r) for r in (1, 2, 0)]), quantity
    assert [one["order"] for one in long] == [1, 2, 0]
PY
echo '{"q":[0,0],"motion":[[0,0],[0,0]],"order":1}' >"$work/in"
expect 2 '"motion" has 2 lists, order 1 needs 3' compute higher-inverse builtin:planar_2r
echo '{"q":[0,0],"motion":[[0,0],[0,0]],"order":170}' >"$work/in"
expect 2 '"order" is 170, needs a whole number from 0 to 169' compute higher-inverse builtin:planar_2r
echo "{\"q\":[0,0],\"motion\":[[0,0]$(printf ',[0,0]%.0s' {1..18})]}" >"$work/in"
expect 0 '"order": 17' compute higher-inverse builtin:planar_2r
echo '{"q":[0,0],"motion":[[0,0]]}' >"$work/in"
expect 2 '"motion" has 1 list, order 0 needs 2' compute higher-inverse builtin:planar_2r
echo '{"q":[0,0],"motion":[[0,0],[0]]}' >"$work/in"
expect 2 '"motion"[1] has 1 elements, needs 2' compute higher-inverse builtin:planar_2r
echo '{"q":[0,0],"v":[0,0],"taus":[[0,null]]}' >"$work/in"
expect 2 '"taus"[0][1] must be a number' compute higher-forward builtin:planar_2r
echo '{"q":[0,0]}' >"$work/in"
expect 2 '"motion" is missing' compute higher-inverse builtin:planar_2r

# Derivatives by named parameters, which the robot must have.
sensitivity() {
  given "{\"q\":[0.1,0.2],\"v\":[0,0],\"a\":[1,2],\"parameters\":[$1]}" "$2" "$3" \
    compute sensitivity builtin:planar_2r
}
sensitivity '"inertia:link_2:0","wrench:link_1:5","gravity:1"' 0 '"dtau_dp"'
sensitivity '"colour:link_2:0"' 2 'there is no kind of parameter "colour"; there are inertia, payload'
sensitivity '"inertia:link_9:0"' 2 'link_9'
sensitivity '"inertia:link_2:10"' 2 'component 10 of "link_2", which has 10'
sensitivity '"pitch:joint_1"' 2 'joint "joint_1" is not a helical joint'
sensitivity '"rest:joint_1"' 2 'joint "joint_1" has no spring'
sensitivity '"gravity:up"' 2 '"gravity:up" must be "kind:name:component" or "gravity:component"'
sensitivity '' 2 '"parameters" must be a list of names such as "inertia:link_1:0"'
given '{"q":[0,0],"a":[0,0],"parameters":["gravity:1"]}' 2 '"a" needs "v" beside it' \
  compute sensitivity builtin:planar_2r
given '{"q":[0.1,0.2],"v":[0,0],"a":[1,null],"tau":[null,0],"prescribed":["joint_1"],
  "parameters":["gravity:1"]}' 0 '"da_dp"' compute sensitivity builtin:planar_2r

# A ground that moves, forces at points, momentum about the origin, velocities by components.
given '{"q":[0.1,0.2],"v":[0,0],"a":[0,0],"ground":{"velocity":[0,0,0,0,0,0],"acceleration":[0,0,0,0,9.81,0]}}' \
  0 '"tau"' compute inverse builtin:planar_2r
given '{"q":[0.1,0.2],"v":[0,0],"a":[0,0],"ground":{"speed":[0,0,0,0,0,0]}}' 2 \
  '"speed" is not a key of a ground that moves' compute inverse builtin:planar_2r
given '{"q":[0.1,0.2],"v":[0,0],"a":[0,0],"f_ext":{"link_2":{"force":[0,1,0],"point":[1,0,0]}}}' \
  0 '"tau"' compute inverse builtin:planar_2r
given '{"q":[0.1,0.2],"v":[0,0],"a":[0,0],"f_ext":{"link_2":{"force":[0,1,0],"in":"up"}}}' 2 \
  '"in" is "up", needs "body", "space" or "hybrid"' compute inverse builtin:planar_2r
given '{"q":[0.1,0.2],"v":[1,0]}' 0 '"momentum_origin"' compute momentum builtin:planar_2r
given '{"q":[0.1,0.2],"twist":[null,null,null,0.1,0.2,null]}' 0 '"error"' \
  compute ik-velocity builtin:planar_2r --frame link_2
given '{"q":[0.1,0.2],"twist":[1,2]}' 2 '"twist" has 2 elements, needs 6' \
  compute ik-velocity builtin:planar_2r --frame link_2

# Robots from tables, and as products of exponentials; a round trip.
printf 'a,alpha,d,theta\n0,1.5707963267948966,0.6,0\n0.4,0,0.1,0.2\n' >"$work/arm.csv"
expect 0 '"joint_2"' convert "$work/arm.csv" --from dh
expect 0 '<robot name="arm"' convert "$work/arm.csv" --from dh --convention modified --to urdf --lossy
"$jounce" convert "$work/arm.csv" --from dh --to poe --frame tool --out "$work/arm.poe" || fail "to poe"
"$jounce" convert "$work/arm.poe" --from poe --out "$work/again.json" || fail "from poe"
"$jounce" convert "$work/arm.csv" --from dh --out "$work/arm.json" || fail "from dh"
for file in arm again; do
  echo '{"q":[0.3,-0.5]}' | "$jounce" compute fk "$work/$file.json" --frame tool >"$work/$file.fk" || fail fk
done
/usr/bin/env python3 - "$work" <<'PY' || fail "a table and its exponentials have other poses"
import json, sys
a, b = (json.load(open(f"{sys.argv[1]}/{name}.fk"))["results"][0]["matrix"] for name in ("arm", "again"))
sys.exit(max(abs(x - y) for r, s in zip(a, b) for x, y in zip(r, s)) > 1e-14)
PY
printf 'a,d,theta\n0,0.6,0\n' >"$work/bad.csv"
expect 2 'bad.csv:1:1: the column "alpha" is missing: a Denavit-Hartenberg table needs a, alpha, d, theta' \
  convert "$work/bad.csv" --from dh
printf 'a,alpha,d,theta,twist\n0,0,0.6,0,1\n' >"$work/bad.csv"
expect 2 'a Denavit-Hartenberg table has no column "twist"; there are a, alpha, d, theta, prismatic' convert "$work/bad.csv" --from dh
printf 'a,alpha,d,theta,prismatic\n0,0,0.6,0,2\n' >"$work/bad.csv"
expect 2 '"prismatic" must be 0 or 1' convert "$work/bad.csv" --from dh
echo '{"screws":[[0,0,1,0,0]]}' >"$work/bad.poe"
expect 2 '"screws" has a list of 5 numbers, needs 6: angular part first' convert "$work/bad.poe" --from poe
expect 2 'convert: --frame is missing' convert builtin:arm7 --to poe
expect 0 '"screws"' convert builtin:puma560 --to poe --frame link_6

# Motions through points stay in the limits.
motion() {
  given "{\"points\":[[0,0],[$1,0.1],[0.1,0.3]],\"times\":[0,4,9],\"at\":[2,4.5]}" "$2" "$3" \
    compute trajectory builtin:planar_2r
}
motion 0.2 0 '"jerk"'
motion 9 2 'at t = 4.5 the position of joint "joint_1" is 9.3296, its limit is 3.14159'
given '{"points":[[0,0],[1,1]],"times":[0,1,2],"at":[0]}' 2 '"points" has 2 entries, "times" has 3' \
  compute trajectory builtin:planar_2r
given '{"q":[0.1,0.2],"v":[0.3,-0.4],"tau":[5,1]}' 0 '"B"' compute linearise builtin:planar_2r
given '{"q":[0.1,0.2],"v":[0.3,-0.4]}' 0 '"C_ploen"' compute global-matrices builtin:planar_2r

# What shells and man know: every command, quantity and bundled robot.
"$jounce" completion >"$work/completion"
bash -n "$work/completion" || fail "the completion script has a fault"
completes() {  # WORDS...: what bash offers for the last one
  bash -c 'source "$1"; shift; COMP_WORDS=(jounce "$@"); COMP_CWORD=$#; _jounce; echo "${COMPREPLY[@]}"' \
    - "$work/completion" "$@"
}
[[ " $(completes comp) " == *" compute "* ]] || fail "completion of a command"
[[ " $(completes compute higher-i) " == *" higher-inverse "* ]] || fail "completion of a quantity"
[[ " $(completes draw builtin:hum) " == *" builtin:humanoid "* ]] || fail "completion of a robot"
[[ " $(completes plot --dur) " == *" --duration "* ]] || fail "completion of an option"
[[ " $(completes plot -) " == *" -o --out "* ]] || fail "completion of a short option"
"$jounce" man >"$work/jounce.1"
for word in plot compute 'higher\\-inverse' '\\-\\-duration' '\\-i, \\-\\-in' '\\-o, \\-\\-out'; do
  grep -q -- "$word" "$work/jounce.1" || fail "the manual has no $word"
done
if command -v man >/dev/null; then
  LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$work/jounce.1" 2>&1 >/dev/null | grep . && fail "man warns"
fi

finish "command line"
