// "?" opens what can be done by keys, and what the words of the page mean: one key, where a tab stop
// at each word would make dozens. The button in the sidebar does the same.

const WRITTEN = "input:not([type=range]), textarea, select, [contenteditable=true]" // "?" is a letter there
let asked
let sheet

/** Mounted once: `keys` and what each does, and the `terms` with all that they are written as. */
export default function ({ data, parentElement }) {
  asked = data
  parentElement.querySelector("button").onclick = open
  document.addEventListener("keydown", pressed) // the same listener is heard once
}

function pressed(event) {
  const isHeld = event.ctrlKey || event.altKey || event.metaKey
  if (event.key !== "?" || isHeld || event.target.closest?.(WRITTEN)) return
  event.preventDefault()
  if (sheet?.open) sheet.close()
  else open()
}

function open() {
  sheet ??= made("dialog", "", { className: "keys-and-words", ariaLabel: "Keys and words" })
  const close = made("button", "Close", { onclick: () => sheet.close() })
  const keys = asked.keys.flatMap(([key, does]) => [made("dt", key), made("dd", does)])
  const app = document.querySelector("[data-testid=stApp]")
  const text = textOf(app)
  const here = asked.terms.filter(({ names }) => names.some((name) => isIn(text, name)))
  const words = here.flatMap(({ name, meaning }) => [made("dt", name), made("dd", meaning)])
  const lists = [["Keys", keys], ["Words on this page", words]].flatMap(([title, rows]) => {
    const list = made("dl")
    list.append(...rows)
    return [made("h2", title), list]
  })
  sheet.replaceChildren(close, ...lists)
  app.append(sheet) // whose scheme, light or dark, it has
  sheet.showModal()
}

function made(kind, text = "", look = {}) {
  return Object.assign(document.createElement(kind), { textContent: text, ...look })
}

/** What a page says, the words of its figures among it. */
function textOf(page) {
  return [page, ...page.querySelectorAll("svg text")].map((each) => each.innerText ?? each.textContent).join("\n")
}

/** Whether a term stands in a text as a whole word; an X is a number, a letter alone a base's name. */
function isIn(text, name) {
  const written = name.replace(/X/, "(?:X|[\\d,]*\\d)") + (name.length === 1 ? "(?=,| =)" : "")
  return new RegExp(`(?<![\\w-])${written}(?![\\w-])`, "i").test(text)
}
