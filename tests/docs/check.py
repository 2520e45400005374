#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""README and docs say what is so: figures are what commands print, names exist.

    check.py SOURCE_FOLDER JOUNCE

A table of figures stands below a comment that says where they come from:

    <!-- printed by: jounce ...; after: TEXT; tolerance: 1 % -->
        The command is run. The first cell of a row begins a line of its output (behind the line
        that has TEXT in it), and the numbers of the row are the first ones of that line. A program
        of examples/ may stand in the place of jounce, and an instruction set before it
        (JOUNCE_ISA=avx2 ...; passed over where this processor does not have it). Errors of rounding
        have the tolerance `10 times`: at most so many times what the page says.
    <!-- measured by: jounce bench --only SUITE; rows of: FOLDER; columns: any -->
        Times depend on the machine. The suite exists, and the names of rows and columns are strings
        of the benchmark's sources, or robots that the command names; of rows alone with `columns`.
    <!-- compared by: scripts/SCRIPT ...; columns of: FILE -->
        Figures about files that are not here. The script is there, and the columns are in the file.

A number in the text that looks like a measurement is refused, unless a comment in its paragraph
says where it is set: `<!-- set in: FILE ... -->`. Then it stands in one of those files.

In backticks: files exist, commands have their subcommands and options, words are words of the code.
A command is `jounce`, `build/bin/jounce` or `./run`, the latter but for `./run python`.
The version and its date are one in all places.
"""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

root, tool = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
pages = [root / "README.md", root / "CONTRIBUTING.md", root / "examples" / "README.md",
         *sorted((root / "docs").glob("*.md"))]
code_folders = ("include", "src", "apps", "python", "benchmarks", "tests", "report", "tools",
                "models", "cmake", "examples", "scripts")
failures = []


def fail(page, line, what):
    failures.append(f"{page.relative_to(root)}:{line}: {what}")


def run(*arguments, program=tool, **settings):
    """The output of the tool or another program of its folder, both streams."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, check=False, env={**os.environ, **settings})
    return done.returncode, done.stdout + done.stderr


# ---- figures ---------------------------------------------------------------------------------

number = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\w)")


def numbers(text):
    return [float(x) for x in number.findall(text)]


def fields(comment):
    """'printed by: a b; tolerance: 1 %' as a dictionary."""
    parts = (part.partition(":") for part in comment.split(";"))
    return {key.strip(): value.strip() for key, _, value in parts}


def close(found, expected, tolerance):
    if tolerance.endswith("times"):
        return found <= float(tolerance.split()[0]) * expected
    if tolerance.endswith("%"):
        return abs(found - expected) <= float(tolerance[:-1]) / 100 * abs(expected)
    return abs(found - expected) <= float(tolerance)


def table_rows(lines, start):
    """Header and rows of the table that begins at a line: [number, cells]."""
    rows = []
    while start < len(lines) and lines[start].startswith("|"):
        cells = re.split(r"(?<!\\)\|", lines[start].strip()[1:-1])
        rows.append((start + 1, [cell.replace("\\|", "|").strip() for cell in cells]))
        start += 1
    return rows[:1] + rows[2:]


outputs = {}


def check_printed(page, line, given, rows):
    words_of_command = given["printed by"].split()
    settings = dict(x.split("=") for x in words_of_command if x.startswith("JOUNCE_ISA="))
    name, *arguments = words_of_command[len(settings):]
    if not re.match("jounce$|example_", name) or "tolerance" not in given:
        return fail(page, line, "needs a command of jounce, or an example, and a tolerance")
    key = given["printed by"]
    if key not in outputs:
        outputs[key] = run(*arguments, program=pathlib.Path(tool).with_name(name), **settings)
    status, text = outputs[key]
    if settings and re.search("this processor (and this build )?ha", text):
        return None
    if status != 0:
        return fail(page, line, f"{given['printed by']} ends with {status}: {text[-200:]}")
    text = text[text.find(given.get("after", "")):]
    for at, cells in rows[1:]:
        found = next((x.strip() for x in text.splitlines()
                      if x.strip().startswith(cells[0] + " ")), None)
        if found is None:
            fail(page, at, f"{given['printed by']} prints no row {cells[0]}")
            continue
        expected = numbers(" ".join(cells[1:]))
        printed = numbers(found[len(cells[0]):])[:len(expected)]
        if len(printed) < len(expected) or not all(
                close(x, y, given["tolerance"]) for x, y in zip(printed, expected)):
            fail(page, at, f"here {expected}, printed {printed}")


