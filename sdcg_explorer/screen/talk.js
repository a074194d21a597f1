// A talk: F has the page's figure fill the screen, keys go from scene to scene, and move b or bq slowly.
// A scene is gone to as by the browser's way back, so that its address says what is in force.

const WRITTEN = "input:not([type=range]), textarea, select, [contenteditable=true]" // letters there
const SHOWS = "[data-testid=stMain] :is([role=figure], .wall)" // what a page fills the screen with
const OVER = "dialog[open]" // what stands over the page has keys of its own
const WHOLE = 30_000 // milliseconds that a base takes through all its range
const STEPS = 12 // where motion is to be little: so many places, and milliseconds at each
const PAUSE = 1_500
const { set: write } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
const hasScheme = window.matchMedia.bind(window)
// what a key does, by its name; letters are in the guide
const DOES = {
  ArrowRight: () => go("on"), PageDown: () => go("on"),
  ArrowLeft: () => go("back"), PageUp: () => go("back"),
  ArrowDown: () => scroll(1), ArrowUp: () => scroll(-1),
  Escape: close, f: leave, d: shade, n: turnNotes, w: openNotes, q: turnCode, " ": () => play(atHand() ?? told.play),
}

let told = {}
let gone // the address that was gone to last
let ask
let stage
let playing
let hasNotes = false
let aside // the window of the notes

/** Mounted once: in a talk, its scene's number, title, notes, ways to others, and words. */
export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.host ?? parentElement
  const container = host.closest("[data-testid=stElementContainer]")
  if (container) container.style.display = "none" // an empty element would leave a gap
  told = data ?? {}
  keepAddress()
  ask = (what) => setTriggerValue("asked", what) // a code of this address, or figures drawn anew
  window.addEventListener("keydown", pressed, true) // before shortcuts of the page; heard once
  window.addEventListener("pointerdown", stop, true)
  draw()
}

const isOn = () => told.number !== undefined

function pressed(event) {
  const { target, key } = event
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest?.(WRITTEN)) return
  const name = key.length === 1 ? key.toLowerCase() : key
  if (!event.isTrusted || document.querySelector(OVER)) return
  if (!isOn() && !(name === "f" && document.querySelector(SHOWS))) return
  const stopped = stop()
  const isOwn = name.startsWith("Arrow") ? !isFree() : name === " " && target.closest?.("button")
  if (!Object.hasOwn(DOES, name) || isOwn) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (!event.repeat && !(stopped && name === " ")) DOES[name]()
}

/** Whether arrow keys are nobody else's: a slider's, a figure's, a card's. */
const isFree = () => !document.activeElement || document.activeElement === document.body
  || Boolean(stage?.contains(document.activeElement))

/** The base whose slider has the keys. */
const atHand = () => Object.keys(told.sliders).find((base) => document.activeElement?.matches(told.sliders[base]))

function go(way) {
  if (told.ways[way]) open(told.ways[way])
}

/** A run that was under way, as after a slider's move, may have told its own address since. */
function keepAddress() {
  const [here, wanted] = [window.location.href, gone].map((each) => each && placeOf(each))
  if (wanted === undefined || wanted !== (isOn() ? String(told.number) : null)) return
  const address = gone
  gone = undefined
  if (here !== wanted) open(address)
}

const placeOf = (address) => new URL(address).searchParams.get("talk")

/** Open an address of the app within this visit. */
function open(address) {
  gone = String(address)
  document.activeElement?.blur()
  history.pushState(null, "", address)
  window.dispatchEvent(new PopStateEvent("popstate"))
}

/** From the page to the talk, or back to the page. */
function leave() {
  const address = new URL(window.location.href)
  if (isOn()) address.searchParams.delete("talk")
  else address.searchParams.set("talk", "0")
  open(address)
}

function close() {
  if (told.code) turnCode()
  else if (hasNotes) turnNotes()
  else leave()
}

/** A figure of many panels, or of long names, may be taller than its room. */
function scroll(by) {
  document.querySelector(SHOWS)?.closest("[class*=_room], .wall")?.scrollBy(0, by * innerHeight / 4)
}

function turnNotes() {
  hasNotes = !hasNotes
  draw()
}

/** The notes in a window of their own, for the speaker's screen; its keys are the talk's. */
function openNotes() {
  aside = window.open("", "talk-notes", "width=720,height=480")
  if (!aside) return void turnNotes() // the browser opens none
  aside.addEventListener("keydown", pressed, true)
  hasNotes = false
  draw()
}

function tellAside() {
  if (!aside || aside.closed) return
  const { document: sheet } = aside
  sheet.title = told.words.notes
  sheet.body.style.font = "24px/1.4 sans-serif"
  sheet.body.replaceChildren(...notes().map((text) => made("p", {}, text)))
}

