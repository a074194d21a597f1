"""The command line: `sdcg`, and `python -m sdcg_explorer`."""

import gc
import sys

from sdcg_explorer.reading.worker import READERS


def run() -> None:
    """Run the command line as a program of its own.

    What most commands read with loads in its process while the commands themselves load here.
    """
    gc.disable()  # one short run: collecting what imports leave behind costs a tenth of it
    if len(sys.argv) > 2 and sys.argv[1] != "app" and "--help" not in sys.argv:
        READERS.begin()
    from sdcg_explorer.commands.main import main

    sys.exit(main())


if __name__ == "__main__":
    run()
