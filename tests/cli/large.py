#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Large robots and large rubbish: memory, processor time and output of the command line.

    large.py PROGRAM

Times are those of the processor, and bounds have room for a machine that is busy."""
import json
import os
import pathlib
import resource
import sys
import tempfile


def chain(path, joints, star=False):
    inertial = ('<inertial><origin xyz="0.05 0 0.01"/><mass value="1"/>'
                '<inertia ixx="0.01" iyy="0.02" izz="0.02"/></inertial>')
    with open(path, "w") as file:
        file.write('<robot name="chain"><link name="l0"/>\n')
        for k in range(1, joints + 1):
            file.write(f'<link name="l{k}">{inertial}</link>\n'
                       f'<joint name="j{k}" type="revolute"><origin xyz="0.1 0 0"/>'
                       f'<parent link="l{0 if star else k - 1}"/><child link="l{k}"/>'
                       f'<axis xyz="0 {k % 2} {1 - k % 2}"/></joint>\n')
        file.write("</robot>\n")
    state = {"q": [((37 * k) % 64 - 32) / 64 for k in range(joints)], "v": [0.1] * joints,
             "a": [0.2] * joints}
    path.with_suffix(".json").write_text(json.dumps(state))


def run(folder, arguments, stdin=None, most_megabytes=None):
    """Exit status, processor time in s, memory in MB, bytes of output and of errors."""
    out, err = folder / "out", folder / "err"
    child = os.fork()
    if child == 0:
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        if most_megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (most_megabytes * 2 ** 20,) * 2)
        if stdin:
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
        os.execv(arguments[0], arguments)
    _, status, used = os.wait4(child, 0)
    return (os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime,
            used.ru_maxrss / 1024, out.stat().st_size, err.stat().st_size)


failures = 0


def check(what, found, status, seconds, megabytes, most_bytes=None):
    global failures
    good = (found[0] == status and found[1] < seconds and found[2] < megabytes
            and (most_bytes is None or found[3] + found[4] < most_bytes))
    failures += not good
    print(f"{'' if good else 'FAILED: '}{what}: status {found[0]}, {found[1]:.2f} s (of {seconds}), "
          f"{found[2]:.0f} MB (of {megabytes}), {found[3] + found[4]} bytes")


def expect_error(folder, text):
    global failures
    told = (folder / "err").read_text()
    failures += text not in told
    print(f"{'' if text in told else 'FAILED: '}{told.strip()}")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def rubbish(text):
            (folder / "rubbish.urdf").write_text(text)
            return run(folder, [program, "info", str(folder / "rubbish.urdf"), "--json"])

        for joints, star, seconds, megabytes in ((5000, False, 0.5, 100), (100000, False, 5, 1000),
                                                 (100000, True, 5, 1000)):
            path = folder / "chain.urdf"
            chain(path, joints, star)
            shape = f"{'star' if star else 'chain'} of {joints}"
            check(f"compute inverse, {shape}",
                  run(folder, [program, "compute", "inverse", str(path)], path.with_suffix(".json")),
                  0, seconds, megabytes)
            for option in (["--json"], []):
                check(f"info {''.join(option)}, {shape}",
                      run(folder, [program, "info", str(path), *option]), 0, 8, megabytes)
        chain(path, 20000)
        state = {"q": json.loads(path.with_suffix(".json").read_text())["q"]}
        path.with_suffix(".json").write_text(json.dumps(state))
        check("a matrix that does not fit",
              run(folder, [program, "compute", "mass", str(path)], path.with_suffix(".json"), 2000),
              1, 5, 2000, 300)
        expect_error(folder, "has 20000 coordinates, and one matrix of all of them needs 3.2 GB")
        check("a device without end", run(folder, [program, "info", "/dev/zero"]), 2, 1, 200, 300)
        check("4 MB of unknown elements",
              rubbish('<robot name="r"><link name="a"/>\n' + '<u a="1"/>\n' * 363636 + "</robot>"),
              0, 1.5, 60, 6000)
        check("300,000 kinds of unknown elements",
              rubbish('<robot name="r"><link name="a"/>' + "".join(
                  f"<u{k}/>\n" for k in range(300000)) + "</robot>"), 0, 1.5, 60, 100000)
        check("a million nested tags",
              rubbish('<robot name="r">' + "<a>" * 1000000), 2, 1, 60, 300)
        check("100,000 shapes without their meshes",
              rubbish('<robot name="r"><link name="a">' + "<visual><geometry><mesh filename="
                      '"package://x/y.stl"/></geometry></visual>\n' * 100000 + "</link></robot>"),
              0, 2, 150, 6000)
        check("100,000 joints on links that are not there",
              rubbish('<robot name="r">' + "".join(
                  f'<link name="l{k}"/><joint name="j{k}" type="fixed"><parent link="x{k}"/>'
                  f'<child link="l{k}"/></joint>\n' for k in range(100000)) + "</robot>"),
              2, 5, 400, 6000)
        check("a name of a megabyte",
              rubbish(f'<robot name="r"><link name="{"a" * 1000000}"/><link name="b"/></robot>'),
              2, 1, 60, 400)
        check("64 MiB and a byte", rubbish(" " * (64 * 2 ** 20 + 1)), 2, 1, 200, 300)
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) > 0)
