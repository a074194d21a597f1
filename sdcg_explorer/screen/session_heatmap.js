// The wall comes alive: a click or a key opens a session, and a query says its text. What is drawn
// is the server's, and stands without this; only marks of what is chosen are set here.

const TIP = "sdcg-tip"
const LOOK = `#${TIP} { background: light-dark(#31333F, #EDEBE8); border-radius: 6px;
  color: light-dark(#FFFFFF, #171614); font-size: 0.85rem; line-height: 1.35; max-width: 22rem;
  overflow-wrap: anywhere; padding: 0.4rem 0.6rem; pointer-events: none; position: fixed;
  white-space: pre-line; z-index: 999999 }
#${TIP}:empty { display: none }`

let mine = null // one wall a page

/** Mounted after the wall: its `key`, the `chosen` sessions, and the `words` of rows and queries. */
export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement
  const container = host.closest("[data-testid=stElementContainer]")
  if (container) container.style.display = "none" // an empty element would leave a gap
  if (mine?.parent !== parentElement) {
    mine?.stop()
    mine = begin(parentElement)
  }
  Object.assign(mine, { data, open: (name) => setTriggerValue("opened", name) })
  if (mine.packed !== data.words) read(mine, data.words)
  mark()
  return () => mine?.parent === parentElement && mine.stop()
}

/** Words of a wall that is there; an old browser, which can't unpack them, has none. */
async function read(of, packed) {
  Object.assign(of, { packed, words: null })
  try {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
    const words = await new Response(stream).json()
    let from = 0
    words.from = words.queries.map((count) => (from += count) - count)
    if (of.packed === packed) of.words = words
  } catch (fault) {
    console.warn("wall:", fault)
  }
  if (mine?.at?.isConnected) say(mine.at) // what was pointed at meanwhile
}

function begin(parent) {
  const tip = Object.assign(document.createElement("div"), { id: TIP, role: "status" })
  const style = Object.assign(document.createElement("style"), { textContent: LOOK })
  document.body.append(tip, style)
  const heard = { click, keydown, pointerover, pointerout, pointermove, focusin, scroll }
  for (const [name, listener] of Object.entries(heard)) document.addEventListener(name, listener, true)
  const seen = new MutationObserver(mark) // drawn anew after a slider: where it stood, it stands
  seen.observe(document.body, { subtree: true, childList: true })
  const stop = () => {
    for (const [name, listener] of Object.entries(heard)) document.removeEventListener(name, listener, true)
    seen.disconnect()
    tip.remove()
    style.remove()
    mine = null
  }
  return { parent, tip, stop, at: null }
}

const table = () => document.querySelector(`.st-key-${mine.data.key} table`)
const rowsOf = (of) => [...(of?.tBodies[0]?.rows ?? [])]
const nameOf = (row) => row.cells[0].textContent
const rowOf = (event) => event.target.closest?.(`.st-key-${mine.data.key} tbody tr`)

/** Mark the chosen sessions, once for each table and choice; one that was chosen elsewhere is shown. */
function mark() {
  const drawn = mine && table()
  if (!drawn) return
  const state = JSON.stringify(mine.data.chosen)
  if (drawn === mine.drawn && state === mine.state) return
  const isNew = drawn !== mine.drawn
  Object.assign(mine, { drawn, state, at: null })
  const rows = rowsOf(drawn)
  const selected = new Set(mine.data.chosen)
  for (const row of rows) {
    const isChosen = selected.has(nameOf(row))
    if (isChosen || row.hasAttribute("aria-selected")) row.setAttribute("aria-selected", isChosen)
  }
  const box = drawn.parentElement
  if (isNew && mine.place) [box.scrollLeft, box.scrollTop] = mine.place
  const first = rows.find((row) => row.ariaSelected === "true") ?? rows[0]
  if (!rows.some((row) => row.tabIndex === 0)) if (first) first.tabIndex = 0
  if (first?.ariaSelected === "true") reveal(first)
}

