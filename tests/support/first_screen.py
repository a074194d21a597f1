"""The first screen of a page, measured: what stands on it whole, and what is wrong with its texts.

tests/browser/test_pages.py measures each page on its walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.accessibility import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

LAPTOP: ViewportSize = {"width": 1280, "height": 650}
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
BASES = ("Patience with the result list (b)", "Patience with asking again (bq)")
# figures of a page that are one picture
TOGETHER = {"by_hand": 2, "side_by_side": 4, "robustness": 2, "individual_sessions": 2}
LINES = {PHONE["width"]: 4}  # of the answer, at most; else two
SMALLEST = 12  # pixels of a text
MEASURED = """([bases, smallest]) => {
    const boxOf = each => { const {left, top, right, bottom} = each.getBoundingClientRect()
        return [left, top, right, bottom].map(Math.round) }
    const inSight = each => { const [l, t, r, b] = boxOf(each)
        return each.checkVisibility({visibilityProperty: true}) && r > 0 && l < innerWidth && b > 0
            && t < innerHeight && r > l }
    const main = document.querySelector('[data-testid=stMain]')
    const answer = main.querySelector('h2')
    const lines = new Set()
    const texts = []
    for (const root of [main, document.querySelector('[data-testid=stSidebar]')]) {
        if (!root) continue
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        const range = document.createRange()
        while (walker.nextNode()) {
            const node = walker.currentNode, own = node.parentElement
            if (!node.data.trim() || own.closest('style, script, template, option')) continue
            if (!inSight(own)) continue
            range.selectNodeContents(node)
            for (const box of range.getClientRects())
                if (own.closest('h2') === answer) lines.add(Math.round(box.bottom))
            const size = parseFloat(getComputedStyle(own).fontSize)
            if (!own.closest('[data-testid=stIconMaterial]')) texts.push([node.data.trim(), size])
        }
    }
    const tangled = [...document.querySelectorAll('.js-plotly-plot')].filter(inSight)
        .flatMap(plot => {
            const frame = plot.getBoundingClientRect()
            const words = [...plot.querySelectorAll('.main-svg text')]
                .filter(text => text.textContent.trim() && text.checkVisibility())
                .map(text => [text.textContent, text.getBoundingClientRect()])
            const cut = words.filter(([, box]) => box.left < frame.left - 1
                || box.right > frame.right + 1 || box.top < frame.top - 1
                || box.bottom > frame.bottom + 1)
            const over = words.flatMap(([one, a], i) => words.slice(i + 1)
                .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
                    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5)
                .map(([two]) => `${one} over ${two}`))
            return [...cut.map(([text]) => `cut: ${text}`), ...over]
        })
    const controls = [...main.querySelectorAll('.st-key-toolbar > *')].filter(inSight).map(boxOf)
    const over = controls.flatMap((a, i) => controls.slice(i + 1)
        .filter(b => Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 1
            && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 1).map(() => 'controls over another'))
    const pictures = ['[role=figure]', '.st-key-wall_room', '.st-key-cards',
        '.st-key-printed-results'].join(', ')
    const stands = [...main.querySelectorAll(pictures)]
        .filter(each => !each.closest('a'))
    return {
        figures: stands.slice(0, 4).map(boxOf), lines: lines.size,
        sliders: bases.flatMap(base => [...document.querySelectorAll('[data-testid=stSlider]')]
            .filter(each => each.innerText.startsWith(base) && inSight(each)).slice(0, 1)
            .map(boxOf)),
        small: [...new Set(texts.filter(([, size]) => size < smallest).map(([text]) => text))],
        tangled: [...tangled, ...over],
        wide: document.documentElement.scrollWidth > innerWidth,
    }
}"""


def faults(page: Page, name: str, size: ViewportSize) -> list[str]:
    """What is wrong with the first screen of an opened page, by its name, in a window."""
    seen: dict[str, Any] = page.evaluate(MEASURED, [BASES, SMALLEST])
    figures = seen["figures"][: 1 if size == PHONE else TOGETHER.get(name, 1)]
    top, bottom = min(box[1] for box in figures), max(box[3] for box in figures)
    ends = [box[3] for box in seen["sliders"]]
    lines, high = seen["lines"], size["height"]
    parts = {
        f"the answer has {lines} lines": lines > LINES.get(size["width"], 2),
        f"the figure ends at {bottom}": ((top + bottom) / 2 if size == PHONE else bottom) > high,
        "a slider of b or bq is out of sight": len(ends) < len(BASES) or max(ends) > high,
        "scrolls sideways": seen["wide"],
    }
    small = [f"under {SMALLEST} px: {text}" for text in seen["small"]]
    return [*(words for words, is_so in parts.items() if is_so), *seen["tangled"], *small]
