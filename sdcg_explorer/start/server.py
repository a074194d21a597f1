"""What `sdcg app` starts: the app, behind the checks of each request."""

import asyncio
import logging
import os
import webbrowser
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.middleware import Middleware
from streamlit import config
from streamlit.starlette import App

from sdcg_explorer import start
from sdcg_explorer.reading.sources import remove_left
from sdcg_explorer.serving import addresses, protection

logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # the address is told here, once


def address() -> str:
    """Where a browser on this machine finds the server."""
    host = config.get_option("server.address") or "localhost"
    host = "127.0.0.1" if host in start.ANY else f"[{host}]" if ":" in host else host
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"http://{host}:{config.get_option('server.port')}/{base}".rstrip("/")


@asynccontextmanager
async def started(_app: Any) -> AsyncGenerator[None, None]:
    """Tell the address, and open it where there is a desk; uploads of an earlier crash go."""
    remove_left()
    print(f"sDCG Explorer: {address()} (Ctrl+C ends it)", flush=True)  # noqa: T201
    if not config.get_option("server.headless"):
        asyncio.get_running_loop().call_soon(webbrowser.open, address())
    yield None


checks = Middleware(protection.ProtectedApp, visitors=bool(os.environ.get("SDCG_MODE")))
layers = [checks, Middleware(addresses.Addresses)]
app = App(Path(__file__).with_name("app.py"), middleware=layers, lifespan=started)
