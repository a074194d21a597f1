"""Links of the documentation to other sites, asked one by one: `make links`."""

import socket
import subprocess
import sys
from urllib.parse import urlsplit

from docs.conf import repository

SECONDS = 5


def main(options: list[str]) -> int:
    """Exit code: that of Sphinx's link check, 0 where there is no network, which is said."""
    host = urlsplit(repository).hostname or ""
    try:
        socket.create_connection((host, 443), SECONDS).close()
    except OSError:
        sys.stdout.write(f"{host} does not answer: links to other sites are not checked.\n")
        return 0
    builder = ("-m", "sphinx", "-b", "linkcheck", "-q", "docs", "docs/_build/links")
    return subprocess.call([sys.executable, *builder, *options])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
