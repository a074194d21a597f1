"""Write the golden answers anew: `make answers`. Each difference is one that somebody reads."""

from tests.answers import looks, made, readings, studies


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
    kept = [(readings, name) for name in readings.NAMES] + [(looks, name) for name in looks.LOOKS]
    for of, name in kept:
        path, new = of.path_of(name), of.text_of(name)
        if not path.exists() or path.read_text(encoding="utf-8") != new:
            path.write_text(new, encoding="utf-8")
            print(path.name)  # noqa: T201


if __name__ == "__main__":
    main()
