// Files that are dropped anywhere on a page are brought to the place that reads them: a browser would
// leave the app for them. Mounted once, with the words that a page shows meanwhile, and the way there.

const PLACE = "[data-testid=stFileUploader]"
const PATIENCE = 60_000 // ms
let asked = {}
let sheet

export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement
  const container = host.closest("[data-testid=stElementContainer]")
  if (container) container.style.display = "none" // an empty element would leave a gap
  asked = data
  for (const [name, hear] of Object.entries(HEARD)) window.addEventListener(name, hear, true) // each once
}

const HEARD = {
  dragover(event) {
    if (!event.dataTransfer?.types.includes("Files")) return
    event.preventDefault()
    show(!event.target.closest?.(PLACE))
  },
  dragleave(event) {
    if (!event.relatedTarget) show(false) // it left the window
  },
  drop(event) {
    show(false)
    const { files } = event.dataTransfer ?? {}
    if (!files?.length || event.target.closest?.(PLACE)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!document.querySelector(PLACE)) document.querySelector(asked.way)?.click()
    const brought = new DataTransfer()
    for (const file of files) brought.items.add(file)
    give(brought.files)
  },
}

/** Give files to the place that reads them, as soon as the page has one. */
function give(files, until = performance.now() + PATIENCE) {
  const input = document.querySelector(`${PLACE} input[type=file]`)
  if (!input) return void (performance.now() < until && requestAnimationFrame(() => give(files, until)))
  input.files = files
  input.dispatchEvent(new Event("change", { bubbles: true }))
}

/** Show over the page what happens when the files are let go. */
function show(isOver) {
  sheet ??= Object.assign(document.createElement("div"), { className: "dropping", ariaHidden: "true" })
  sheet.textContent = asked.words
  if (isOver) document.querySelector("[data-testid=stApp]").append(sheet) // whose scheme it has
  else sheet.remove()
}
