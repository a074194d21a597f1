"""`sdcg app`: the explorer in a browser, served as the options say."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sdcg_explorer import start
from sdcg_explorer.commands.options import read
from sdcg_explorer.reading.worker import READERS
from sdcg_explorer.study.problems import UnusableInputError

START = Path(start.__path__[0])
BY_HAND = "Start the app without --study, drop the files on its Data page, and choose there."
LOOPBACK = "127.0.0.1", "localhost", "::1"  # addresses of this machine alone


def app(
    study: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Open on this log and these judgments, or on one folder or zip of both."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to serve on.")] = 8501,
    workspace: Annotated[Path | None, typer.Option(help="Folder that keeps the studies.")] = None,
    cache: Annotated[
        int, typer.Option(min=16, help="MB for computed results, and as much again for studies.")
    ] = 512,
    shared: Annotated[
        bool, typer.Option("--shared", help="For several people: studies open by link only.")
    ] = False,
    ephemeral: Annotated[
        bool, typer.Option("--ephemeral", help="For public demos: studies stay in memory only.")
    ] = False,
    address: Annotated[str, typer.Option(help="Address to listen on.")] = LOOPBACK[0],
    host: Annotated[
        list[str] | None, typer.Option(help="A host name that visitors use; repeat for more.")
    ] = None,
    reload: Annotated[
        bool, typer.Option("--reload", help="For developers: reload when a source file changes.")
    ] = False,
) -> None:
    """Open the explorer in a browser, for one person here unless --shared or --ephemeral."""
    if ephemeral and (shared or workspace):
        rule = "with --ephemeral nothing is on disk, so it excludes --shared and --workspace"
        raise ValueError(f"--ephemeral; {rule}. Leave one out.")
    environment = dict(os.environ)
    environment["SDCG_MODE"] = "shared" if shared else "ephemeral" if ephemeral else ""
    environment["SDCG_CACHE"] = str(cache)
    # of several threads of algebra each waits for the others by turning: 3 times the processor
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    if workspace:
        environment["SDCG_WORKSPACE"] = str(workspace.resolve())
    if not (shared or ephemeral or address in LOOPBACK):
        rule = "one person's studies are for this machine only"
        raise ValueError(f"--address {address}; {rule}. Add --shared or --ephemeral.")
    if study:
        paths = [Path(path).resolve() for path in study if path]
        try:  # here, where there is a terminal to say so, in words that hold without options
            read(paths[0], paths[1] if paths[1:] else None)
        except UnusableInputError as refused:
            raise UnusableInputError(
                [replace(p, remedy=BY_HAND) if p.on_page else p for p in refused.problems]
            ) from None
        finally:
            READERS.close()  # the server takes this process's place
        environment["SDCG_STUDY"] = json.dumps([str(path) for path in paths])
    command = [sys.executable, "-m", "streamlit", "run", str(START / "server.py")]
    command += [f"--server.port={port}", f"--server.address={address}"]
    names = dict.fromkeys([*LOOPBACK, *([] if address in start.ANY else [address]), *(host or [])])
    command += [f"--server.allowedHosts={name}" for name in names]
    command.append(f"--server.fileWatcherType={'auto' if reload else 'none'}")
    os.chdir(START)  # where .streamlit/config.toml lies
    os.execve(sys.executable, command, environment)