/** What the speaker reads: the scene, its notes, and what comes next. */
const notes = () => [told.title, told.notes || told.words.without, told.next].filter(Boolean)

/** Ask for the code of the view that is shown now, or put it away. */
function turnCode() {
  if (!told.code) return void ask(window.location.href)
  told = { ...told, code: undefined }
  draw()
}

/** Light to dark, or back: Streamlit asks anew what the system has when a page was printed; of
 * figures it changes the ground alone, so that they are drawn anew. */
function shade() {
  const isDark = getComputedStyle(document.querySelector("[data-testid=stApp]")).colorScheme !== "dark"
  window.matchMedia = (query) => {
    const found = hasScheme(query)
    if (!query.includes("prefers-color-scheme")) return found
    const matches = query.includes("dark") === isDark
    return { ...methods(found), media: query, matches }
  }
  window.dispatchEvent(new Event("afterprint"))
  ask(told.shade)
}

function methods(found) {
  const names = ["addEventListener", "removeEventListener", "addListener", "removeListener"]
  return Object.fromEntries(names.map((name) => [name, found[name]?.bind(found)]))
}

/** Move a base from where it stands to its end, from its start if it is there; any key stops it. */
function play(base) {
  const input = document.querySelector(told.sliders[base])
  if (!input) return
  const [least, most] = [input.min, input.max].map(Number)
  const from = Number(input.value) < most ? Number(input.value) : least
  const isCalm = hasScheme("(prefers-reduced-motion: reduce)").matches
  const step = Math.ceil((most - least) / STEPS)
  const began = performance.now()
  const isAtHand = document.activeElement === input
  input.focus() // as under a hand: what moves it is heard then
  playing = { input, base, isAtHand }
  const next = () => {
    const passed = performance.now() - began
    const at = isCalm ? Number(input.value) + step : from + Math.floor(((most - least) * passed) / WHOLE)
    put(input, Math.min(at, most))
    if (at >= most || !input.isConnected) return void stop()
    playing.timer = isCalm ? setTimeout(next, PAUSE) : requestAnimationFrame(next)
  }
  put(input, from)
  next()
  draw()
}

function put(input, value) {
  if (Number(input.value) === value) return
  write.call(input, value)
  input.dispatchEvent(new Event("input", { bubbles: true })) // drawn at once, and asks for nothing
}

/** Stop what plays, and ask the server for where it stands: by a key from the place beside it. */
function stop() {
  if (!playing) return false
  const { input, isAtHand, timer } = playing
  clearTimeout(timer)
  cancelAnimationFrame(timer)
  playing = undefined
  const [at, least] = [input.value, input.min].map(Number)
  const by = at > least ? 1 : -1
  put(input, at - by)
  const key = by > 0 ? "ArrowRight" : "ArrowLeft"
  input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
  if (!isAtHand) input.blur() // arrow keys are the talk's again
  draw()
  return true
}

function made(kind, look = {}, ...parts) {
  const node = Object.assign(document.createElement(kind), look)
  node.append(...parts)
  return node
}

function button(text, words, onclick, look = {}) {
  return made("button", { type: "button", title: words, ariaLabel: words, onclick, ...look }, text)
}

/** What stands on the screen beside answer, figure and sliders. */
function draw() {
  stage?.remove()
  stage = undefined
  if (!isOn()) return
  const { words } = told
  const place = (told.number ? words.of : words.before).replace("{n}", told.number).replace("{count}", told.count)
  const head = made("header", {},
    button("‹", words.back, () => go("back"), { disabled: !told.ways.back }),
    made("span", {}, place),
    button("›", words.on, () => go("on"), { disabled: !told.ways.on }),
    made("strong", { role: "status" }, told.title),
    button("×", words.leave, leave))
  stage = made("div", { className: "talk" }, head)
  for (const base of Object.keys(told.sliders)) {
    const isPlaying = playing?.base === base
    const act = () => { if (!isPlaying) play(base) } // a press stops it before it is heard here
    stage.append(button(isPlaying ? "❚❚" : "▶", words.play.replace("{}", base), act, { className: `talk-${base}` }))
  }
  if (hasNotes) stage.append(made("aside", { ariaLabel: words.notes }, told.notes || words.without))
  tellAside()
  if (told.code) stage.append(coded(told.code))
  document.querySelector("[data-testid=stApp]").append(stage)
}

/** The code with its link, or why there is none. */
function coded({ picture, link, why }) {
  const parts = why ? [why] : [made("img", { src: picture, alt: told.words.code }), made("p", {}, link)]
  return made("section", { role: "status", ariaLabel: told.words.code }, ...parts)
}
