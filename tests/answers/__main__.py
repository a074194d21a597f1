"""Write the golden answers anew: `make answers`. Each difference is one that somebody reads."""

from tests.answers import made, readings, studies


def main() -> None:
    """Write what changed, line by line; a line that is the same but for rounding stays."""
    for name in studies.NAMES:
        asked = studies.study(name)
        for called, definition in (made.DEFINITIONS | made.CLICKS.get(name, {})).items():
            path = made.FOLDER / "kept" / f"{name}-{called}.txt"
            old = path.read_text(encoding="utf-8") if path.exists() else ""
            lines = [*made.compared(old, made.text_of(asked, definition))]
            if changed := sum(was != now for _, was, now in lines):
                path.parent.mkdir(exist_ok=True)
                path.write_text("".join(now for *_, now in lines), encoding="utf-8")
                print(f"{path.name}: {changed:,} lines")  # noqa: T201
    for name in readings.NAMES:
        path, new = readings.path_of(name), readings.text_of(name)
        if not path.exists() or path.read_text(encoding="utf-8") != new:
            path.write_text(new, encoding="utf-8")
            print(path.name)  # noqa: T201


if __name__ == "__main__":
    main()
