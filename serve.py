"""What `sdcg app` starts: the app, behind the checks of each request."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.middleware import Middleware
from streamlit.starlette import App

from pages.parts.upload_gate import UploadGate

app = App(
    Path(__file__).with_name("app.py"),
    middleware=[Middleware(UploadGate, bounded=bool(os.environ.get("SDCG_MODE")))],
)
