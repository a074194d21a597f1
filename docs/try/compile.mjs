// Compiles the modules in folders by the Python that will run them, each in the place of its source.
import { pathToFileURL } from "node:url"

const [runtime, ...folders] = process.argv.slice(2)
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`))
const python = await loadPyodide({ indexURL: `${runtime}/` })
for (const folder of folders) {
  python.FS.mkdirTree("/made")
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/made")
  python.runPython(`
import pathlib, py_compile
for path in pathlib.Path("/made").rglob("*.py"):
    name = path.relative_to("/made").as_posix()
    py_compile.compile(str(path), str(path) + "c", name, doraise=True,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    path.unlink()
`)
  python.FS.unmount("/made")
}
