// Result lists as cards that are moved by keys, by buttons and by dragging. What a move is worth the
// server says; until it has, the cards stand where they were put and their numbers are faint.

const boards = new Map() // what is known of a board, by where it is mounted
const SHADES = [1, 0.65, 0.4] // as on the first screen: gain, after d(r), after D(q)
const MOST = 100

/** Mounted, and called again whenever the server has counted: `data` is a board of cards. */
export default function ({ data, parentElement, setStateValue }) {
  const mine = boards.get(parentElement) ?? begin(parentElement)
  mine.send = (arranged) => setStateValue("arranged", arranged)
  const isOld = data.of === mine.data?.of && data.turn < mine.turn // another move is under way
  if (!isOld) take(mine, data)
  return mine.stop
}

function begin(parentElement) {
  const [board, worked, said] = [".board", ".worked", ".said"].map((name) => parentElement.querySelector(name))
  const mine = { root: parentElement, board, worked, said, turn: 0 }
  mine.moves = [...parentElement.querySelectorAll("[data-to]")]
  for (const button of mine.moves) button.onclick = () => go(mine, mine.at, button.dataset.to)
  listen(mine)
  const heard = {
    "sdcg-numbers": (event) => follow(mine, event.detail),
    mouseover: (event) => fromAfar(mine, event.target),
  }
  for (const [name, hear] of Object.entries(heard)) document.addEventListener(name, hear)
  mine.stop = () => {
    if (parentElement.isConnected) return // also called where newer data overtook what was sent
    for (const [name, hear] of Object.entries(heard)) document.removeEventListener(name, hear)
    boards.delete(parentElement)
  }
  boards.set(parentElement, mine)
  return mine
}

/** What the server counted. */
function take(mine, data) {
  const isOther = mine.data?.of !== data.of
  Object.assign(mine, { data, lists: data.lists.map(({ cards }) => [...cards]), graded: [] })
  mine.turn = Math.max(mine.turn, data.turn)
  if (isOther || !cardAt(mine, mine.at)) mine.at = worthMost(mine)
  mine.board.classList.remove("waits")
  draw(mine)
  if (mine.news) mine.said.textContent = `${mine.news}; session ${data.worth}`
  mine.news = ""
}

const cardAt = (mine, at) => at && mine.lists[at.q]?.[at.r]
/** The card that brings most. */
function worthMost(mine) {
  const all = mine.lists.flatMap((cards, q) => cards.map((card, r) => ({ card, q, r })))
  const known = all.filter(({ card }) => card)
  return known.sort((x, y) => (y.card.steps[2] ?? 0) - (x.card.steps[2] ?? 0))[0]
}

function node(name, className, text, more = {}) {
  const made = document.createElement(name)
  if (className) made.className = className
  if (text) made.textContent = text
  for (const [key, value] of Object.entries(more)) made.setAttribute(key, value)
  return made
}

function draw(mine) {
  const held = mine.root.activeElement
  const part = held?.closest("li") && (held.matches("select") ? "select" : ".doc")
  mine.board.replaceChildren(...mine.lists.map((cards, q) => column(mine, cards, q)), another(mine))
  if (part) mine.board.querySelector(`li.at ${part}`)?.focus()
  show(mine)
}

function column(mine, cards, q) {
  const section = node("section", "query", "", { "data-q": q, "aria-label": `Query ${q + 1}` })
  const head = node("div", "head")
  head.append(node("b", "", `Query ${q + 1}`), node("span", "", mine.data.lists[q]?.sums ?? ""))
  const list = node("ol", "", "", { role: "list", "aria-label": `Results of query ${q + 1}` })
  list.append(...cards.map((card, r) => (card ? item(mine, card, q, r) : node("li", "none", "no result"))))
  if (!cards.length) list.append(node("li", "none", "no results"))
  section.append(head, list)
  return section
}

/** Where a card becomes the first of another query. */
function another(mine) {
  const q = mine.lists.length
  const section = node("section", "query new", "", { "data-q": q, "aria-label": `Query ${q + 1}` })
  const list = node("ol", "", "", { role: "list", "aria-label": "Another query" })
  list.append(node("li", "none", "drop one here"))
  section.append(node("div", "head", `Query ${q + 1}`), list)
  return section
}

