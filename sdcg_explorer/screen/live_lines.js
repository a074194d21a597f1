// Lines that follow the sliders: what Plotly has drawn is moved in place, frame by frame. A slider
// asks the server on its release, as ever, which draws the same anew: where anything here fails, the
// page is what it would be without. What does not follow is faint until the server has drawn it.

const mounts = new Map() // what follows the sliders, by where it is mounted: one for a page

/**
 * Mounted once a page: its `sliders`, and the numbers that it was `drawn` for; the `tables` of both
 * discounts, and the `figures`' counts.
 */
export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement
  const container = host.closest("[data-testid=stElementContainer]")
  if (container) container.style.display = "none" // an empty element would leave a gap
  const mine = mounts.get(parentElement) ?? begin(parentElement)
  const { sliders, drawn, round, room, maps } = data
  Object.assign(mine, { sliders, drawn, round, room, maps })
  for (const key of mine.figures.keys()) if (!(key in data.figures)) mine.figures.delete(key)
  const known = Promise.all([data.tables, data.points].map(unpacked))
  for (const [key, packed] of Object.entries(data.figures)) {
    const figure = mine.figures.get(key) ?? { key, top: 0 }
    mine.figures.set(key, figure)
    figure.counts = null
    Promise.all([known, unpacked(packed)]).then(([[tables, points], counts]) => {
      Object.assign(mine, { tables, points })
      figure.counts = counts
      paint(mine, figure)
    }, without)
  }
  look(mine)
  wait(mine)
  return mine.stop
}

/** An old browser can't unpack what the server packed; its page works without. */
const without = (fault) => console.warn("live figure:", fault)

/** Watch the page: a slider that moves, and a figure that is drawn anew. */
function begin(parentElement) {
  const mine = { figures: new Map(), values: {} }
  const seen = new MutationObserver((changes) => {
    const changed = (name) => changes.filter((each) => each.attributeName === name)
    const inputs = changed("aria-valuetext").map((each) => each.target)
    if (changes.length > inputs.length) look(mine)
    if (changed("data-picture").length) for (const figure of mine.figures.values()) paint(mine, figure)
    if (inputs.length) moved(mine, inputs)
    wait(mine)
  })
  const attributeFilter = ["aria-valuetext", "data-picture"]
  seen.observe(document.body, { subtree: true, childList: true, attributeFilter })
  mine.stop = () => {
    seen.disconnect()
    mounts.delete(parentElement)
    document.body.removeAttribute("data-waits")
  }
  mounts.set(parentElement, mine)
  return mine
}

/** What stands in the element of a key, whose class has a dash for every other sign. */
function keyed(key, inside) {
  return document.querySelector(`.st-key-${key.trim().replace(/[^a-zA-Z0-9_-]/g, "-")} ${inside}`)
}

/** A slider under a finger or a key tells its number; one that the server moved tells nothing. */
function moved(mine, inputs) {
  for (const [name, places] of Object.entries(mine.sliders)) {
    const input = places.map((place) => keyed(place, "input")).find((each) => inputs.includes(each))
    if (!input) continue
    const said = input.getAttribute("aria-valuetext")
    mine.hand = input
    if (said === mine.values[name]) continue // said again while the page is drawn, focus or not
    delete mine.values[name]
    if (input === document.activeElement) mine.values[name] = said
  }
  for (const figure of mine.figures.values()) paint(mine, figure)
}

/** Figures that Plotly has drawn since: a changed one is drawn in a new place. */
function look(mine) {
  for (const figure of mine.figures.values()) {
    if (figure.graph?.isConnected) continue
    const graph = keyed(figure.key, ":is(.js-plotly-plot, [data-picture])")
    if (!graph?.on && !graph?.dataset.picture) continue
    Object.assign(figure, { graph, isMoved: false })
    if (mine.hand !== document.activeElement) mine.values = {} // all that was asked for is drawn
    graph.on?.("plotly_afterplot", () => paint(mine, figure))
    paint(mine, figure)
  }
  for (const [key, map] of Object.entries(mine.maps)) {
    const graph = keyed(map, ".js-plotly-plot")
    if (!graph?.on || graph === mine.map) continue
    mine.map = graph
    pointAt(mine, key) // one that was drawn anew has no pointer on it yet
    graph.on("plotly_hover", ({ points }) => pointAt(mine, key, points[0].customdata))
    graph.on("plotly_unhover", () => pointAt(mine, key))
  }
}