def check_measured(page, line, given, rows):
    command = given["measured by"].split()
    suite = command[command.index("--only") + 1] if "--only" in command else ""
    status, suites = run("bench", "--help")  # without suites where it was not built
    if command[:2] != ["jounce", "bench"] or (status == 0 and suite not in suites):
        fail(page, line, f"no such suite: {given['measured by']}")
    sources = "".join(path.read_text() for path in (root / given["rows of"]).rglob("*.cpp"))
    names = [cells[0] for _, cells in rows[1:]] + ([] if "columns" in given else rows[0][1][1:])
    robots = {pathlib.Path(word).stem for word in re.split(r"[\s,:]", given["measured by"])}
    for name in names:
        if f'"{name}"' not in sources and name not in robots:
            fail(page, line, f"no benchmark of {given['rows of']} has a row \"{name}\"")


def check_compared(page, line, given, rows):
    if not os.access(root / given["compared by"].split()[0], os.X_OK):
        fail(page, line, f"no script {given['compared by']}")
    source = (root / given["columns of"]).read_text()
    for cell in filter(None, rows[0][1]):
        if cell not in source:
            fail(page, line, f"{given['columns of']} has no column {cell}")


# ---- numbers in the text ---------------------------------------------------------------------

superscripts = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
measurement = re.compile(
    r"\d(?:[\d.]*\d)?\s?(?:ns|µs|us|ms|GHz|MHz|GFLOP|%|million)(?!\w)"  # times, shares
    r"|\b\d+(?:\.\d+)?e[-+]?\d+\b"                                      # accuracies
    r"|\b\d+ of (?:the )?\d+\b"                                         # counts
    r"|\b(?:[\d.]+|twice|two|three|four|five|ten|\w+ten) times (?:as )?(?:fast|slow|larger|smaller)"
    r"|\btwice as \w+")


