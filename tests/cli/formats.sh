#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# compute with CSV, JSON lines and NPZ in and out: the numbers of JSON, times kept.
# formats.sh PROGRAM PAGE
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"
: >"$work/in"
inverse=(compute inverse builtin:planar_2r)
two='{"states":[{"q":[0.1,0.2],"v":[1,2],"a":[0,0]},{"q":[0.3,0.4],"v":[1,2],"a":[3,4]}]}'
echo "$two" | "$jounce" "${inverse[@]}" >"$work/two.json"

printf '{"q":[0.1,0.2],"v":[1,2]}\n\n{"q":[0.3,0.4],"v":[1,2],"a":[3,4]}\n' >"$work/two.jsonl"
printf 't,q.joint_2,q.joint_1,v.joint_1,v.joint_2,a.joint_1,a.joint_2,tau.joint_1,tau.joint_2\n' >"$work/t.csv"
printf '5,0.2,0.1,1,2,0,0,9,9\n6,0.4,0.3,1,2,3,4,9,9\n' >>"$work/t.csv"
"$jounce" "${inverse[@]}" --in "$work/two.jsonl" | cmp - "$work/two.json" || fail "JSON lines in"
"$jounce" "${inverse[@]}" --in "$work/t.csv" --out "$work/out.jsonl" || fail "CSV in, lines out"
"$jounce" "${inverse[@]}" --in "$work/t.csv" --out "$work/out.csv" || fail "CSV out"
"$jounce" "${inverse[@]}" --in "$work/t.csv" --out "$work/out.npz" || fail "NPZ out"
"$jounce" compute mass builtin:planar_2r --in "$work/t.csv" --out "$work/mass.npz" || fail "mass"
python=/usr/bin/python3
if $python -c 'import numpy' 2>/dev/null; then
  $python - "$work" "$jounce" <<'PY' || fail "formats disagree"
import json, subprocess, sys
import numpy as np
work, tool = sys.argv[1:]
results = json.load(open(work + "/two.json"))["results"]
tau = np.array([x["tau"] for x in results])
lines = [json.loads(x) for x in open(work + "/out.jsonl")]
assert [list(x) for x in lines] == [["t", "tau"]] * 2 and [x["t"] for x in lines] == [5, 6]
assert (np.array([x["tau"] for x in lines]) == tau).all()
table = np.genfromtxt(work + "/out.csv", delimiter=",", names=True, deletechars="")
assert table.dtype.names == ("t", "tau.joint_1", "tau.joint_2"), table.dtype.names
assert (table["tau.joint_2"] == tau[:, 1]).all() and (table["t"] == [5, 6]).all()
with np.load(work + "/out.npz") as file:
    assert (file["tau"] == tau).all() and list(file["v_names"]) == ["joint_1", "joint_2"]
with np.load(work + "/mass.npz") as file:
    assert file["matrix"].shape == (2, 2, 2)
np.savez(work + "/in.npz", t=[5.0, 6.0], q=np.asfortranarray([[0.1, 0.2], [0.3, 0.4]]),
         v=[[1.0, 2.0]] * 2, a=[[0.0, 0.0], [3.0, 4.0]])
found = json.loads(subprocess.run([tool, "compute", "inverse", "builtin:planar_2r", "--in",
                                   work + "/in.npz"], capture_output=True, check=True).stdout)
assert [x["tau"] for x in found["results"]] == [x["tau"] for x in results]
# motion from v, a, jerk
open(work + "/m.csv", "w").write("q.joint_1,q.joint_2,v.joint_1,v.joint_2,a.joint_1,a.joint_2,"
                                 "jerk.joint_1,jerk.joint_2\n0.1,0.2,1,2,3,4,5,6\n")
found = [json.loads(subprocess.run([tool, "compute", "higher-inverse", "builtin:planar_2r", *more],
                                   input=text, capture_output=True, check=True).stdout)["results"]
         for more, text in ((["--in", work + "/m.csv"], None),
                            ([], b'{"q":[0.1,0.2],"motion":[[1,2],[3,4],[5,6]]}'))]
assert found[0] == found[1] and len(found[0][0]["taus"]) == 2
np.savez(work + "/vv.npz", q=np.zeros((2, 2)), vv=np.zeros((2, 2)))
PY
  expect 2 'vv.npz: there is no quantity of a motion "vv"; nearest: "v"' "${inverse[@]}" --in "$work/vv.npz"
  expect 2 'out.npz: inverse needs "q", the table has none' "${inverse[@]}" --in "$work/out.npz"
