"""What a finger reaches: 44 pixels around the middle of each control belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.server import WIDE, turn_to, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

PHONE: ViewportSize = {"width": 390, "height": 844}
# Of each control in sight: what it is called, where its middle or 21 pixels beside it are not its
# own. Parts of one field count as one.
# Exempt: links within sentences, and small tools of tables and figures, which stand side by side.
MISSED = """() => {
  const WHOLE = ':is(.stSelectbox, .stMultiSelect) [role=group], .stSlider > [role=group], ' +
    '[data-testid=stNumberInputContainer]'
  const ASKED = 'button, a[href], summary, input:not([type=hidden])'
  const SINGLE = 'button, a, summary, label'
  const EXEMPT = '[data-testid=stElementToolbar], .stPlotlyChart, p a, iframe, ' +
    '[data-testid=stHeadingActionElements], [data-testid=stSkipToContent]'
  const fieldOf = (node) => node?.closest(WHOLE) ?? node?.closest(SINGLE)
  const missed = []
  let seen = 0
  for (const each of document.querySelectorAll(ASKED)) {
    const field = fieldOf(each)
    if (each.closest(EXEMPT) || !field || getComputedStyle(field).visibility === 'hidden') continue
    field.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const whole = each.type === 'range' ? each.parentElement.parentElement : field
    const { x, y, width, height } = whole.getBoundingClientRect()
    const [middle, level] = [x + width / 2, y + height / 2]
    if (!width || !field.contains(document.elementFromPoint(middle, level))) continue
    seen += 1
    const near = [[0, 21], [0, -21], [21, 0], [-21, 0]].map(([right, down]) => {
      const at = Math.min(Math.max(middle + right, 0), innerWidth - 1)
      return field.contains(document.elementFromPoint(at, level + down))
    })
    const size = [width, height].map(Math.round)
    const name = each.ariaLabel ?? each.innerText
    if (near.includes(false)) missed.push([name, ...size, ...near].join(' '))
  }
  return [seen, missed]
}"""


def test_a_finger_reaches_every_control(browser: Browser, address: str) -> None:
    with (
        browser.new_context(has_touch=True, is_mobile=True) as phone,
        visiting(phone, f"{address}/query_order", size=PHONE) as page,
    ):
        for title, size in (("Query order", PHONE), ("Individual sessions", WIDE)):
            page.set_viewport_size(size)
            turn_to(page, title)
            seen, missed = page.evaluate(MISSED)
            assert seen > 8
            assert missed == []