def plain(text):
    """10⁻⁶ as 1e-6."""
    return re.sub(r"10(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda x: "1e" + x[1].translate(superscripts), text)


def check_prose(page, line, paragraph):
    sources = ""
    for comment in re.findall(r"<!-- set in: (.*?) -->", paragraph, re.S):
        for word in comment.split(";")[0].split():
            if not (root / word).is_file():
                fail(page, line, f"no file {word}")
            else:
                sources += (root / word).read_text()
        sources += comment  # what else it names, as a paper's
    text = re.sub(r"<!--.*?-->", "", paragraph, flags=re.S)
    for found in measurement.finditer(plain(re.sub(r"`[^`]*`", "", text))):
        if not re.search(r"(?<![\w.])" + re.escape(found[0].split()[0]), sources):
            fail(page, line + text[:found.start()].count("\n"),
                 f"\"{found[0]}\" looks like a measurement: no command prints it, no file sets it")


# ---- names -----------------------------------------------------------------------------------

files = [path.relative_to(root).as_posix() for folder in (*code_folders, "docs")
         for path in (root / folder).rglob("*") if path.is_file()]
files += [path.name for path in root.iterdir() if path.is_file()]
words = set()
for name in files:
    if name.endswith((".hpp", ".cpp", ".h", ".py", ".pyi", ".txt", ".cmake", ".json", ".sh")):
        if not name.startswith("tests/docs/"):
            words.update(re.findall(r"\w+", (root / name).read_text(errors="ignore")))
words |= set(re.findall(r"\w+", " ".join(files)))
helps = {}


def help_of(*command):
    if command not in helps:
        if command == ("bench",) and not pathlib.Path(tool).with_name("jounce-bench").exists():
            helps[command] = (root / "benchmarks/main.cpp").read_text()  # not built
        else:
            status, helps[command] = run(*command, "--help")
            if status != 0:
                failures.append(f"jounce {' '.join(command)} --help: exit status {status}: "
                                + helps[command].strip())
    return helps[command]


tool_names = r"(?:jounce|build/bin/jounce|\./run(?! python))"


def check_command(page, line, text):
    """Subcommands, quantities and options of `jounce a|b MODEL --x`."""
    known = []
    for word in text.split()[1:]:
        if re.fullmatch(r"[a-z][a-z0-9-]*(\|[a-z][a-z0-9-]*)*\|?", word):
            for one in filter(None, word.split("|")):
                if not re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", help_of(*known)) and \
                        not has_string(one):
                    return fail(page, line, f"`{text}`: there is no {one}")
            if not known or (known in (["stewart"], ["orders"], ["propellers"]) and "|" not in word):
                known.append(word.split("|")[0])
        elif word.startswith("[--") or word.startswith("--"):
            option = re.match(r"\[?(--[a-z-]+)", word)[1]
            if option not in help_of(*known):
                return fail(page, line, f"`{text}`: there is no {option}")


def has_string(word):
    return any(f'"{word}"' in (root / name).read_text() for name in files
               if name.startswith(("apps/", "benchmarks/")) and name.endswith((".cpp", ".hpp")))


extension = re.compile(r"\.(hpp|cpp|cu|py|pyi|md|json|svg|sh|txt|cmake|urdf|html)$")


def check_name(page, line, text):
    if re.match(tool_names + " [a-z]", text):
        return check_command(page, line, text)
    if extension.search(text) and " " not in text:
        if not any(fnmatch.fnmatch("/" + name, "*/" + text) for name in files) and \
                not re.match(r"[a-z_]+\.(urdf|html|json)$", text):
            fail(page, line, f"`{text}`: no such file")
        return None
    if "/" in text and re.fullmatch(r"[\w./-]+", text):
        if not any((root / base / text).exists() for base in ("", "include")):
            fail(page, line, f"`{text}`: no such folder")
        return None
    if text.startswith(("{", '"')):  # JSON: its keys and strings
        text = " ".join(re.findall(r'"([^"]*)"', text))
    text = re.sub(r"^-D|\.\.\.|<[^>]*>|\"[^\"]*\"", " ", text)
    for word in re.findall(r"[A-Za-z_]\w*", text, re.ASCII):
        word = word.removeprefix("example_")  # the programs of examples/
        if word not in words and not any(known.endswith(word) for known in words if word[0] == "_"):
            fail(page, line, f"`{text}`: the code has no word {word}")


# ---- pages -----------------------------------------------------------------------------------

def check_page(page):
    lines = page.read_text().splitlines(keepends=True)
    checked = set()  # lines of tables of figures
    for k, line in enumerate(lines):
        comment = re.match(r"<!-- ((?:printed|measured|compared) by: .*?) -->", line)
        if not comment:
            continue
        given, rows = fields(comment[1]), table_rows(lines, k + 1)
        checked.update(at - 1 for at, _ in rows)
        if len(rows) < 2:
            fail(page, k + 1, "no table below")
        elif "printed by" in given:
            check_printed(page, k + 1, given, rows)
        elif "compared by" in given:
            check_compared(page, k + 1, given, rows)
        else:
            check_measured(page, k + 1, given, rows)
    paragraph, start, fenced = "", 0, False
    for k, line in enumerate([*lines, "\n"]):
        fenced ^= line.startswith("```")
        code = fenced or line.startswith("    ")
        if line.strip() and not code and k not in checked:
            start, paragraph = (start, paragraph + line) if paragraph else (k + 1, line)
            continue
        if paragraph:
            check_prose(page, start, paragraph)
            for span in re.finditer(r"`([^`]+)`", re.sub(r"<!--.*?-->", "", paragraph, flags=re.S)):
                at = start + paragraph[:span.start()].count("\n")
                check_name(page, at, " ".join(span[1].split()))
        paragraph = ""
        command = re.match(rf" +({tool_names} [a-z].*?)(?: {{2,}}#| <|$)", line)
        if code and command:
            check_command(page, k + 1, command[1].replace(" | ", "|"))


def check_version():
    """One version and one date: of CMakeLists.txt, the changelog's newest section, CITATION.cff."""
    lists = (root / "CMakeLists.txt").read_text()
    built = re.search(r"^project\(jounce VERSION (\S+)", lists, re.M)
    log = root / "CHANGELOG.md"
    told = re.search(r"^## (\d\S*), (\d{4}-\d{2}-\d{2})$", log.read_text(), re.M)
    cited = (root / "CITATION.cff").read_text()
    if not told or told[1] != built[1]:
        fail(log, 1, f"the newest version is {told and told[1]}, CMakeLists.txt has {built[1]}")
    elif f"\nversion: {told[1]}\ndate-released: {told[2]}\n" not in cited:
        fail(root / "CITATION.cff", 1, f"version or date is not {told[1]}, {told[2]}")


for one in pages:
    check_page(one)
check_version()
print("\n".join(failures) or f"{len(pages)} pages: figures are printed by commands, names exist")
sys.exit(1 if failures else 0)