function item(mine, card, q, r) {
  const isAt = mine.at?.q === q && mine.at?.r === r
  const made = node("li", isAt ? "at" : "", "", { draggable: "true", "data-q": q, "data-r": r })
  const grade = card.grade ? `grade ${card.grade}` : "unjudged"
  const words = `${card.doc}, rank ${r + 1} of query ${q + 1}, ${grade}, adds ${card.adds || "nothing"}`
  const name = node("span", "doc", card.doc, { role: "button", tabindex: 0, "aria-label": words })
  name.title = card.doc
  const bars = node("span", "bars", "", { "aria-hidden": "true" })
  bars.append(...SHADES.map((shade) => {
    const bar = node("i")
    bar.style.opacity = shade
    return bar
  }))
  stretch(bars, card.steps, mine.data.most)
  made.append(node("span", "rank", r + 1), name, grades(mine, card, q, r), bars, node("span", "adds", card.adds))
  return made
}

function stretch(bars, steps, most) {
  ;[...bars.children].forEach((bar, i) => {
    bar.style.width = `${Math.min(100, (100 * (steps[i] ?? 0)) / most)}%`
  })
}

function grades(mine, card, q, r) {
  const select = node("select", "", "", { "aria-label": `Grade of ${card.doc}` })
  for (const grade of [...mine.data.grades, ""]) select.append(node("option", "", grade || "–", { value: grade }))
  select.value = card.grade
  select.title = `Grade of ${card.doc}: choose one here, or press a digit on the card`
  select.onchange = () => regrade(mine, { q, r }, select.value)
  return select
}

const keyOf = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" }

function listen(mine) {
  const place = (event) => {
    const own = event.target.closest?.("li[data-r]")
    return own && { q: Number(own.dataset.q), r: Number(own.dataset.r) }
  }
  const { board } = mine
  board.addEventListener("keydown", (event) => {
    if (!event.target.matches(".doc") || event.ctrlKey || event.metaKey || event.altKey) return
    const at = place(event)
    const { key } = event
    if (keyOf[key]) go(mine, at, keyOf[key])
    else if (mine.data.grades.includes(key)) regrade(mine, at, key)
    else if (key === "Delete" || key === "Backspace") regrade(mine, at, "")
    else if (key === "Enter" || key === " ") mine.moves[0].focus()
    else return
    event.preventDefault()
  })
  for (const name of ["focusin", "mouseover"]) {
    board.addEventListener(name, (event) => place(event) && point(mine, place(event), true))
  }
  board.addEventListener("mouseleave", () => hover(mine, null))
  board.addEventListener("dragstart", (event) => {
    mine.drag = place(event)
    event.dataTransfer.effectAllowed = "move"
    event.dataTransfer.setData("text/plain", cardAt(mine, mine.drag)?.doc ?? "")
  })
  board.addEventListener("dragover", (event) => mark(mine, event))
  board.addEventListener("drop", (event) => {
    const to = mark(mine, event)
    if (to) put(mine, mine.drag, to)
  })
  board.addEventListener("dragend", () => mark(mine, null))
}

/** Where a dragged card would go, and a line that says so. */
function mark(mine, event) {
  for (const old of mine.board.querySelectorAll(".before, .into")) old.classList.remove("before", "into")
  const section = event?.target.closest?.(".query")
  if (!section || !mine.drag) return void (mine.drag = event && mine.drag)
  event.preventDefault()
  const q = Number(section.dataset.q)
  const items = [...section.querySelectorAll("li")].slice(0, mine.lists[q]?.length ?? 0)
  const after = items.findIndex((each) => {
    const box = each.getBoundingClientRect()
    return event.clientY < box.top + box.height / 2
  })
  const r = after < 0 ? items.length : after
  if (items[r]) items[r].classList.add("before")
  else section.classList.add("into")
  return { q, r: r - (mine.drag.q === q && mine.drag.r < r) }
}

/** One step by key or button. */
function go(mine, at, to) {
  if (!cardAt(mine, at)) return
  const { q, r } = at
  const last = mine.lists[q].length - 1
  const steps = {
    up: r > 0 && { q, r: r - 1 },
    down: r < last && { q, r: r + 1 },
    left: q > 0 && { q: q - 1, r: Math.min(r, mine.lists[q - 1].length) },
    right: { q: q + 1, r: Math.min(r, mine.lists[q + 1]?.length ?? 0) },
  }
  if (steps[to]) put(mine, at, steps[to])
  else mine.said.textContent = `${cardAt(mine, at).doc} can't go further ${to}`
}

/** Move a card, and ask the server what it is worth there. */
function put(mine, from, to) {
  const isSame = from.q === to.q && from.r === to.r
  if (isSame || to.q >= MOST || (mine.lists[to.q]?.length >= MOST && from.q !== to.q)) return
  const [card] = mine.lists[from.q].splice(from.r, 1)
  ;(mine.lists[to.q] ??= []).splice(to.r, 0, card)
  while (!mine.lists.at(-1).some(Boolean)) mine.lists.pop()
  mine.at = to.q < mine.lists.length ? to : worthMost(mine)
  ask(mine, `${card.doc} now at rank ${mine.at.r + 1} of query ${mine.at.q + 1}`)
}

