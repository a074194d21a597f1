// Lines, marks and bars that SVG has: moved in place, in Overview's small pictures and in the report.
// What is drawn is computed by live_curves.js, which stands before this.

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

/** Lines and marks that follow the sliders, each with the values that it is to show. */
function linesOf(pictures, drawn) {
  return pictures.flatMap((svg) => {
    const { x } = JSON.parse(svg.dataset.picture)
    return [...svg.querySelectorAll("[data-live]")].map((line) => {
      const live = JSON.parse(line.dataset.live)
      const places = live.x ?? live.runs.flatMap(([, from, points]) =>
        Array.from({ length: points + live.gap }, (_, i) => from + i + 1))
      return { line, live, values: valuesOf(live, drawn), right: (i) => (places[i] - x[0]) / (x[1] - x[0]) }
    })
  })
}

/** Where an axis ends: where it did, or at the next round number where a line would leave it. */
function topOf(mine, lines, y) {
  let most = 0
  for (const { values } of lines) for (const value of values) if (value > most) most = value
  return most > y[1] ? round(mine, most) : y[1]
}

/** Draw lines and marks anew between the ends of an axis whose upper one may be another. */
function redraw(lines, y, top) {
  const low = (y[0] / y[1]) * top
  for (const { line, live, values, right } of lines) {
    const down = (value) => (top - value) / (top - low)
    line.values = values // for who asks for the numbers that are drawn
    if (live.at) place(line, live.at, values, down)
    else line.setAttribute("d", pathOf(values, right, down, live.dots))
  }
}

/** A path in thousandths of both axes; the pen is lifted where a point has no value, and for dots. */
function pathOf(values, right, down, dots) {
  let open = false
  return values.map((value, i) => {
    const pen = open && !dots ? "L" : "M"
    open = Number.isFinite(value)
    const point = `${(1000 * right(i)).toFixed(2)},${(1000 * down(value)).toFixed(4)}`
    return open ? `${pen}${point}${dots ? "h0" : ""}` : ""
  }).join("")
}

/** Put marks where the values of their points are. */
function place(marks, at, values, down) {
  for (const [i, mark] of marks.querySelectorAll("use").entries()) {
    const value = values[at[i]]
    mark.removeAttribute("display")
    if (Number.isFinite(value)) mark.setAttribute("y", `${(100 * down(value)).toFixed(4)}%`)
    else mark.setAttribute("display", "none")
  }
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

/** The next round number for an axis that holds a value. */
function round(mine, most) {
  const needed = most * mine.room
  const ten = 10 ** Math.floor(Math.log10(needed))
  return ten * mine.round.find((number) => number * ten >= needed)
}
