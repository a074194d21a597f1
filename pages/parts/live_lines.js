// Lines that follow the sliders: what Plotly has drawn is moved in place, frame by frame. A slider
// asks the server on its release, as ever, which draws the same anew: where anything here fails, the
// page is what it would be without.

const figures = new Map() // figures that follow, by where they are mounted
let panel = null // the sliders that are followed: one mount, in the sidebar
let tables = null // both discounts at each step of their sliders

/** Mounted beside the sliders (`sliders`), with their tables (`rank`), and beside each `figure`. */
export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement
  const container = host.closest("[data-testid=stElementContainer]")
  if (container) container.style.display = "none" // an empty element would leave a gap
  if (data.rank) return void unpacked(data).then((known) => ((tables = known), paintAll()), without)
  return data.sliders ? watch(parentElement, data) : follow(parentElement, data)
}

/** What stands in the element of a key, whose class has a dash for every other sign. */
function keyed(key, inside) {
  return document.querySelector(`.st-key-${key.trim().replace(/[^a-zA-Z0-9_-]/g, "-")} ${inside}`)
}

/** An old browser can't unpack what the server packed; its page works without. */
const without = (fault) => console.warn("live figure:", fault)

function paintAll() {
  for (const figure of figures.values()) paint(figure)
}

// ---- the sliders -------------------------------------------------------------------------------

function watch(parentElement, data) {
  if (panel?.parentElement !== parentElement) {
    panel?.stop()
    const mine = (panel = { parentElement, values: {} })
    const seen = new MutationObserver(() => moved(mine))
    seen.observe(document.body, { subtree: true, attributeFilter: ["aria-valuetext"] })
    mine.stop = () => {
      seen.disconnect()
      if (panel === mine) panel = null
    }
  }
  panel.sliders = data.sliders
  moved(panel)
  return panel.stop
}

/** Where each slider stands, by the name of its number. */
function standing({ sliders }) {
  const values = {}
  for (const [name, key] of Object.entries(sliders)) {
    const input = keyed(key, "input")
    if (input) values[name] = Number(input.value)
  }
  return values
}

function moved(mine) {
  mine.values = standing(mine)
  const now = JSON.stringify(mine.values)
  if (now === mine.now) return
  mine.now = now
  paintAll()
}

// ---- the figures -------------------------------------------------------------------------------

function follow(parentElement, data) {
  const mine = figures.get(parentElement) ?? {}
  if (!mine.stop) {
    const look = () => {
      const graph = keyed(mine.key, ".js-plotly-plot")
      if (!graph?.on || graph === mine.graph) return
      mine.graph = graph
      mine.isMoved = false
      graph.on("plotly_afterplot", () => paint(mine))
      paint(mine)
    }
    const redrawn = new MutationObserver(look)
    redrawn.observe(document.body, { subtree: true, childList: true })
    mine.stop = () => {
      redrawn.disconnect()
      figures.delete(parentElement)
    }
    figures.set(parentElement, mine)
    mine.look = look
  }
  mine.key = data.figure
  mine.counts = null
  mine.look()
  unpacked(data).then((counts) => {
    mine.counts = counts
    paint(mine)
  }, without)
  return mine.stop
}

/** What the sliders ask for: the numbers that a figure was drawn for, and others where one moved. */
function numbersOf(drawn, values) {
  const value = (name) => (values[name] === drawn.sliders[name] ? undefined : values[name])
  const factors = (name, base) => {
    if (base === undefined) return Float64Array.from(drawn[name])
    const row = Math.round((base - tables.low) / tables.step) // a row for each step of the slider
    return tables[name].subarray(row * tables.width[name], (row + 1) * tables.width[name])
  }
  return {
    rank: factors("rank", value("b")),
    query: factors("query", value("bq")),
    weights: drawn.weights.map((gain, i) => value(`w${drawn.labels[i]}`) ?? gain),
  }
}

function paint(mine) {
  const drawn = mine.graph?.layout?.meta?.live
  if (!drawn || !mine.counts || !panel || !tables) return
  const isMoved = Object.keys(panel.values).some((name) => panel.values[name] !== drawn.sliders[name])
  faint(document.querySelector("[data-testid=stMain] h2"), isMoved) // the answer
  if (!isMoved && !mine.isMoved) return
  try {
    grow(mine.graph, write(mine.graph, curves(mine.counts, numbersOf(drawn, panel.values)), isMoved))
    mine.isMoved = isMoved
    mine.graph.dataset.live = isMoved ? "moved" : "as drawn"
  } catch (fault) {
    without(fault) // the server draws it once the slider is released
  }
}

/** Values of a trace's points: runs [curve, first position, points] one after the other. */
function valuesOf({ runs, gap }, drawn) {
  const values = []
  for (const [curve, from, points] of runs) {
    const own = drawn[curve]
    for (let i = from; i < from + points; i++) values.push(own[Math.min(i, own.length - 1)])
    if (gap) values.push(NaN)
  }
  return values
}

/** Move the lines and marks that Plotly drew, and the values that it shows on hover. */
function write(graph, drawn, isMoved) {
  const { xaxis, yaxis } = graph._fullLayout
  let most = 0
  for (const label of graph.querySelectorAll(".annotation")) faint(label, isMoved)
  for (const node of graph.querySelectorAll(".scatterlayer .trace")) {
    const points = node.__data__
    const live = points[0].trace.meta?.live // which curves these are, said by the figure itself
    if (points[0].trace.fill === "toself") faint(node, isMoved, 0.05) // an interval
    if (!live) continue
    const values = valuesOf(live, drawn)
    const steps = points[0].trace.line?.shape === "vh"
    let path = ""
    let open = false
    points.forEach((point, i) => {
      const value = values[point.i ?? i]
      point.y = value
      if (!Number.isFinite(value)) return void (open = false)
      if (xaxis.range[0] <= point.x && point.x <= xaxis.range[1]) most = Math.max(most, value)
      const [x, y] = [xaxis.l2p(point.x).toFixed(2), yaxis.l2p(value).toFixed(2)]
      path += open ? (steps ? `V${y}H${x}` : `L${x},${y}`) : `M${x},${y}`
      open = true
    })
    const [first, ...others] = node.querySelectorAll("path.js-line")
    first?.setAttribute("d", path || "M0,0")
    for (const other of others) other.setAttribute("d", "M0,0")
    for (const mark of node.querySelectorAll("path.point")) {
      const { x, y } = mark.__data__
      mark.setAttribute("transform", `translate(${xaxis.l2p(x)},${yaxis.l2p(y)})`)
    }
  }
  return most
}

/** What waits for the server is faint meanwhile. */
function faint(node, isMoved, opacity = 0.3) {
  if (node) node.style.opacity = isMoved ? opacity : ""
}

const ROUND = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** An axis that a line would leave grows to the next round number; it shrinks when it is redrawn. */
function grow(graph, most) {
  const [low, high] = graph._fullLayout.yaxis.range
  if (most <= high) return
  const ten = 10 ** Math.floor(Math.log10(most))
  const top = ten * (ROUND.find((number) => number * ten >= most * 1.02) ?? 12.5)
  window.Plotly.relayout(graph, { "yaxis.range": [(low / high) * top, top] })
}
