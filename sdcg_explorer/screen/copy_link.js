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
