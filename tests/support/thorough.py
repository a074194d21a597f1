"""How many examples the laws and the fuzz draw: few on every run, more where time is given."""

from __future__ import annotations

import os

THOROUGH = int(os.environ.get("SDCG_THOROUGH", "1"))  # times as many; `make soak` sets it
