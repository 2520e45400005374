# SPDX-License-Identifier: BSD-3-Clause
"""What pip calls (PEP 517, PEP 660): the module is built by CMake in build/, as ./run builds it.

Nothing but the standard library is used. A Python that is not the system's, or a build folder that
is not for release, gets a folder of its own below build/. `--config-settings build-dir=FOLDER`
names another, `--config-settings instruction-sets=native` leaves out kernels of other processors.
"""

import base64
import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ("g++ cmake ninja-build libeigen3-dev libpugixml-dev nlohmann-json3-dev python3-dev "
            "pybind11-dev")


# ---- what it needs -----------------------------------------------------------------------------

def stop(what):
    """pip shows it as the last words of the build."""
    sys.exit(f"jounce: {what}")


def check_tools():
    if sys.version_info < (3, 9):
        stop(f"this is Python {sys.version.split()[0]}, needs 3.9 or later")
    found = shutil.which("cmake")
    if found is None:
        stop(f"cmake is missing, needs 3.25 or later; Debian: apt-get install {PACKAGES}")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    number = re.search(r"(\d+)\.(\d+)", version.stdout)
    if (int(number[1]), int(number[2])) < (3, 25):
        stop(f"{found} is CMake {number[0]}, needs 3.25 or later")


def cmake_finds_pybind11():
    """Asks CMake, with the search that the module's own build makes."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(probe LANGUAGES CXX)\n"
            "find_package(pybind11 2.10 CONFIG REQUIRED)\n")
        probe = subprocess.run(["cmake", "-S", folder, "-B", folder + "/build", *generator(),
                                *interpreter_option()],
                               capture_output=True, text=True, check=False)
        if probe.returncode != 0 and "pybind11" not in probe.stderr:
            stop(f"cmake finds no compiler or build program; Debian: apt-get install {PACKAGES}\n"
                 + probe.stderr)
        return probe.returncode == 0


def get_requires_for_build_wheel(config_settings=None):
    check_tools()
    return [] if cmake_finds_pybind11() else ["pybind11>=2.10"]


get_requires_for_build_editable = get_requires_for_build_wheel


def get_requires_for_build_sdist(config_settings=None):
    return []


# ---- the build ---------------------------------------------------------------------------------

def interpreter():
    """Of a virtual environment, the Python that it was made from: it stays."""
    return getattr(sys, "_base_executable", sys.executable)


def generator():
    """Ninja where it is; CMake's own choice needs make."""
    return ["-GNinja"] if shutil.which("ninja") else []


def interpreter_option():
    return ["-DPython3_EXECUTABLE=" + interpreter(), "-DPYTHON_EXECUTABLE=" + interpreter()]


def is_system_python():
    return os.path.realpath(interpreter()) == os.path.realpath("/usr/bin/python3")