function regrade(mine, at, grade) {
  const card = cardAt(mine, at)
  mine.graded = [...mine.graded, [card.topic, card.doc, grade]]
  mine.lists = mine.lists.map((cards) =>
    cards.map((each) => (each?.doc === card.doc && each.topic === card.topic ? { ...each, grade } : each)))
  mine.at = at
  ask(mine, grade ? `${card.doc} now graded ${grade}` : `${card.doc} now unjudged`)
}

/** Send how all cards stand: what is lost on the way is in the next. */
function ask(mine, news) {
  mine.turn += 1
  mine.news = news
  mine.board.classList.add("waits")
  draw(mine)
  const lists = mine.lists.map((cards) => cards.map((card) => card?.doc ?? ""))
  mine.send({ turn: mine.turn, of: mine.data.of, lists, graded: mine.graded })
}

/** Take a card for the one at hand: its steps in words, and where it stands in figure and table. */
function point(mine, at, isHand) {
  if (!cardAt(mine, at)) return
  const old = mine.board.querySelector("li.at")
  const now = mine.board.querySelector(`li[data-q="${at.q}"][data-r="${at.r}"]`)
  old?.classList.remove("at")
  now?.classList.add("at")
  mine.at = at
  show(mine)
  if (isHand) hover(mine, cardAt(mine, at).cell)
}

/** The card at hand in words, and its row in the table of steps. */
function show(mine) {
  const card = cardAt(mine, mine.at)
  for (const button of mine.moves) {
    button.disabled = !card
    button.setAttribute("aria-label", `Move ${card?.doc ?? "a card"} ${button.dataset.to}`)
  }
  const parts = (card?.worked ?? []).map((words, i, all) => {
    const part = node("span", "", words)
    const shade = node("i")
    shade.style.opacity = SHADES[i]
    if (all.length > 1) part.prepend(shade)
    return part
  })
  const session = node("span", "session", `session ${mine.data.worth}`)
  mine.worked.replaceChildren(node("b", "", card?.doc), ...parts, session)
  for (const row of document.querySelectorAll("[data-step]")) {
    const isAt = card?.cell != null && Number(row.dataset.step) === card.cell
    row.toggleAttribute("data-at", isAt)
    const table = row.closest(".steps")
    if (isAt && !table.matches(":hover")) table.scrollTop = row.offsetTop - table.clientHeight / 2
  }
}

/** Show a cell in the figure, as if it was pointed at there. */
function hover(mine, cell) {
  const graph = document.querySelector(`.st-key-${mine.data.figure} .js-plotly-plot`)
  if (!graph?._fullLayout || !window.Plotly) return
  try {
    if (cell == null) window.Plotly.Fx.unhover(graph)
    else window.Plotly.Fx.hover(graph, { xval: cell + 1 })
  } catch {
    // a figure that is drawn anew meanwhile has nothing to point at
  }
}

/** A row of the table, or a cell of the figure, that is pointed at: its card is the one at hand. */
function fromAfar(mine, target) {
  const row = target.closest?.("[data-step]")
  if (row) return toCell(mine, Number(row.dataset.step), true)
  const graph = target.closest?.(`.st-key-${mine.data?.figure} .js-plotly-plot`)
  if (!graph?.on || graph.isHeard) return
  graph.isHeard = true
  graph.on("plotly_hover", ({ points }) => toCell(mine, points[0].pointNumber, false))
}

function toCell(mine, cell, isHand) {
  mine.lists.forEach((cards, q) => cards.forEach((card, r) => {
    const isAt = mine.at?.q === q && mine.at?.r === r
    if (card?.cell === cell && !isAt) point(mine, { q, r }, isHand)
  }))
}

/** Bars follow the sliders as the figure's lines do, with the same numbers; others are faint. */
function follow(mine, { key, labels, rank, query, weights }) {
  if (key !== mine.data.figure) return
  mine.root.host?.toggleAttribute("data-follows", true)
  mine.lists.forEach((cards, q) => cards.forEach((card, r) => {
    const bars = card?.gains && mine.board.querySelector(`li[data-q="${q}"][data-r="${r}"] .bars`)
    if (!bars) return
    const gain = weights[labels.indexOf(card.grade)] ?? 0
    const discounted = gain * rank[card.rank - 1]
    stretch(bars, [gain, discounted, discounted * query[q]], mine.data.most)
  }))
}
