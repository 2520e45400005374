#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# jounce simulate: summary, files, starts, forces, interruption, resuming, and what it refuses.
# simulate.sh PROGRAM PAGE
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"
: >"$work/in"
cd "$work" || exit 1
# json CODE ARGS...: runs with --json; CODE sees the summary as x.
json() {
  local code=$1
  shift
  "$jounce" simulate "$@" --json >"$work/json" 2>"$work/err" || fail "simulate $*: $(cat "$work/err")"
  /usr/bin/env python3 -c "import json
x = json.load(open('$work/json'))
$code" || fail "simulate $*: $(cat "$work/json")"
}

# The example of its help, and the keys that its help says.
expect 0 "Example: " simulate --help
"$jounce" simulate --help >"$work/help"
awk 'length > 100 {exit 1}' "$work/help" || fail "simulate --help has lines of more than 100 columns"
PATH=$(dirname "$jounce"):$PATH bash -c "$(sed -n 's/^Example: //p' "$work/help")" >"$work/out" ||
  fail "the example of simulate --help"
grep -q '^  energy drift  ' "$work/out" || fail "no energy drift in: $(cat "$work/out")"
[ "$(wc -l <five_bar.csv)" = 102 ] || fail "--record 100 gives $(wc -l <five_bar.csv) lines"
json '
needed, optional = set(), set()
for line in open("'"$work/help"'").read().split("With --json:\n")[1].split("\n\n")[0].split("\n"):
    if line[2] != " ":
        key = line.split()[0]
        (optional if key[0] == "[" else needed).add(key.strip("[]"))
assert needed <= set(x) <= needed | optional, set(x) ^ needed
assert x["end"] == "time" and x["t"] == 1 and x["integrator"] == "auto" and x["tol"] == 1e-8
assert 0 < x["energy_drift"] < 1e-6 and 0 < x["constraint_violation"] < 1e-10
assert x["steps"] > 10 and x["seconds"] > 0 and x["real_time_factor"] == 1 / x["seconds"]' \
  builtin:five_bar --time 1
for robot in planar_2r puma560 arm7 quadruped humanoid aerial_manipulator four_bar stewart; do
  json 'assert x["end"] == "time" and x["energy_drift"] < 1e-4' "builtin:$robot" --time 0.05
done
for method in semi_implicit variational rk4 rkmk4 dopri5 dop853 rodas4 taylor; do
  json "assert x['integrator'] == '$method' and x['step'] == 0.001 and x['steps'] in (50, 51), x" \
    builtin:arm7 --time 0.05 --step 0.001 --integrator $method
done
json 'assert x["integrator"] == "rk4" and "tol" not in x' builtin:arm7 --time 0.01 --step 0.001
json 'assert x["tol"] == 1e-6' builtin:arm7 --time 0.01 --integrator rodas4

# Starts: 1 rad/s, 0.1 m/s where there are motors, nothing elsewhere; or what is given.
"$jounce" simulate builtin:quadruped --time 1e-3 --out start.csv >/dev/null || fail "start.csv"
"$jounce" simulate builtin:stewart --time 1e-3 --out stewart.json >/dev/null || fail "stewart.json"
/usr/bin/env python3 - <<'PY' || fail "default starts"
import csv, json
names, first = list(csv.reader(open("start.csv")))[:2]
first = dict(zip(names, map(float, first)))
assert first["t"] == 0 and all(first[f"v.base:{k}"] == 0 for k in range(6)), first
assert all(first[n] == 1 for n in names if n.startswith("v.") and ":" not in n)
found = json.load(open("stewart.json"))
v = [found["v"][0][j["v"][0]] for j in found["joints"] if "leg" in j["name"] or "slide" in j["name"]]
assert any(0.01 < abs(x) < 1 for x in found["v"][0]), found["v"][0]
PY
json 'assert abs(x["q"][0] - 0.30002) < 1e-3 and abs(x["v"][1] + 2) < 0.1' builtin:planar_2r --time 1e-3 \
  --q0 0.3,-0.2 --v0=-0.5,-2