def is_release(folder):
    """Whether a build folder is new, or one whose module may be shipped."""
    cache = folder / "CMakeCache.txt"
    if not cache.is_file():
        return True
    text = cache.read_text()
    return bool(re.search(r"^CMAKE_BUILD_TYPE:\w+=Release$", text, re.M)
                and re.search(r"^JOUNCE_SANITIZE:\w+=$", text, re.M)
                and f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" in text)


def build_folder(config_settings):
    given = (config_settings or {}).get("build-dir")
    if given:
        return pathlib.Path(given).resolve()
    shared = ROOT / "build"
    if is_system_python() and is_release(shared):
        return shared
    return shared / ("wheel-" + sys.implementation.cache_tag)


def run(*command):
    if subprocess.run(command, check=False).returncode != 0:
        stop(f"{' '.join(command[:2])} failed, see above; Debian's packages: {PACKAGES}")


def instruction_sets(config_settings):
    """Wheels travel: kernels of all processors, unless this machine's alone are asked for."""
    given = (config_settings or {}).get("instruction-sets", "all")
    if given not in ("all", "native"):
        stop(f'instruction-sets is "{given}", needs all or native')
    return given


def build(config_settings):
    """The folder that holds the package jounce, complete."""
    check_tools()
    folder = build_folder(config_settings)
    options = ["-DJOUNCE_PYTHON=ON",
               "-DJOUNCE_INSTRUCTION_SETS=" + instruction_sets(config_settings)]
    if not (folder / "CMakeCache.txt").is_file():
        options += ["-DCMAKE_BUILD_TYPE=Release", "-DJOUNCE_TOOL=OFF"]  # ./run turns the tool on
        options += generator()
    if not is_system_python():
        options += interpreter_option()
    with contextlib.suppress(ImportError):  # installed by pip, where CMake had found none
        import pybind11
        options.append("-Dpybind11_DIR=" + pybind11.get_cmake_dir())
    run("cmake", "-S", str(ROOT), "-B", str(folder), *options)
    run("cmake", "--build", str(folder), "--target", "jounce_python", "--parallel",
        str(os.cpu_count()))
    return folder / "python"


# ---- what is packed ----------------------------------------------------------------------------

def field(name):
    """A string of the table [project]; there is no TOML reader before Python 3.11."""
    text = (ROOT / "pyproject.toml").read_text()
    return re.search(rf'^{name} = "(.*)"', text, re.M)[1]


def version():
    return re.search(r"^project\(jounce VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(),
                     re.M)[1]


def metadata():
    return (f"Metadata-Version: 2.1\nName: {field('name')}\nVersion: {version()}\n"
            f"Summary: {field('description')}\nLicense: BSD-3-Clause\n"
            f"Requires-Python: {field('requires-python')}\nRequires-Dist: numpy\n"
            "Description-Content-Type: text/markdown\n\n" + (ROOT / "README.md").read_text())


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def dist_info():
    return f"jounce-{version()}.dist-info"


def write_wheel(folder, contents):
    """A wheel of {name: bytes}: equal bytes for equal contents."""
    contents = {
        **contents,
        f"{dist_info()}/METADATA": metadata().encode(),
        f"{dist_info()}/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{dist_info()}/WHEEL": ("Wheel-Version: 1.0\nGenerator: jounce\nRoot-Is-Purelib: false\n"
                                 f"Tag: {tag()}\n").encode(),
    }
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n"
                     for name, data in sorted(contents.items()))
    contents[f"{dist_info()}/RECORD"] = f"{record}{dist_info()}/RECORD,,\n".encode()
    wheel = f"jounce-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(contents.items()):
            entry = zipfile.ZipInfo(name)  # of 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, data)
    return wheel


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def package_files(folder):
    """What the package is made of: the sources' files, and the module for this Python."""
    module = "_jounce" + sysconfig.get_config_var("EXT_SUFFIX")
    if not (folder / "jounce" / module).is_file():
        stop(f"{folder}/jounce has no {module}: it was built for another Python")
    names = {path.name for path in (ROOT / "python" / "jounce").iterdir() if path.is_file()}
    return {f"jounce/{name}": (folder / "jounce" / name).read_bytes() for name in names | {module}}


# ---- what pip calls ----------------------------------------------------------------------------

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, package_files(build(config_settings)))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A path to the build folder: `cmake --build build --target jounce_python` renews it."""
    folder = build(config_settings)
    package_files(folder)
    return write_wheel(wheel_directory, {"jounce.pth": f"{folder}\n".encode()})


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory, dist_info())
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    return dist_info()


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    """Everything but builds and what begins with a dot."""
    name = f"jounce-{version()}"
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as information:
        information.write(metadata())
        information.flush()
        with tarfile.open(pathlib.Path(sdist_directory, name + ".tar.gz"), "w:gz") as archive:
            for path in sorted(ROOT.iterdir()):
                if not re.match(r"\.|build|install$", path.name):
                    archive.add(path, f"{name}/{path.name}",
                                filter=lambda x: None if "__pycache__" in x.name else x)
            archive.add(information.name, f"{name}/PKG-INFO")
    return name + ".tar.gz"
