"""The command line: `python -m sdcg_explorer`."""

from sdcg_explorer.commands.main import run

run()