/** Scroll the wall, and not the page, to where a row is seen. */
function reveal(row) {
  const box = row.closest(".wall")
  const head = box.querySelector("thead").offsetHeight
  const above = row.offsetTop - head - box.scrollTop
  const below = row.offsetTop + row.offsetHeight - box.scrollTop - box.clientHeight
  if (above < 0) box.scrollTop += above
  else if (below > 0) box.scrollTop += below
}

function scroll(event) {
  const box = mine && table()?.parentElement
  if (event.target === box) mine.place = [box.scrollLeft, box.scrollTop]
  if (mine?.at?.isConnected) say(mine.at)
  else if (event.target === box) hide()
}

function click(event) {
  const row = mine && rowOf(event)
  if (row) mine.open(nameOf(row))
}

function focusin(event) {
  const row = mine && rowOf(event)
  if (!row) return
  for (const each of rowsOf(table())) if (each !== row && each.tabIndex === 0) each.tabIndex = -1
  row.tabIndex = 0
}

/** Up and down move from row to row, left and right from query to query, Enter opens. */
function keydown(event) {
  const row = mine && rowOf(event)
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return
  const rows = rowsOf(table())
  const now = row.sectionRowIndex
  const goes = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: rows.length - 1 }
  const cells = [...row.querySelectorAll(".c")]
  const steps = { ArrowRight: 1, ArrowLeft: -1 }
  if (event.key in goes) {
    const next = rows[Math.min(Math.max(goes[event.key], 0), rows.length - 1)]
    hide()
    next.focus({ preventScroll: true })
    reveal(next)
  } else if (event.key in steps) {
    const at = cells.indexOf(mine.at) + steps[event.key]
    hide()
    const cell = cells[Math.min(Math.max(at, 0), cells.length - 1)]
    if (cell) point(cell)
  } else if (event.key === "Enter" || event.key === " ") mine.open(nameOf(row))
  else if (event.key === "Escape") hide()
  else return
  event.preventDefault()
  event.stopPropagation()
}

function point(cell) {
  mine.at = cell
  cell.classList.add("at")
  cell.scrollIntoView({ block: "nearest", inline: "nearest" })
  say(cell)
}

function pointerover(event) {
  const cell = mine && !mine.at && rowOf(event) && event.target.closest("td, th")
  if (cell && event.pointerType !== "touch") say(cell)
}

/** What keys point at stays, though the wall is scrolled beneath a mouse at rest. */
function pointermove(event) {
  if (mine?.at && (event.movementX || event.movementY)) hide()
}

function pointerout(event) {
  if (mine && !mine.at && rowOf(event)) hide()
}

function hide() {
  if (!mine) return
  mine.at?.classList.remove("at")
  mine.at = null
  mine.tip.textContent = ""
}

/** A query's text and what it found, or whose session it is, beside the cell. */
function say(cell) {
  const { words, tip } = mine
  const row = cell.parentElement.sectionRowIndex
  const name = nameOf(cell.parentElement)
  if (words?.names[row] !== name) return // those of a wall that was there before
  const query = [...cell.parentElement.querySelectorAll(".c")].indexOf(cell)
  tip.textContent = query < 0 ? `${name}\n${words.rows[row]}` : inWords(words, row, query)
  const [box, own] = [cell.getBoundingClientRect(), tip.getBoundingClientRect()]
  const left = Math.min(box.left, innerWidth - own.width - 8)
  const under = box.bottom + 6
  const top = under + own.height > innerHeight ? box.top - own.height - 6 : under
  Object.assign(tip.style, { left: `${Math.max(8, left)}px`, top: `${top}px` })
}

function inWords(words, row, query) {
  const at = words.from[row] + query
  const text = words.texts[words.text[at]]
  const worth = words.dcg[at] === "" ? "nobody judged its topic" : `dcg ${words.dcg[at]}`
  const found = words.dcg[at] === "" ? "" : `, ${words.found[at]} new relevant`
  const shown = `${words.shown[at]} results in the top ${words.top}`
  return `${words.names[row]}, query ${query + 1}\n${text ? `“${text}”\n` : ""}${worth}${found}, ${shown}`
}
