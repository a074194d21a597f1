// Python in a worker: it starts while packages arrive, and answers what the page asks.
const PACKAGES = "/lib/pythonVERSION/site-packages"
const SHARED = ["pyarrow/libarrow_python.so", "libopenblas.so"]

/** Bytes of a pack, and the names and sizes on its first line. */
async function pack(url) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  const plain = answer.body.pipeThrough(new DecompressionStream("gzip"))
  const bytes = new Uint8Array(await new Response(plain).arrayBuffer())
  const end = bytes.indexOf(10)
  return { bytes, start: end + 1, sizes: JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) }
}

/** Put a pack's files where Python finds them; load the libraries that several modules share. */
async function put(python, { bytes, start, sizes }) {
  const known = new Set()
  for (const [name, size] of sizes) {
    const path = `${PACKAGES}/${name}`
    const folder = path.slice(0, path.lastIndexOf("/"))
    if (!known.has(folder)) python.FS.mkdirTree(folder)
    known.add(folder)
    python.FS.writeFile(path, bytes.subarray(start, start + size), { canOwn: true })
    start += size
  }
  for (const name of SHARED.filter((own) => sizes.some(([name]) => name === own))) {
    await python._api.loadDynlib(`${PACKAGES}/${name}`, true)
  }
}

let loaded
let newest = 0 // number of the study that was asked for last

/** Python with all that the first figure needs, and what loads the rest, once. */
async function load(base) {
  const first = pack(`${base}first.pack`)
  const { loadPyodide } = await import(`${base}pyodide.mjs`)
  const python = await loadPyodide({ indexURL: base })
  await put(python, await first)
  python.pyimport("stand_ins").put_in()
  const own = python.pyimport("start")
  let all
  const rest = async () => put(python, await pack(`${base}rest.pack`)) // once the figure stands
  return { python, own, all: () => (all ??= rest().catch(again(() => (all = undefined)))) }
}

/** What forgets a load that failed, so that the next study tries it anew. */
const again = (forget) => (fault) => {
  forget()
  throw fault
}

/** Answer one study: its first figure, its report, its scores. */
async function answer({ number, base, sample, files }) {
  const tell = (kind, value) => postMessage({ number, kind, value })
  const isOld = () => number !== newest
  if (isOld()) return
  loaded ??= load(base).catch(again(() => (loaded = undefined)))
  const { python, own, all } = await loaded
  python.runPython("import shutil; shutil.rmtree('/given', ignore_errors=True)")
  python.FS.mkdirTree("/given")
  for (const [name, bytes] of files) python.FS.writeFile(`/given/${name}`, bytes)
  tell("said", "Reading")
  const study = own.opened(sample, tell)
  if (!study) return
  try {
    tell("figure", own.first_figure(study))
    await all()
    if (isOld()) return
    tell("report", own.report(study, tell).toJs())
    tell("said", "Scores")
    tell("scores", own.scores(study).toJs())
  } finally {
    study.destroy()
  }
}

let before = Promise.resolve()
onmessage = ({ data }) => {
  const { number } = data
  newest = number
  before = before.then(() => answer(data)).catch((fault) => postMessage({ number, kind: "fault", value: `${fault}` }))
}
