// The report's figures, drawn by Plotly: the first at once, others as they come near the view, all of
// them to be printed. Those that follow the sliders are moved by the app's own functions, which stand
// before this. A browser that can't unpack them says where the figures are, and has all the rest.

const PAPER = { width: 680, height: 940 } // pixels of A4 between its margins
const CONFIG = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d"] }
const dark = matchMedia("(prefers-color-scheme: dark)")
const undrawn = document.getElementById("undrawn")
const mine = { figures: new Map(), values: {} }
let given // what all figures share
let next // frame in which figures follow a slider
for (const element of document.querySelectorAll("figure[data-figure]")) {
  const key = element.dataset.figure
  const graph = element.querySelector(".plot")
  mine.figures.set(key, { key, element, graph, top: 0, ariaLabel: element.ariaLabel })
}

/** A part of a figure with its arrays, in colours of a light page or a dark one; a name may read like one. */
function whole(part, arrays, inks, key = "") {
  if (Array.isArray(part)) return part.map((each) => whole(each, arrays, inks, key))
  if (Number.isInteger(part?.array)) return arrays[part.array] // an interval's own "array" is a part
  if (part && typeof part === "object")
    return Object.fromEntries(Object.entries(part).map(([name, own]) => [name, whole(own, arrays, inks, name)]))
  if (typeof part !== "string") return part
  if (key === "text") return part.replace(/^(<span style="color:)(#[0-9]{6})/, (_, tag, ink) => tag + inks[ink])
  return /color(scale)?$/.test(key) ? inks[part] ?? part : part
}

/** Draw a figure, at once and whole: what is drawn later is not printed. */
function draw(figure, isPaper = false) {
  const { graph } = figure
  const { inks, ground, ink, faint } = given.looks[dark.matches && !isPaper ? 1 : 0]
  const { arrays, ...spec } = JSON.parse(figure.spec)
  const { data, layout } = whole(spec, arrays, inks)
  const axis = { gridcolor: faint, linecolor: ink, zerolinecolor: faint }
  const hoverlabel = { bgcolor: ground, bordercolor: ink, font: { color: ink } }
  const none = "rgba(0,0,0,0)"
  const clear = { paper_bgcolor: none, plot_bgcolor: none, modebar: { bgcolor: none, color: ink, activecolor: ink } }
  const font = { color: ink, family: getComputedStyle(document.body).fontFamily }
  layout.template = { layout: { ...clear, font, hoverlabel, xaxis: axis, yaxis: axis } }
  if (isPaper) Object.assign(layout, { width: PAPER.width, autosize: false })
  if (matchMedia("(pointer: fine)").matches) {
    layout.dragmode = "zoom" // a finger scrolls the page
    for (const name of Object.keys(layout)) if (/^[xy]axis/.test(name)) layout[name].fixedrange = false
  }
  graph.style.zoom = isPaper ? Math.min(1, PAPER.height / layout.height) : ""
  Object.assign(figure, { isMoved: false, top: 0, range: layout.yaxis.range, labels: layout.annotations })
  Plotly.newPlot(graph, data, layout, CONFIG)
  graph.on("plotly_afterplot", () => paint(mine, figure))
  graph.dataset.drawn = "" // for who waits for it
  paint(mine, figure)
  rename(figure)
}

const near = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue
    near.unobserve(target)
    draw(mine.figures.get(target.closest("figure").dataset.figure))
  }
}, { rootMargin: "600px 0px" })

/** Draw anew, as they come near the view, those figures that were drawn. */
function redraw() {
  for (const { graph } of mine.figures.values()) {
    if ("drawn" in graph.dataset) Plotly.purge(graph)
    delete graph.dataset.drawn
    graph.style.zoom = ""
    near.observe(graph)
  }
}