expect 0 'the start leaves loops open; to close them' simulate builtin:five_bar --time 0.01 --q0 0.3,0.2,0.1,0.1
expect 2 '--q0: found "1,2", needs 7 numbers with commas between them' simulate builtin:arm7 --time 1 --q0 1,2
expect 2 '--v0: found "1,x", needs 2 numbers' simulate builtin:planar_2r --time 1 --v0 1,x
cat >open.json <<'ROBOT'
{"jounce": 1, "name": "open", "links": [{"name": "a"}, {"name": "b", "mass": 1, "com": [1, 0, 0]}],
 "joints": [{"name": "j", "kind": "revolute", "parent": "a", "child": "b", "axes": [[0, 0, 1]]}],
 "loops": [{"name": "far", "kind": "point", "link_1": "a", "placement_1": {"position": [5, 0, 0]}, "link_2": "b"}]}
ROBOT
expect 1 'loop "far" cannot be closed, what is open is 5' simulate open.json --time 1 --out open.csv
[ ! -e open.csv ] || fail "a run that did not begin left a file"

# Options.
expect 2 '--time is missing' simulate builtin:arm7
expect 2 '--time is 0, needs a time in s after 0' simulate builtin:arm7 --time 0
expect 2 '--step is 0, needs a length in s' simulate builtin:arm7 --time 1 --step 0
expect 2 'tol is 0.1, needs 1e-14 to 0.001' simulate builtin:arm7 --time 1 --tol 0.1
expect 2 '--step and --tol exclude each other' simulate builtin:arm7 --time 1 --tol 1e-3 --step 1
expect 2 'rk4 takes steps of one length, needs step' simulate builtin:arm7 --time 1 --integrator rk4
expect 2 '--integrator' simulate builtin:arm7 --time 1 --integrator euler
expect 2 'order is 3, and variational needs 2 or 4' simulate builtin:arm7 --time 1 --step 0.01 --integrator variational --order 3
expect 2 '--record says how many rows --out has' simulate builtin:arm7 --time 1 --record 5
expect 2 '--json and --out - both write to standard output' simulate builtin:arm7 --time 1 --json --out -
expect 2 'nowhere/run.csv cannot be written: there is no folder nowhere' simulate builtin:arm7 --time 1 --out nowhere/run.csv
if [ -e /dev/full ]; then  # the checkpoint is written all the same
  expect 1 'cannot write /dev/full: No space left' simulate builtin:arm7 --time 0.01 --out /dev/full --checkpoint kept.json
  json 'assert x["t"] == 0.02' builtin:arm7 --time 0.02 --resume kept.json
fi
# An error on the way: what was computed is kept, both of it.
expect 1 'is not finite' simulate builtin:arm7 --time 100 --step 0.1 --out broken.csv --checkpoint broken.json
[ "$(wc -l <broken.csv)" -gt 3 ] || fail "a run that broke off left $(wc -l <broken.csv) lines"
/usr/bin/env python3 -c "import csv, json
last = float(list(csv.reader(open('broken.csv')))[-1][0])
assert last > 0 and abs(json.load(open('broken.json'))['t'] - last) < 0.21" || fail "broken.json is not where broken.csv ends"
json 'assert x["energy_drift"] < 1e-7' builtin:arm7 --time 0.1 --passive off --gravity 0,0,0
expect 0 'beyond its limit' simulate builtin:arm7 --time 1
json 'assert x["impact_energy"] == 0 and x["limits"] and x["limits"][0]["beyond"] > 0' builtin:arm7 --time 1

# Stops: nothing goes beyond them, and joints that press against several of them do not rattle.
for robot in planar_2r arm7 quadruped five_bar stewart; do
  json 'assert x["end"] == "time" and x["limits"] == [] and x["impact_energy"] < 0, x
assert x["steps"] < 2000 and x["energy_drift"] < 1e-7, x' "builtin:$robot" --time 5 --stops
done
expect 0 '  impacts   ' simulate builtin:arm7 --time 1 --stops
expect 2 'joint "joint_2" is at 5, beyond its stop at' simulate builtin:arm7 --time 1 --stops --q0 0,5,0,0,0,0,0

# Files by extension, the same numbers; standard output is CSV, the summary then on standard error.
for name in run.csv run.json run.npz; do
  expect 0 'energy drift' simulate builtin:arm7 --time 0.1 --record 10 --out $name
