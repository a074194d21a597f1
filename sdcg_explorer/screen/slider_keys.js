// Arrow keys on a slider of b or bq go from one preferred number to the next, while a drag passes all
// between: Streamlit's sliders know one step for both. Without this a key goes one place.

const BY = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }
const { set: write } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
let wanted = {}

/** Mounted once: of each slider, by its selector, the places of the preferred numbers. */
export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement
  const container = host.closest("[data-testid=stElementContainer]")
  if (container) container.style.display = "none" // an empty element would leave a gap
  wanted = data
  document.addEventListener("keydown", step, true) // the same listener is heard once
}

/** A key on a slider: its thumb goes to the place before the preferred one, and the key from there. */
function step(event) {
  const { key, target: input } = event
  const by = BY[key]
  const isHeld = event.shiftKey || event.ctrlKey || event.altKey || event.metaKey
  const slider = by && event.isTrusted && !isHeld
    && Object.keys(wanted).find((each) => input.matches?.(each))
  if (!slider) return
  const stops = wanted[slider]
  const [at, least, most] = [input.value, input.min, input.max].map(Number)
  const next = by > 0
    ? stops.find((stop) => stop > at) ?? most
    : stops.findLast((stop) => stop < at) ?? least
  if (next === at) return
  event.preventDefault()
  event.stopImmediatePropagation()
  write.call(input, next - by)
  input.dispatchEvent(new Event("input", { bubbles: true })) // drawn at once, and asks for nothing
  input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
}
