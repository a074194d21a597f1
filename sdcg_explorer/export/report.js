// The report's sliders: figures that follow them are drawn anew by the app's own functions, which
// stand before this. Everything else stays as the report was made, and says so. Where a browser can't
// run it, or unpack the counts, the report has no sliders and is whole without.

const PRINTED = 0.8 // of its height on a screen, a plot has on paper (report.css)
const given = JSON.parse(document.getElementById("given").textContent)
const values = {} // of sliders that stand elsewhere than where the report was made
const figures = Object.keys(given.figures).map((name) => {
  const element = document.querySelector(`figure[data-figure="${name}"]`)
  const pictures = [...element.querySelectorAll("svg[data-picture]")]
    .filter((svg) => svg.querySelector("[data-live]"))
  const { y } = JSON.parse(pictures[0].dataset.picture)
  const { ariaLabel } = element
  return { name, element, ariaLabel, pictures, y, top: y[1], drawn: given.figures[name].drawn }
})

/** Number at which a slider stands, as it reads. */
const stands = ({ key, scale, at }) => values[key] ?? scale[at]

/** The definition's numbers that are drawn, in a line. */
const said = () => given.sliders.map((each) => `${each.name} = ${stands(each)}`).join(", ")

/** A slider of a figure, which moves those of its name beneath all figures. */
function slider(of) {
  const label = document.createElement("label")
  const [words, input, output] = ["span", "input", "output"].map((name) => document.createElement(name))
  words.textContent = of.words
  Object.assign(input, { type: "range", min: 0, max: of.scale.length - 1, step: 1, value: of.at })
  input.dataset.key = of.key
  input.addEventListener("input", () => {
    const value = of.scale[input.value]
    if (value === of.scale[of.at]) delete values[of.key]
    else values[of.key] = value
    show(false)
  })
  input.addEventListener("change", () => show(true))
  label.append(words, input, output)
  return label
}

/** Sliders beneath a figure, and a button that takes them back. */
function controls() {
  const box = document.getElementById("controls").content.cloneNode(true)
  box.querySelector("div").append(...given.sliders.map(slider))
  box.querySelector("button").addEventListener("click", reset)
  return box
}

function reset() {
  for (const key of Object.keys(values)) delete values[key]
  show(true)
}

/** Draw what follows the sliders, and say for what; `isReleased`: axes end where these lines do. */
function show(isReleased) {
  const isMoved = Object.keys(values).length > 0
  document.body.toggleAttribute("data-moved", isMoved)
  for (const of of given.sliders) {
    for (const input of document.querySelectorAll(`input[data-key="${of.key}"]`)) {
      const value = stands(of)
      input.value = of.scale.indexOf(value)
      input.setAttribute("aria-valuetext", value)
      input.nextElementSibling.textContent = value
    }
  }
  for (const text of document.querySelectorAll("[data-said]")) text.textContent = isMoved ? said() : ""
  for (const figure of figures) draw(figure, isMoved, isReleased)
}

/** A figure's lines, marks, ticks and names, under the numbers in force. */
function draw(figure, isMoved, isReleased) {
  const { element, pictures, y, drawn } = figure
  element.ariaLabel = isMoved ? element.querySelector("figcaption").textContent : figure.ariaLabel
  const lines = linesOf(pictures, curves(figure.counts, numbersOf(drawn, values, given.tables)))
  if (!isMoved) figure.top = y[1]
  else figure.top = topOf(given, lines, [y[0], isReleased ? 0 : figure.top]) || figure.top
  redraw(lines, y, figure.top)
  const by = figure.top / y[1]
  const ends = y.map((end) => end * by)
  for (const svg of pictures) {
    scale(svg, ends, by === 1)
    for (const line of svg.querySelectorAll(":scope > [data-up]")) {
      for (const end of ["y1", "y2"]) line.setAttribute(end, percent(line.dataset.up, ends))
    }
    name(svg, ends)
  }
}

/** Where a value stands on an upward axis. */
const percent = (value, [low, high]) => `${(100 * (high - value)) / (high - low)}%`

/** Values at ticks from 0 to the round number at which an axis ends. */
function ticks(high) {
  const first = high / 10 ** Math.floor(Math.log10(high) + 1e-9)
  const parts = given.parts[given.round.findIndex((number) => Math.abs(number - first) < 1e-6)]
  return Array.from({ length: parts + 1 }, (_, i) => (high * i) / parts)
}

/** Ticks and lines of an axis that ends elsewhere; as they were where it is as it was. */
function scale(svg, ends, isMade) {
  const plot = svg.parentElement
  const now = plot.querySelectorAll(":scope > [data-tick], :scope > svg > [data-grid]")
  plot.made ??= [...now]
  for (const old of now) old.remove()
  const [line, text] = ["grid", "tick"].map((of) => plot.made.find((one) => of in one.dataset))
  const own = isMade ? plot.made : ticks(ends[1]).flatMap((value) => {
    const [up, said] = [line, text].map((one) => one?.cloneNode())
    for (const end of ["y1", "y2"]) up?.setAttribute(end, percent(value, ends))
    if (said) said.style.top = percent(value, ends)
    if (said) said.textContent = value.toLocaleString("en", { maximumSignificantDigits: 4 })
    return [up, said].filter(Boolean)
  })
  svg.prepend(...own.filter((one) => "grid" in one.dataset))
  plot.append(...own.filter((one) => "tick" in one.dataset))
}

/** Put names where their curves end, none over another, and lines to them; not while folded away. */
function name(svg, [low, high]) {
  const plot = svg.parentElement
  const tall = svg.getBoundingClientRect().height
  if (!tall) return
  const groups = svg.querySelectorAll(":scope > g[data-name]")
  const { x } = JSON.parse(svg.dataset.picture)
  const ends = [...plot.querySelectorAll(":scope > .end")].map((label, i) => {
    const leader = svg.querySelectorAll(".leader")[i]
    const values = groups[label.dataset.of]?.querySelector("path[data-live]")?.values ?? []
    const value = values.findLast(Number.isFinite)
    const down = value === undefined ? NaN : (tall * (high - value)) / (high - low)
    return { label, leader, down, at: down, half: label.offsetHeight / 2 / PRINTED }
  }).filter(({ down }) => Number.isFinite(down)).sort((one, other) => one.down - other.down)
  let free = 0
  for (const end of ends) {
    end.at = Math.max(end.down, free + end.half)
    free = end.at + end.half
  }
  free = tall
  for (const end of ends.toReversed()) {
    end.at = Math.min(end.at, Math.max(free, 0) - end.half)
    free = end.at - end.half
  }
  for (const { label, leader, down, at } of ends) {
    label.style.top = `${(100 * at) / tall}%`
    const [start, , right] = leader.getAttribute("d").slice(1).split(/[L,]/)
    leader.setAttribute("d", `M${start},${(1000 * down) / tall}L${right},${(1000 * at) / tall}`)
  }
}

Promise.all([unpacked(given.tables), ...figures.map(({ name }) => unpacked(given.figures[name].counts))])
  .then(([tables, ...counts]) => {
    given.tables = tables
    for (const [i, figure] of figures.entries()) {
      figure.counts = counts[i]
      figure.element.append(controls())
    }
    for (const fold of document.querySelectorAll(".section")) fold.addEventListener("toggle", () => show(true))
    for (const button of document.querySelectorAll("#moved button")) button.addEventListener("click", reset)
    show(true)
    document.body.dataset.live = "ready"
  }, (fault) => console.warn("sliders:", fault))