done
"$jounce" simulate builtin:arm7 --time 0.1 --record 10 --out - 2>/dev/null >printed.csv
cmp -s printed.csv run.csv || fail "--out - is not what a file has"
/usr/bin/env python3 - <<'PY' || fail "formats differ"
import csv, json, zipfile
rows = list(csv.reader(open("run.csv")))
found = json.load(open("run.json"))
assert rows[0][:2] == ["t", "q." + found["joints"][0]["name"]], rows[0]
assert [[float(x) for x in row[1:8]] for row in rows[1:]] == found["q"]
assert [float(row[0]) for row in rows[1:]] == found["t"] and len(found["t"]) == 11
assert zipfile.ZipFile("run.npz").testzip() is None
PY

# Forces from a table: linear between its times.
printf 't,joint_1\n0,0\n0.05,10\n' >tau.csv
json 'pass' builtin:planar_2r --gravity 0,0,0 --passive off --time 0.1 --tau tau.csv --record 10 --out driven.json
/usr/bin/env python3 - <<'PY' || fail "--tau"
import json
found = json.load(open("driven.json"))
for t, tau in zip(found["t"], found["tau"]):
    assert abs(tau[0] - min(200 * t, 10)) < 1e-9 and tau[1] == 0, (t, tau)
PY
printf 't,elbow\n0,0\n' >tau.csv
expect 2 'tau.csv:1:3: there is no coordinate "elbow"; nearest: ' simulate builtin:planar_2r --time 1 --tau tau.csv

# Friction makes light joints stiff: said once, by name; and steps that are too long for damping.
cat >rough.json <<'ROBOT'
{"jounce": 1, "name": "rough", "links": [{"name": "a"}, {"name": "b", "mass": 1, "inertia": [1e-3, 0, 1e-3, 0, 0, 1e-3]}],
 "joints": [{"name": "wrist", "kind": "revolute", "parent": "a", "child": "b", "axes": [[0, 0, 1]], "friction": [0.5], "damping": [0]}]}
ROBOT
json 'assert x["stiff"]["joint"] == "wrist" and x["steps"] < 1000, x' rough.json --time 1
[ "$(grep -c 'stiff from t = .* by joint "wrist": rodas4 took over' err)" = 1 ] || fail "stiffness is not said: $(cat err)"
"$jounce" simulate rough.json --time 0.05 --integrator dopri5 --tol 1e-4 2>err >/dev/null || fail "rough.json by dopri5"
[ "$(grep -c 'by joint "wrist": rodas4, or auto, is made for that' err)" = 1 ] || fail "stiffness is not said: $(cat err)"
expect 0 'too long for the damping of joint "wrist"' simulate rough.json --time 0.01 --step 0.001 --v0 0

# A checkpoint goes on to the same bits; ctrl-C keeps what was computed, and says so.
"$jounce" simulate builtin:arm7 --time 600 --step 1e-3 --checkpoint stopped.json --record 1000 --out part.csv --json >first.json 2>err &
pid=$!
for _ in $(seq 100); do grep -q SigCgt "/proc/$pid/status" 2>/dev/null && sleep 0.05 && break; done
sleep 0.3
kill -INT $pid
wait $pid
[ $? = 130 ] || fail "ctrl-C: exit status is not 130: $(cat err)"
/usr/bin/env python3 - <<'PY' || fail "ctrl-C: what was computed is not kept"
import csv, json
first, stopped = json.load(open("first.json")), json.load(open("stopped.json"))
rows = list(csv.reader(open("part.csv")))
assert first["end"] == "interrupted" and 0 < first["t"] < 600, first["t"]
assert stopped["t"] == first["t"] == float(rows[-1][0]) and stopped["q"] == first["q"]
open("end", "w").write(repr(round(first["t"] + 0.05, 3)))
PY
end=$(cat end)
json "json.dump(x, open('resumed.json', 'w'))" builtin:arm7 --time "$end" --step 1e-3 --resume stopped.json
json "y = json.load(open('resumed.json')); assert x['q'] == y['q'] and x['v'] == y['v']" builtin:arm7 --time "$end" --step 1e-3
expect 2 'stopped.json:3:12: checkpoint: is of robot "arm7", not of "planar_2r"' simulate builtin:planar_2r --time 1 --resume stopped.json
expect 2 '--resume has its own start' simulate builtin:arm7 --time 1 --resume stopped.json --q0 1

finish "simulate"