/** Number at which a slider stands, as it reads. */
const stands = ({ key, scale, at }) => mine.values[key] ?? scale[at]

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
    if (value === of.scale[of.at]) delete mine.values[of.key]
    else mine.values[of.key] = value
    cancelAnimationFrame(next)
    next = requestAnimationFrame(() => show(false)) // a finger moves faster than large figures
  })
  input.addEventListener("change", () => {
    cancelAnimationFrame(next)
    show(true)
  })
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
  for (const key of Object.keys(mine.values)) delete mine.values[key]
  show(true)
}

/** Draw what follows the sliders, and say for what; `isReleased`: axes end where these lines do. */
function show(isReleased) {
  const isMoved = Object.keys(mine.values).length > 0
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
  for (const figure of mine.figures.values()) {
    const { element, graph, counts } = figure
    if (!counts) continue
    element.ariaLabel = isMoved ? element.querySelector("figcaption").textContent : figure.ariaLabel
    if (!("drawn" in graph.dataset)) continue
    if (isReleased && figure.top) {
      figure.top = 0
      Plotly.relayout(graph, { "yaxis.range": figure.range })
    }
    paint(mine, figure)
    if (isReleased) rename(figure)
  }
}

/** Put names where their curves end now; where two would lie on each other, the legend has them. */
function rename({ graph, labels, isMoved }) {
  if (isMoved === undefined || !labels?.some(({ name }) => name)) return
  const { yaxis } = graph._fullLayout
  const curves = [...graph.querySelectorAll(".scatterlayer .trace")].map((node) => node.__data__)
  const annotations = labels.map((label) => {
    const own = curves.find(([{ trace }]) => trace.meta?.live && trace.name === label.name)
    return { ...label, y: own?.findLast(({ y }) => Number.isFinite(y)).y ?? label.y }
  })
  const places = annotations.map(({ y }) => yaxis.l2p(y)).sort((one, other) => one - other)
  const showlegend = places.some((place, i) => place - places[i - 1] < 1.3 * labels[0].font.size)
  Plotly.relayout(graph, { annotations: showlegend ? [] : annotations, showlegend })
}

let folded // sections that were opened to be printed, until they are folded again
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll(".section:not([open])")]
  for (const fold of folded) fold.open = true
  for (const figure of mine.figures.values()) draw(figure, true)
})
addEventListener("afterprint", () => {
  for (const fold of folded) fold.open = false
  folded = undefined
  redraw()
})
// paper is light: a dark screen turns light as it is printed, when all figures must stay
dark.addEventListener("change", () => folded ?? redraw())

/** Unpack what the figures are drawn with, and draw the first before the others are looked at. */
async function begin() {
  const text = (id) => document.getElementById(id).textContent
  const [lines, plotly] = await Promise.all([
    inflated(text("figures")).text(),
    inflated(text("plotly"), "gzip").text(),
  ])
  const [shared, ...specs] = lines.split("\n")
  given = JSON.parse(shared)
  Object.assign(mine, { round: given.round, room: given.room })
  const figures = [...mine.figures.values()]
  for (const [i, figure] of figures.entries()) figure.spec = specs[i]
  const script = document.createElement("script")
  script.textContent = plotly
  document.head.append(script) // the content policy knows its sum
  draw(figures[0])
  for (const { graph } of figures.slice(1)) near.observe(graph)
  const followed = figures.filter(({ key }) => key in given.counts)
  const packed = [given.tables, ...followed.map(({ key }) => given.counts[key])]
  const [tables, ...counts] = await Promise.all(packed.map(unpacked))
  mine.tables = tables
  for (const [i, figure] of followed.entries()) {
    figure.counts = counts[i]
    figure.element.append(controls())
  }
  for (const button of document.querySelectorAll("#moved button")) button.addEventListener("click", reset)
  show(true)
  document.body.dataset.live = "ready"
}

undrawn.hidden = "DecompressionStream" in window
begin().catch((fault) => {
  undrawn.hidden = false
  without(fault)
})
