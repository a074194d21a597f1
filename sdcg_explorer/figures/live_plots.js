// Lines that Plotly has drawn, moved in place as a slider moves, in the app and in the report. What
// they show is computed by live_curves.js, which stands before this.

/** Factors of a base, a row of a table. */
function row(tables, name, at) {
  if (at < 0) throw new RangeError("a base without a row")
  return tables[name].subarray(at * tables.width[name], (at + 1) * tables.width[name])
}

/** What the sliders ask for: the numbers that a figure was drawn for, and others where one moved. */
function numbersOf(drawn, values, tables) {
  const value = (name) => (values[name] === drawn.sliders[name] ? undefined : values[name])
  const factors = (name, base) =>
    base === undefined ? Float64Array.from(drawn[name]) : row(tables, name, tables.bases.indexOf(base))
  return {
    rank: factors("rank", value("b")),
    query: factors("query", value("bq")),
    weights: drawn.weights.map((gain, i) => Number(value(`w${drawn.labels[i]}`) ?? gain)),
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

/** The numbers that a figure was drawn for, as it says. */
const drawnFor = ({ dataset, layout }) => (dataset.bars ? JSON.parse(dataset.bars) : layout?.meta?.live)

/** Where the browser can't unpack what it was sent, or Plotly draws otherwise, all stays as it was. */
const without = (fault) => console.warn("live figure:", fault)

/** Draw a figure for the `values` of sliders that have moved, or at the point of a map. */
function paint(mine, figure) {
  const { graph, counts } = figure
  const drawn = graph && drawnFor(graph)
  if (!drawn || !counts || !mine.tables) return
  const { values, tables } = mine
  const { pointed } = figure
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
    if (graph.dataset.bars) lengthen(graph, known, { ...drawn.sliders, ...values })
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

/** The next round number for an axis that holds a value. */
function round(mine, most) {
  const needed = most * mine.room
  const ten = 10 ** Math.floor(Math.log10(needed))
  return ten * mine.round.find((number) => number * ten >= needed)
}

/** Bars as long as their values, which stand beside them, and the bases that they are drawn for. */
function lengthen(bars, drawn, bases) {
  const most = Math.max(...drawn.flat()) || 1
  for (const bar of bars.querySelectorAll("[data-live]")) {
    const [curve, step] = JSON.parse(bar.dataset.live)
    const value = drawn[curve][step]
    bar.dataset.value = value
    bar.style.width = `${(100 * value) / most}%`
    bar.parentElement.nextSibling.firstChild.nodeValue = Number(value.toPrecision(3))
  }
  for (const said of bars.querySelectorAll("[data-base]")) {
    said.firstChild.nodeValue = bases[said.dataset.base]
  }
}
