"""How much is tried: few examples and definitions on every run, more where time is given."""

import os

THOROUGH = int(os.environ.get("SDCG_THOROUGH", "1"))  # times as many; `make soak` sets it
# of all reasonable definitions, where what is tested is not how many there are
FEWER = {"top": (10,), "discount": ("ecir2008",), "weights": ("paper", "linear")}
