"""A visitor without a browser: moves sliders, turns pages, reloads, and notes what goes wrong."""

from collections.abc import Callable
from random import Random
from types import MappingProxyType
from urllib.parse import parse_qs

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from sdcg_explorer.scoring.definition import DEFAULT, SCALE, slider_text
from tests.support import server, visit

SOON = 5.0  # seconds
SLIDERS = frozenset({"b_slider", "bq_slider", "b_at_hand", "bq_at_hand"})


class Visitor(visit.Session):
    """A session of some pages, as a browser would have it but for the widgets left alone."""

    longest = 60.0

    def __init__(self, address: str, page: str, query: str = "") -> None:
        super().__init__(address, page, query)
        self.faults = list[str]()
        self.pages = dict[str, str]()  # the hash of each, by its address
        self.sliders = dict[str, tuple[str, str]]()  # id and fragment ("" for none) of each
        self.moved = dict[str, float]()  # where each base was moved to last
        self.hash = self.fragment = ""

    def asked(self) -> BackMsg:
        """A fragment alone where its widget moved; a page that was turned by its hash."""
        asked = super().asked()
        asked.rerun_script.fragment_id = self.fragment
        asked.rerun_script.page_script_hash = self.hash
        asked.rerun_script.page_name = "" if self.hash else server.PAGES[self.page]
        return asked

    def hear(self, kind: str, message: ForwardMsg) -> None:
        """Keep what a browser keeps, and whatever a reader would call an error."""
        super().hear(kind, message)
        if kind == "navigation":
            self.pages = {p.url_pathname: p.page_script_hash for p in message.navigation.app_pages}
            self.hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind in _WRONG:
            self.faults += [f"{self.page}: {kind}"]
        elif kind == "delta":
            self._look_at(message)

    def _look_at(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.faults += [f"{self.page}: {element.exception.type} {element.exception.message}"]
        elif kind == "alert" and element.alert.format == Alert.ERROR:
            self.faults += [f"{self.page}: {element.alert.body}"]
        elif kind == "slider":
            # numbered as often as it was set
            key = element.slider.id.rpartition("-")[2].rstrip("_0123456789")
            if key in SLIDERS:
                self.sliders[key] = element.slider.id, message.delta.fragment_id

    def drain(self) -> None:
        """Hear what came while the visitor looked at the page."""
        while True:
            try:
                message = self.next(0)
            except TimeoutError:
                return
            self.hear(message.WhichOneof("type") or "", message)

    def move(self, chance: Random) -> float:
        """Move a slider of either base, in the panel or beneath the figure; seconds it took."""
        self.drain()
        key = chance.choice(sorted(self.sliders))
        slider, self.fragment = self.sliders[key]
        base = key.partition("_")[0]
        value = chance.choice([each for each in SCALE[:-1] if each != self.moved.get(base)])
        self.moved[base] = value
        self.values = {slider: slider_text(value)}
        took = self.run()
        self.values, self.fragment = {}, ""
        if not self.linked(base, value):
            self.faults += [f"{self.page}: {key} was moved to {value:g}, the link says otherwise"]
        return took

    def linked(self, base: str, value: float) -> bool:
        """Whether the link has a number, now or after what the server is about to say."""
        while float(parse_qs(self.query).get(base, [getattr(DEFAULT, base)])[0]) != value:
            try:
                message = self.next(SOON)
            except TimeoutError:
                return False
            self.hear(message.WhichOneof("type") or "", message)
        return True

    def turn(self, chance: Random) -> float:
        """Follow the link to another page; seconds it took."""
        return self.turn_to(chance.choice([page for page in server.PAGES if page != self.page]))

    def turn_to(self, page: str) -> float:
        """Follow the link to this page; seconds it took."""
        self.drain()
        self.page = page
        self.hash = self.pages[server.PAGES[self.page]]
        self.sliders = {}
        return self.run()


ACTS: MappingProxyType[str, Callable[[Visitor, Random], float]] = MappingProxyType(
    {"slider moved": Visitor.move, "page turned": Visitor.turn}
)
_WRONG = frozenset({"page_not_found", "auth_redirect"})
