#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Results of `jounce compute` that must not change, for the bundled and fifty generated robots.

    check.py TOOL CASES            compares with golden.json beside this file
    check.py TOOL CASES --store    writes it

TOOL is the command-line tool, CASES the program golden_cases. Of every result golden.json keeps the
largest entry and a sum with fixed weights: a change of 1e-12 of the largest entry shows (where the
mass matrix is solved with 1e-10, or rounding times its condition; of Ricci's tensor, solved twice,
a thousand times that). Below 1e-15 all is rounding.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

DYNAMICS = {
    "fk": ["q"],
    "jacobian": ["q"],
    "inverse": ["q", "v", "a", "f_ext"],
    "forward": ["q", "v", "tau", "f_ext"],
    "hybrid": ["q", "v", "a", "tau", "prescribed"],
    "mass": ["q"],
    "mass-inverse": ["q"],
    "coriolis": ["q", "v"],
    "gravity": ["q"],
    "bias": ["q", "v"],
    "energy": ["q", "v"],
    "momentum": ["q", "v"],
    "regressor": ["q", "v", "a"],
    "inverse-derivatives": ["q", "v", "a"],
    "forward-derivatives": ["q", "v", "tau"],
    "hybrid-derivatives": ["q", "v", "a", "tau", "prescribed"],
    "inverse-second-derivatives": ["q", "v", "a"],
    "forward-second-derivatives": ["q", "v", "tau"],
    "christoffel": ["q"],
    "curvature": ["q"],
    "higher-inverse": ["q", "motion", "order"],
    "higher-forward": ["q", "v", "taus", "order"],
    "higher-hybrid": ["q", "motion", "taus", "prescribed", "order"],
}
SOLVED = ("forward", "hybrid", "mass-inverse", "higher-forward", "curvature")
TENSORS = ("inverse-second", "forward-second", "curvature")
LARGEST_FOR_TENSORS = 12
GOLDEN = pathlib.Path(__file__).with_name("golden.json")


def numbers_in(value):
    if isinstance(value, dict):
        for one in value.values():
            yield from numbers_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from numbers_in(one)
    elif isinstance(value, (int, float)):
        yield value


def summary(results, key):
    """Largest entry, weighted sum and count of the numbers under a key of every result."""
    numbers = [x for result in results for x in numbers_in(result[key])]
    weighted = math.fsum(x * math.sin(1 + k) for k, x in enumerate(numbers))
    largest = max(map(abs, numbers), default=0)
    return [float(f"{largest:.15g}"), float(f"{weighted:.15g}"), len(numbers)]


def compute(tool, quantity, case):
    states = [{key: state[key] for key in DYNAMICS[quantity]} for state in case["states"]]
    command = [tool, "compute", quantity, case["model"]]
    if quantity == "jacobian":
        command += ["--frame", case["frame"]]
    run = subprocess.run(command, input=json.dumps({"states": states}), capture_output=True,
                         text=True)
    if run.returncode:
        return {"error": run.stderr.replace(case["model"], "MODEL").strip().splitlines()[-1]}
    results = json.loads(run.stdout)["results"]
    keys = [key for key in results[0] if not isinstance(results[0][key], str)]
    return {key: summary(results, key) for key in keys}


def all_results(tool, cases):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([cases, folder], check=True)
        for path in sorted(pathlib.Path(folder).glob("*.case.json")):
            case = json.loads(path.read_text())
            for quantity in DYNAMICS:
                if quantity.startswith(TENSORS) and case["nv"] > LARGEST_FOR_TENSORS:
                    continue
                name = path.name.removesuffix(".case.json")
                yield f"{name} {quantity}", compute(tool, quantity, case)


def condition(golden, robot):
    """Of a robot's mass matrix, by largest entries; 0 where there is no inverse."""
    matrices = [golden[f"{robot} {name}"].get("matrix", [0]) for name in ("mass", "mass-inverse")]
    return math.prod(matrix[0] for matrix in matrices)


def differences(quantity, condition_of_mass, was, now):
    if "error" in was or "error" in now or was.keys() != now.keys():
        if was != now:
            yield f"{was} became {now}"
        return
    solved = max(1e-10, 1e-15 * condition_of_mass)
    tolerance = solved if quantity.startswith(SOLVED) else 1e-12
    again = max(1e-10, 1e-12 * condition_of_mass)  # a difference of what is solved for, solved again
    for key, (largest, weighted, count) in was.items():
        if now[key][2] != count:
            yield f"{key}: {count} numbers became {now[key][2]}"
        if key in ("ricci", "scalar"):
            tolerance = again
        bound = (tolerance * max(largest, now[key][0]) + 1e-15) * math.sqrt(max(count, 1))
        if abs(now[key][1] - weighted) > bound or abs(now[key][0] - largest) > bound:
            yield f"{key}: {largest}, {weighted} became {now[key][0]}, {now[key][1]}"


def main():
    tool, cases, *rest = sys.argv[1:]
    found = dict(all_results(tool, cases))
    if rest == ["--store"]:
        lines = (f"{json.dumps(name)}: {json.dumps(result)}" for name, result in found.items())
        GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return 0
    golden = json.loads(GOLDEN.read_text())
    faults = 0
    for name in sorted(golden.keys() | found.keys()):
        if name not in golden or name not in found:
            print(f"{name}: only in {'golden.json' if name in golden else 'this run'}")
            faults += 1
            continue
        robot, quantity = name.split()
        bad = condition(golden, robot)
        for difference in differences(quantity, bad, golden[name], found[name]):
            print(f"{name}: {difference}")
            faults += 1
    print(f"{len(found)} results, {faults} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
