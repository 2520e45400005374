#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the command line writes: nothing is lost without an error, and nothing but plain files is
# replaced.
# output.sh PROGRAM
set -uo pipefail
jounce=$1
source "$(dirname "$0")/functions.sh"

echo '{"q":[0,0.3]}' >"$work/in"
mass=(compute mass builtin:planar_2r --in "$work/in")
"$jounce" "${mass[@]}" >"$work/right" || fail "mass"

# A disk that is full is exit status 1 and a line, whatever was asked for.
for command in --help --version "info builtin:arm7" "info builtin:arm7 --json" "compute --help" \
  "compute inverse --help" "compute mass builtin:planar_2r" "stewart fk --help" reference tour \
  "${bench[@]/%/ --only groups}" "${bench[@]/%/ --only groups --json -}" \
  "stewart sweep --general 1 --planar 0 --semi-regular 0 --paired 0"; do
  "$jounce" $command <"$work/in" 2>"$work/err" >/dev/full
  [ $? = 1 ] || fail "jounce $command: a full disk is no error"
  grep -q 'jounce: cannot write standard output: No space left on device' "$work/err" ||
    fail "jounce $command: $(cat "$work/err")"
done
# A reader that has had enough is none.
"$jounce" info builtin:humanoid 2>"$work/err" | head -1 >/dev/null
[ ! -s "$work/err" ] || fail "a closed pipe: $(cat "$work/err")"
(trap '' PIPE; "$jounce" info builtin:humanoid 2>"$work/err" | true)
[ ! -s "$work/err" ] || fail "a closed pipe without a signal: $(cat "$work/err")"

sources=$(cd "$(dirname "$0")/../.." && pwd)
cd "$work" || exit 1
write() { "$jounce" "${mass[@]}" --out "$1" || fail "--out $1"; }
same() { cmp -s "$1" right || fail "$1 does not hold the result"; }
mode() { [ "$(stat -c %a "$1")" = "$2" ] || fail "$1 has mode $(stat -c %a "$1"), needs $2"; }

# Plain files: new ones by umask, old ones keep their mode.
(umask 027; write new)
same new; mode new 640
echo keep >real; chmod 600 real
write real; same real; mode real 600
# Links are followed, be their end there or not; several names stay the names of one file.
echo keep >real; ln -s real link; ln -s link second; ln -s absent dangling; ln real name
write second; same real; mode real 600
[ -L link ] && [ -L second ] || fail "a link was replaced"
same name
write dangling; same absent
[ -L dangling ] || fail "a dangling link was replaced"
ln -s circle circle
"$jounce" "${mass[@]}" --out circle 2>err && fail "a circle of links was written"
grep -q 'cannot write circle: Too many levels of symbolic links' err || fail "circle: $(cat err)"
[ -L circle ] || fail "a circle of links was replaced"
# Pipes and devices are written through.
mkfifo pipe
cat pipe >got &
write pipe; wait $!
same got
[ -p pipe ] || fail "a pipe was replaced"
if mknod full c 1 7 2>/dev/null; then  # a copy of the device that is always full; needs root
  "$jounce" "${mass[@]}" --out full 2>err && fail "a full device is no error"
  grep -q 'cannot write full: No space left on device' err || fail "full: $(cat err)"
  [ -c full ] || fail "a device was replaced"
fi
# What leads to standard output is standard output, also behind what stands there already.
ln -s /proc/self/fd/1 standard
echo first >log
"$jounce" "${mass[@]}" --out standard >>log || fail "--out standard"
{ echo first; cat right; } | cmp -s - log || fail "--out standard lost what was there"
# Files and folders that do not allow it; root may write anything, as with any program.
mkdir folder; echo old >folder/open; echo old >locked; chmod 666 folder/open; chmod 444 locked
chmod 555 folder; chmod 755 .
as_user=()
[ "$(id -u)" = 0 ] && as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${as_user[@]}" test -x "$jounce" -a -r in 2>/dev/null; then
  "${as_user[@]}" "$jounce" "${mass[@]}" --out locked 2>err && fail "a locked file was written"
  grep -q 'cannot write locked: Permission denied' err || fail "locked: $(cat err)"
  [ "$(cat locked)" = old ] || fail "a locked file has changed"
  "${as_user[@]}" "$jounce" "${mass[@]}" --out folder/open || fail "an open file in a locked folder"
  same folder/open
  "${as_user[@]}" "$jounce" "${mass[@]}" --out folder/none 2>err && fail "a locked folder was written"
fi
chmod 755 folder
"$jounce" "${mass[@]}" --out folder 2>err && fail "a folder was written"
grep -q 'cannot write folder: Is a directory' err || fail "folder: $(cat err)"
[ -z "$(find . -name '*.tmp*')" ] || fail "temporary files: $(find . -name '*.tmp*')"
# Pages go the same way.
ln -s page real_page
"$jounce" stewart tables --draws 1 --samples 2 --html real_page >/dev/null || fail "--html"
{ [ -L real_page ] && grep -q '<svg' page; } || fail "--html replaced a link"