fi

# v and a are zero where they are absent, and only there; rows of matrices stand on one line.
given '{"q":[0.1,0.2]}' 0 '"tau"' "${inverse[@]}"
given '{"q":[0.1,0.2],"t":3}' 0 '"t": 3' "${inverse[@]}"
given '{"q":[0.1,0.2],"t":"x"}' 2 '"t" must be a number' "${inverse[@]}"
given '{"q":[0.1,0.2]}' 2 '"tau" is missing' compute forward builtin:planar_2r
given '{"q":[0.1,0.2]}' 0 'joint_1' compute mass builtin:planar_2r --format text
[ "$("$jounce" compute mass builtin:planar_2r --format text <"$work/in" | wc -l)" = 3 ] || fail "rows"
"$jounce" compute mass builtin:planar_2r <"$work/in" >"$work/mass.json"
[ "$(grep -c '^ *\[-\?[0-9.]*, -\?[0-9.]*\],\?$' "$work/mass.json")" = 2 ] ||
  fail "rows of JSON: $(cat "$work/mass.json")"
grep -q '^  {"name": "joint_1", "q": \[0, 1\], "v": \[0, 1\]},$' "$work/mass.json" || fail "joints"

# Beyond limits it is computed, and told once.
given '{"q":[0.1,50]}' 0 'is 50, its limits are' "${inverse[@]}"
given '{"states":[{"q":[0,50]},{"q":[0,0]},{"q":[0,-50]}]}' 0 \
  'jounce: inverse: state 0: q of joint "joint_2" is 50, its limits are -3.14' "${inverse[@]}"
expect 0 '; 1 more state is beyond limits' "${inverse[@]}"
[ -z "$("$jounce" "${inverse[@]}" --quiet <"$work/in" 2>&1 >/dev/null)" ] || fail "--quiet tells limits"

# On a terminal people read it; in a pipe it is JSON.
echo '{"q":[0.1,0.2]}' >"$work/one.json"
if command -v script >/dev/null; then
  script -qec "'$jounce' compute mass builtin:planar_2r --in '$work/one.json'" /dev/null \
    <"$work/in" >"$work/terminal"
  grep -q '  joint_1  ' "$work/terminal" || fail "on a terminal: $(cat "$work/terminal")"
  # Who is waited for is told so, on standard error; a pipe is not.
  waiting='jounce: waiting for JSON on standard input; Ctrl-D ends it, --help shows one'
  script -qec "'$jounce' compute mass builtin:planar_2r 2>'$work/told' >'$work/mass'" /dev/null \
    <"$work/one.json" >/dev/null
  [ "$(cat "$work/told")" = "$waiting" ] || fail "who types is told: $(cat "$work/told")"
  grep -q '"matrix"' "$work/mass" || fail "what is typed is not read: $(cat "$work/mass")"
fi
"$jounce" compute mass builtin:planar_2r <"$work/one.json" 2>"$work/told" >/dev/null
[ ! -s "$work/told" ] || fail "who reads a file is told to wait: $(cat "$work/told")"
"$jounce" compute mass builtin:planar_2r --in "$work/t.csv" | head -c 1 | grep -q '{' || fail "in a pipe"

# What is wrong with a table has its place.
printf 'q.joint_1\n1\n' >"$work/b.csv"
expect 2 'b.csv:1:1: column "q.joint_2" is missing' "${inverse[@]}" --in "$work/b.csv"
printf 'q.joint_1,q.joint_2,q.joint_3\n1,2,3\n' >"$work/b.csv"
expect 2 'b.csv:1:21: there is no column "q.joint_3"' "${inverse[@]}" --in "$work/b.csv"
printf 'q.joint_1,q.joint_2\n1,x\n' >"$work/b.csv"
expect 2 'b.csv:2:' "${inverse[@]}" --in "$work/b.csv"
printf '{"q":[1,2]}\n{"q":[1]}\n' >"$work/b.jsonl"
expect 2 'state 1: q has 1 elements' "${inverse[@]}" --in "$work/b.jsonl"
printf '{"q":[1,2]}\n{"qq":[1]}\n' >"$work/b.jsonl"
expect 2 'b.jsonl:2:' "${inverse[@]}" --in "$work/b.jsonl"
printf 'PK' >"$work/b.npz"
expect 2 'b.npz' "${inverse[@]}" --in "$work/b.npz"
given '{"q":[0.1,0.2]}' 2 '--format' "${inverse[@]}" --format yaml
finish "formats of compute"
