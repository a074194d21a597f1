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

/** Watch the page: a slider that moves, and a figure that is drawn anew. */
function begin(parentElement) {
  const mine = { figures: new Map(), values: {} }
  const seen = new MutationObserver((changes) => {
    const changed = (name) => changes.filter((each) => each.attributeName === name)
    const inputs = changed("aria-valuetext").map((each) => each.target)
    if (changes.length > inputs.length) look(mine)
    if (changed("data-bars").length) for (const figure of mine.figures.values()) paint(mine, figure)
    if (inputs.length) moved(mine, inputs)
    wait(mine)
  })
  const attributeFilter = ["aria-valuetext", "data-bars"]
  seen.observe(document.body, { subtree: true, childList: true, attributeFilter })
  mine.stop = () => {
    if (parentElement.isConnected) return // also called where newer data overtook what was sent
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
    const graph = keyed(figure.key, ":is(.js-plotly-plot, [data-bars])")
    if (!graph?.on && !graph?.dataset.bars) continue
    Object.assign(figure, { graph, isMoved: false })
    if (mine.hand !== document.activeElement) mine.values = {} // all that was asked for is drawn
    graph.on?.("plotly_afterplot", () => paint(mine, figure))
    paint(mine, figure)
  }
  for (const [key, { map, ...at }] of Object.entries(mine.maps)) {
    const graph = keyed(map, ".js-plotly-plot")
    if (!graph?.on) continue
    mark(graph, at)
    if (graph === mine.map) continue
    mine.map = graph
    graph.on("plotly_afterplot", () => mark(graph, mine.maps[key] ?? at))
    pointAt(mine, key) // one that was drawn anew has no pointer on it yet
    graph.on("plotly_hover", ({ points }) => pointAt(mine, key, points[0].customdata))
    graph.on("plotly_unhover", () => pointAt(mine, key))
  }
}

/** Put the sign of the numbers in force on a map, which is not drawn anew where they change. */
function mark(graph, { x, y, said }) {
  for (const node of graph.querySelectorAll(".scatterlayer .trace")) {
    const [point] = node.__data__
    if (!point.trace.meta?.inForce) continue
    Object.assign(point, { x, y })
    point.trace.hovertemplate = said
    const { xaxis, yaxis } = graph._fullLayout
    const sign = node.querySelector("path.point")
    sign.setAttribute("transform", `translate(${xaxis.l2p(x)},${yaxis.l2p(y)})`)
    sign.removeAttribute("display") // Plotly hides what lies outside, where it was drawn
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
