// Arrow keys on a figure read its points out, one by one: a figure is one stop of the tab key, and what
// the pointer would show stands over the point and is said.

const FIGURE = ".js-plotly-plot"
const READ = ["scatter", "bar", "heatmap"] // kinds of traces whose points are read
const at = new WeakMap() // of a figure: its curve, and the point of it
let said

/** Mounted once: every figure that is drawn from now on is a stop of the tab key. */
export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement
  const container = host.closest("[data-testid=stElementContainer]")
  if (container) container.style.display = "none" // an empty element would leave a gap
  if (said) return
  said = Object.assign(document.createElement("div"), { className: "point-said", ariaLive: "polite" })
  document.body.append(said)
  let asked = false
  const offer = () => {
    asked = false
    for (const graph of document.querySelectorAll(`${FIGURE}:not([tabindex])`)) {
      const name = graph.closest("[aria-label]")?.ariaLabel ?? data.name
      const look = { role: "application", ariaRoleDescription: data.words, ariaLabel: name }
      Object.assign(graph, { tabIndex: 0, ...look })
    }
  }
  const ask = () => {
    if (!asked) requestAnimationFrame(offer) // once a frame, however much of the page is drawn anew
    asked = true
  }
  new MutationObserver(ask).observe(document.body, { subtree: true, childList: true })
  offer()
  document.addEventListener("keydown", pressed, true)
  document.addEventListener("focusout", ({ target }) => at.has(target) && window.Plotly.Fx.unhover(target))
}

function pressed(event) {
  const { target: graph, key } = event
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  if (!graph.matches?.(FIGURE) || !graph.calcdata) return
  const curves = graph.calcdata.map(([{ trace }]) => trace).filter(hasValues)
  const next = curves.length && after(curves, at.get(graph), key)
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  at.set(graph, next)
  show(graph, next)
}

const hasValues = ({ visible, hoverinfo, type }) =>
  visible === true && hoverinfo !== "skip" && READ.includes(type)

/** Where a key goes: left and right along a curve; up and down to another, on a map to another row. */
function after(curves, now, key) {
  const along = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[key]
  const across = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (along === undefined && across === undefined) return undefined
  const held = curves.find((each) => each.index === now?.trace.index)
  if (!held) return beside(curves[0])
  if (held.type === "heatmap") {
    const [row, column] = now.point
    const goes = [row - (across ?? 0), column + (along ?? 0)]
    return { trace: held, point: goes.map((to, i) => within(to, i ? held.z[0] : held.z)) }
  }
  const onGrid = ofGrid(held, now.point, across ? "y" : "x", across ? -across : along)
  if (onGrid !== undefined) return { trace: held, point: onGrid }
  if (across) return beside(curves.at((curves.indexOf(held) + across) % curves.length), held.x[now.point])
  const places = placesOf(held)
  return { trace: held, point: places[within(places.indexOf(now.point) + along, places)] }
}

const within = (place, all) => Math.min(Math.max(place, 0), all.length - 1)

/** Points of a curve that have a value. */
const placesOf = ({ x, y }) => [...y.keys()].filter((i) => [x[i], y[i]].every((each) => each || each === 0))

/** The next point in a row or a column of points that stand in a grid; none where they don't. */
function ofGrid(trace, point, axis, by) {
  const other = axis === "x" ? "y" : "x"
  const inLine = (way, fixed) => placesOf(trace).filter((i) => trace[fixed][i] === trace[fixed][point])
    .sort((i, k) => trace[way][i] - trace[way][k])
  if ([inLine("x", "y"), inLine("y", "x")].some((line) => line.length < 3)) return undefined
  const line = inLine(axis, other)
  const to = line.indexOf(point) + by
  return Number.isFinite(by) ? line[to] : line[within(to, line)]
}

/** The point of a curve at a place of another, or the one that is nearest to it. */
function beside(trace, x) {
  if (trace.type === "heatmap") return { trace, point: [0, 0] }
  const places = placesOf(trace)
  const far = (i) => (trace.x[i] === x ? 0 : Math.abs(trace.x[i] - x) || Infinity)
  return { trace, point: places.reduce((best, i) => (far(i) < far(best) ? i : best), places[0]) }
}

/** Show a point as the pointer would, and say it. */
function show(graph, { trace, point }) {
  const { Fx } = window.Plotly
  Fx.unhover(graph) // or what comes within 50 ms would wait
  Fx.hover(graph, [{ curveNumber: trace.index, pointNumber: point }], `${trace.xaxis}${trace.yaxis}`)
  const labels = [...graph.querySelectorAll(".hoverlayer :is(.axistext, .hovertext)")]
  said.textContent = labels.map((each) => [...each.querySelectorAll("text")].map(linesOf).join(" ")).join(": ")
}

/** The lines of a label, which have nothing between them. */
function linesOf(text) {
  const own = [...text.querySelectorAll("tspan.line")]
  return (own.length ? own : [text]).map((each) => each.textContent).filter(Boolean).join(", ")
}
