// The page: what is chosen goes to Python in a worker, what it answers is shown and can be saved.
const MOST = AT_MOST // MB; larger studies belong to the app
const base = new URL(".", location.href).href
const at = (id) => document.getElementById(id)
const links = []
let worker
let asked = 0 // how many studies; answers to an earlier one are not shown

/** A worker of the page's own text has its content policy: it reaches this address alone. */
async function started() {
  const answer = await fetch("worker.js")
  if (!answer.ok) throw new Error(`worker.js: ${answer.status}`)
  const text = await answer.text()
  const own = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" })
  own.onmessage = ({ data: { number, kind, value } }) => number === asked && shown[kind](value)
  return own
}

/** An address of bytes in this page; those of the study before are given up. */
function address(bytes, type) {
  const url = URL.createObjectURL(new Blob([bytes], { type }))
  links.push(url)
  return url
}

function link(name, words, url) {
  const own = Object.assign(document.createElement("a"), { href: url, download: name, textContent: words })
  at("saved").append(own)
}

const shown = {
  said: (title) => (at("said").textContent = `${title} …`),
  figure: (text) => {
    const { script, data, layout } = JSON.parse(text)
    if (!window.Plotly) document.head.append(Object.assign(document.createElement("script"), { textContent: script }))
    Plotly.newPlot(at("figure"), data, layout, { displayModeBar: false, responsive: true })
  },
  refused: (lines) => {
    at("said").textContent = "These files can't be used:"
    at("refused").textContent = lines
  },
  report: (bytes) => {
    const url = address(bytes, "text/html")
    at("figure").hidden = true
    Object.assign(at("report"), { src: url, hidden: false })
    link("report.html", "Save the report", url)
  },
  scores: (bytes) => {
    link("scores.zip", "Save the scores", address(bytes, "application/zip"))
    at("said").textContent = ""
  },
  fault: (words) => {
    at("said").textContent = "Something went wrong here, and no file left this machine:"
    at("refused").textContent = words
  },
}

/** Open a sample or files; what goes wrong on the way is shown, and the next try starts anew. */
async function open(sample, chosen = []) {
  const number = ++asked
  try {
    await ask(number, sample, chosen)
  } catch (fault) {
    if (number === asked) shown.fault(`${fault}`)
  }
}

async function ask(number, sample, chosen) {
  for (const id of ["saved", "figure", "refused"]) at(id).replaceChildren()
  at("figure").hidden = false
  at("report").hidden = true
  for (const url of links.splice(0)) URL.revokeObjectURL(url)
  if (chosen.reduce((sum, file) => sum + file.size, 0) > MOST * 1e6) {
    return shown.refused(`more than ${MOST} MB; larger studies are read by the app: sdcg app`)
  }
  at("said").textContent = "Loading Python and the packages …"
  const files = await Promise.all(chosen.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]))
  worker ??= started()
  const own = await worker.catch((fault) => {
    worker = undefined
    throw fault
  })
  own.postMessage({ number, base, sample, files })
}

for (const button of document.querySelectorAll("[data-sample]")) {
  button.addEventListener("click", () => open(button.dataset.sample))
}
at("files").addEventListener("change", ({ target }) => {
  if (target.files.length) open("", [...target.files])
  target.value = ""
})
for (const [kind, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
  addEventListener(kind, (event) => {
    event.preventDefault()
    document.body.classList.toggle("over", isOver)
    if (kind === "drop" && event.dataTransfer.files.length) open("", [...event.dataTransfer.files])
  })
}
