// Present: F has a page's headline and figure fill the screen, arrow keys turn the pages of the study,
// and Esc leads back to where one was. It is a style on what is there (page.css): the figure is laid out
// for a smaller screen and enlarged with all that it says, and nothing is drawn anew by the server.

const WRITTEN = "input:not([type=range]), textarea, select, [contenteditable=true]" // letters there
const FIGURE = "[data-testid=stMain] [role=figure]"
const SEVERAL = ".st-key-each_figure" // figures that are read beside each other
const [LAID_OUT, BESIDE] = [1100, 1300] // pixels: width of one figure, or several, before they are enlarged
const STATE = "data-test-script-state"
const DOES = {
  ArrowRight: () => turn(1), PageDown: () => turn(1), ArrowLeft: () => turn(-1), PageUp: () => turn(-1),
  ArrowDown: () => scroll(1), ArrowUp: () => scroll(-1), Escape: leave, f: leave,
}
const BUTTONS = [
  ["‹", "Previous page (←)", () => turn(-1)], ["›", "Next page (→)", () => turn(1)], ["×", "Leave (Esc)", leave],
]

let told
let ask
let began // where one was: the page, how far it was scrolled, and what had the keys
let isBack = true
let bar
let hears = false

/** Mounted once: the `page` that is shown, and all `pages` that can be presented. */
export default function ({ data, parentElement, setTriggerValue }) {
  told = data
  ask = (page) => setTriggerValue("page", page)
  const button = parentElement.querySelector("button")
  button.onclick = present
  button.hidden = !told.pages.includes(told.page)
  if (!hears) hear()
  place()
}

function hear() {
  hears = true
  window.addEventListener("keydown", pressed, true) // before what the page itself does by keys
  window.addEventListener("resize", place)
  let asked = false
  const soon = () => {
    if (!asked) requestAnimationFrame(() => { asked = false; place() })
    asked = true
  }
  new MutationObserver(soon).observe(document.body, { subtree: true, childList: true, attributeFilter: [STATE] })
}

const root = document.documentElement
const isOn = () => "presents" in root.dataset
const main = () => document.querySelector("[data-testid=stMain]")

function pressed(event) {
  const { target, key } = event
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest?.(WRITTEN)) return
  if (document.querySelector("dialog[open]")) return // it has keys of its own
  const name = key.length === 1 ? key.toLowerCase() : key
  const isOwn = name.startsWith("Arrow") && target !== document.body && !bar?.contains(target) // a slider's
  if (isOn() ? !Object.hasOwn(DOES, name) || isOwn : name !== "f" || !told.pages.includes(told.page)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.repeat) return
  if (isOn()) DOES[name]()
  else present()
}

function present() {
  const { activeElement } = document
  began = { page: told.page, from: main().scrollTop, keys: activeElement }
  activeElement?.blur()
  root.dataset.presents = ""
  bar = Object.assign(document.createElement("nav"), { className: "present", ariaLabel: "Present" })
  for (const [textContent, title, onclick] of BUTTONS)
    bar.append(Object.assign(document.createElement("button"), { textContent, title, ariaLabel: title, onclick }))
  document.querySelector("[data-testid=stApp]").append(bar)
  place()
}

function turn(by) {
  const next = told.pages[told.pages.indexOf(told.page) + by]
  if (next) ask(next)
}

function scroll(by) {
  document.querySelector("[data-presented]")?.scrollBy(0, (by * innerHeight) / 4)
}

function leave() {
  delete root.dataset.presents
  bar.remove()
  isBack = false
  if (told.page !== began.page) ask(began.page)
  place()
}

/** Have the page's first figure fill what headline and sliders leave; or go back to where one was. */
function place() {
  const figure = isOn() ? document.querySelector(FIGURE) : null
  const shown = figure?.closest(SEVERAL) ?? figure?.closest("[class*=_room]") ?? figure
  for (const each of document.querySelectorAll("[data-presented]")) if (each !== shown) delete each.dataset.presented
  if (!isOn()) return comeBack()
  if (!shown) return undefined
  shown.dataset.presented = ""
  const end = (what, side, otherwise) => document.querySelector(what)?.getBoundingClientRect()[side] || otherwise
  const top = Math.ceil(end("[data-testid=stMain] h2", "bottom", 0)) + 16
  const bottom = Math.floor(end(".st-key-b_slider_stand", "top", innerHeight)) - 8
  const [wide, high] = [innerWidth - 32, bottom - top]
  const put = (name, value) => root.style.setProperty(`--present-${name}`, value)
  for (const [name, length] of Object.entries({ top, width: wide, height: high })) put(name, `${length}px`)
  const largest = Math.max(1, wide / (shown.matches(SEVERAL) ? BESIDE : LAID_OUT))
  put("scale", largest)
  const least = parseFloat(getComputedStyle(shown).getPropertyValue("--least")) || shown.scrollHeight / largest
  put("scale", Math.max(1, Math.min(largest, high / least)))
  return undefined
}

/** Once its page is drawn again: to where it was scrolled, and the keys to what had them. */
function comeBack() {
  const isDrawn = document.querySelector("[data-testid=stApp]")?.getAttribute(STATE) === "notRunning"
  if (isBack || told.page !== began.page || !isDrawn) return
  isBack = true
  main().scrollTop = began.from
  if (began.keys?.isConnected) began.keys.focus({ preventScroll: true })
}
