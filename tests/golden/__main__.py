"""Write the golden numbers anew: `make golden`. Changed ones are refused by the rule."""

import sys
import tomllib

from tests.golden import computed, kept
from tests.support.plain_files import ROOT


def main() -> int:
    """0 written, 2 refused, which is said."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    now = kept.release(ROOT, project["version"])
    try:
        text = kept.written(kept.FILE.read_text(encoding="utf-8"), computed.numbers(), now)
    except kept.RefusedError as fault:
        print(f"Not written: {fault}", file=sys.stderr)  # noqa: T201
        return 2
    kept.FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