# -i and -o are --in and --out, in every command that has these.
head='"base":[[1,0,0],[0.5,0.9,0],[-0.5,0.9,0],[-1,0,0],[-0.5,-0.9,0],[0.5,-0.9,0]],"platform":[[0.5,0.9,0],
[0.5,0.9,0],[-1,0,0],[-1,0,0],[0.5,-0.9,0],[0.5,-0.9,0]],"pose":{"position":[0,0,1.5]}'
echo "{$head}" >ik.in
same_files() {  # COMMAND...: the file of -o is that of --out
  "$jounce" "$@" --out long.svg >/dev/null 2>&1 || fail "$* --out"
  rm -f short.svg
  "$jounce" "$@" -o short.svg >/dev/null 2>&1 || fail "$* -o"
  sed -i 's/"seconds": .*//' long.svg short.svg
  cmp -s long.svg short.svg || fail "$*: -o is not --out"
}
same_files plot builtin:planar_2r --to 1,1
same_files draw builtin:planar_2r
same_files convert builtin:planar_2r
same_files simulate builtin:planar_2r --time 0.1
same_files stewart experiment
same_files stewart ik -i ik.in
"$jounce" "${mass[@]::3}" -i in -o short || fail "compute -i -o"
same short
"$jounce" man | sed -n '/^\.SS/h; /\\-\\-\(in\|out\)$/{/\\-[io], /!{G;p}}' | grep . &&
  fail "--in or --out without a short name"

# Pages as JSON; words that are no command.
: >"$work/in"
none=(--general 0 --planar 0 --semi-regular 0 --paired 0)
"$jounce" stewart sweep "${none[@]}" --json | /usr/bin/env python3 -c 'import json, sys
page = json.load(sys.stdin)
sys.exit(page["passed"] is not True or page["chapters"][0]["tables"][0]["rows"] != [])' || fail "--json"
expect 2 'there is no command "plt"; nearest: "plot"' plt --help
expect 2 'there is no command "jacobian"; it is a quantity: jounce compute jacobian' jacobian
expect 2 'there is no option "--htlm"; nearest: "--html"' tour --htlm x
expect 0 'Example: ' orders --help
expect 0 'Example: ' propellers --help

# The tour is a page that one can send; its links lead to documents, and its lines run.
"$jounce" tour --json --html tour.html >tour.json || fail "tour"
/usr/bin/env python3 - "$(dirname "$jounce")/../../docs" "$sources/docs" <<'PY' || fail "links or lines of the tour"
import json, os, re, sys
here, documents = (os.path.realpath(folder) for folder in sys.argv[1:])
page = open("tour.html").read()
links = re.findall(r'href="([^#"][^"]*)"', page)
chapters = json.load(open("tour.json"))["chapters"]
for chapter in chapters:
    assert chapter["documents"], chapter["title"]
    for name in chapter["documents"]:
        assert os.path.exists(os.path.join(documents, "..", name)), name
wanted = [name for chapter in chapters for name in chapter["documents"]]
if not os.path.exists(os.path.join(here, "conventions.md")):
    wanted = []  # nobody knows where they are
assert [os.path.basename(link) for link in links] == [os.path.basename(one) for one in wanted], links
assert all(os.path.exists(link) and not os.path.isabs(link) for link in links), links
lines = [code for chapter in chapters for code in chapter["code"] if not code.startswith("import")]
assert len(lines) > 7, lines
long = re.compile(r"^(jounce (?:orders|stewart) .*)$", re.M)
open("lines.sh", "w").write("set -euo pipefail\n" + "".join(long.sub(r"\1 --help", code) for code in lines))
PY
mkdir lines_run programs && ln -s "$jounce" programs/jounce
(cd lines_run && PATH="$work/programs:$PATH" bash ../lines.sh >/dev/null 2>../err) || fail "a line of the tour: $(cat err)"
[ "$(wc -c <tour.html)" -lt 2000000 ] || fail "the tour has $(wc -c <tour.html) bytes"

# Long work tells how far it is, on terminals alone.
if command -v script >/dev/null; then
  for command in 'stewart branches --samples 20' 'stewart survey --samples 100'; do
    script -qec "'$jounce' $command >/dev/null" /dev/null <"$work/in" >"$work/terminal"
    grep -q "$(cut -d' ' -f2 <<<"$command") .*%" "$work/terminal" || fail "jounce $command: no bar"
    "$jounce" $command 2>&1 >/dev/null <"$work/in" | grep . && fail "jounce $command: a bar in a pipe"
  done
fi
finish "what the command line writes"