/** Draw a figure at the point of a map that the pointer is on, b and bq; else as it was. */
function pointAt(mine, key, bases) {
  const figure = mine.figures.get(key)
  if (!figure) return
  const rows = bases?.map((base) => mine.points?.bases.indexOf(base) ?? -1)
  figure.pointed = rows?.every((row) => row >= 0) ? rows : null
  paint(mine, figure)
}

/** What was drawn for other numbers than the sliders stand at is faint meanwhile (page.css). */
function wait({ sliders = {}, drawn, figures }) {
  const stands = Object.entries(sliders).flatMap(([name, places]) =>
    places.map((place) => [name, keyed(place, "input")?.getAttribute("aria-valuetext")]))
  const isOld = (numbers) => stands.some(([name, said]) => said && said !== numbers?.[name])
  document.body.toggleAttribute("data-waits", isOld(drawn))
  for (const { graph } of figures.values()) {
    const isMoved = graph?.dataset.live === "moved"
    graph?.toggleAttribute("data-follows", isMoved || !isOld(drawnFor(graph)?.sliders))
  }
}

/** The numbers that a figure was drawn for, as it says. */
const drawnFor = ({ dataset, layout }) =>
  (dataset.picture ? JSON.parse(dataset.picture) : layout?.meta)?.live

function paint(mine, figure) {
  const { graph, counts } = figure
  const drawn = graph && drawnFor(graph)
  if (!drawn || !counts || !mine.tables) return
  const { values, tables } = mine
  const { pointed } = figure
  const picture = graph.dataset.picture && JSON.parse(graph.dataset.picture)
  const waits = Object.keys(values).some((name) => values[name] !== drawn.sliders[name])
  const isMoved = waits || Boolean(pointed)
  if (!isMoved && !figure.isMoved) return
  try {
    const numbers = numbersOf(drawn, values, tables)
    for (const [i, name] of ["rank", "query"].entries())
      if (pointed) numbers[name] = row(mine.points, name, pointed[i])
    const detail = { key: figure.key, labels: drawn.labels, ...numbers }
    document.dispatchEvent(new CustomEvent("sdcg-numbers", { detail })) // the cards of By hand
    const known = curves(counts, numbers)
    if (picture?.bars) lengthen(graph, known, { ...drawn.sliders, ...values })
    else if (picture) regrow(mine, graph, picture, known)
    else grow(mine, figure, write(graph, known, isMoved))
    figure.isMoved = isMoved
    graph.dataset.live = isMoved ? "moved" : "as drawn"
  } catch (fault) {
    without(fault) // the server draws it once the slider is released
    delete graph.dataset.live
  }
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
    const steps = points[0].trace.line?.shape === "hv"
    let path = ""
    let open = false
    points.forEach((point, i) => {
      const value = values[point.i ?? i]
      point.y = value
      if (!Number.isFinite(value)) return void (open = false)
      if (xaxis.range[0] <= point.x && point.x <= xaxis.range[1]) most = Math.max(most, value)
      const [x, y] = [xaxis.l2p(point.x).toFixed(2), yaxis.l2p(value).toFixed(2)]
      path += open ? (steps ? `H${x}V${y}` : `L${x},${y}`) : `M${x},${y}`
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

/** Draw a small picture anew, and say where its axis ends. */
function regrow(mine, svg, { y }, drawn) {
  const top = topOf(mine, linesOf([svg], drawn), y)
  redraw(linesOf([svg], drawn), y, top)
  svg.closest("figure").querySelector("[data-top]").firstChild.nodeValue = top
}

/** An axis that a line would leave grows to the next round number, and stays there when redrawn. */
function grow(mine, figure, most) {
  const { graph } = figure
  const [low, high] = graph._fullLayout.yaxis.range
  const { pin } = graph.layout.meta
  if (figure.pin !== pin) Object.assign(figure, { pin, top: 0 })
  if (most > high) figure.top = Math.max(figure.top, round(mine, most))
  if (figure.top > high) {
    window.Plotly.relayout(graph, { "yaxis.range": [(low / high) * figure.top, figure.top] })
  }
}
