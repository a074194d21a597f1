// The link is read where it stands: a fragment writes to the address without this being drawn anew.
// Browsers give the clipboard to pages of https and of this machine only; others have the older command.

export default function ({ parentElement }) {
    const said = parentElement.querySelector("span");
    const copied = async (link) => {
        if (navigator.clipboard) {
            await navigator.clipboard.writeText(link);
            return true;
        }
        const text = document.createElement("textarea");
        text.value = link;
        document.body.append(text);
        text.select();
        const done = document.execCommand("copy");
        text.remove();
        return done;
    };
    parentElement.querySelector("button").onclick = async () => {
        const done = await copied(window.location.href).catch(() => false);
        said.textContent = done ? "Copied" : "Copy it from the address bar";
        setTimeout(() => { said.textContent = ""; }, 4000);
    };
}

// Back goes back one view: what the server adds to the address of a page that is just arrived at
// (its study, what was chosen elsewhere) makes no entry of its own in the history, whatever runs it
// takes, until one does something there. The first page's own address, without a study, had its
// entry before this was there: Back passes over it.
const { pushState, replaceState } = history
let isArriving = false

history.pushState = (state, title, address) => {
  const isHere = new URL(address, location.href).pathname === location.pathname
  isArriving ||= !isHere
  ;(isHere && isArriving ? replaceState : pushState).call(history, state, title, once(address))
}
window.addEventListener("popstate", () => {
  if (!hasStudy()) history.back()
  isArriving = true
})
for (const deed of ["pointerdown", "keydown", "click"]) {
  window.addEventListener(deed, () => { isArriving &&= !hasStudy() }, true)
}

/** Whether the server has written into the address of the page. */
const hasStudy = () => new URLSearchParams(location.search).has("study")

/** An address in which a key has the values that stand together first: those of boxes on the page,
 * which Streamlit puts before what a link says.
 */
function once(address) {
  const [path, search] = String(address).split("?")
  if (!search) return address
  const pairs = search.split("&")
  const keys = pairs.map((pair) => pair.split("=")[0])
  const isFirst = (key, place) => keys.slice(keys.indexOf(key), place).every((other) => other === key)
  return `${path}?${pairs.filter((_, place) => isFirst(keys[place], place)).join("&")}`
}
