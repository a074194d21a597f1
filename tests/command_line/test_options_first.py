"""Options are checked before anything is read: of a missing log and a wrong option the latter."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer.main

from sdcg_explorer.commands import main as sdcg

NOTHING = ("no.csv", "none.csv")
BARE = {
    "app": [],
    "check": [*NOTHING],
    "agreement": [*NOTHING, "--with", "ease"],
    **{
        name: [*NOTHING, "--out", "out"]
        for name in ("score", "compare", "robustness", "fit", "export", "paper")
    },
}
STUDY = ["--study", *NOTHING]  # of the app, after which its own options are tried
# a wrong value of each option, and what is said of it
WRONG = {
    **{
        f"--{name}": ("odd", "odd") for name in ("preset", "discount", "repeats", "ideal", "others")
    },
    **{f"--{name}": ("odd", "odd") for name in ("short-lists", "unjudged", "after-stop", "grades")},
    **{f"--{name}": ("odd", "odd") for name in ("query-numbers", "topics-by", "set", "recipe")},
    **{f"--{name}": ("0.5", "0.5") for name in ("b", "bq")},
    **{f"--{name}": ("odd", "odd") for name in ("average", "coefficient", "version", "topics-are")},
    **{f"--{name}": ("0", name) for name in ("depth", "cache", "top")},
    **{
        f"--{name}": ("0", f"{name.replace('-', '_')} 0") for name in ("min-queries", "max-queries")
    },
    "--definition": ("odd.toml", "odd.toml"),
    "--weights": ("1=x", "weights.1 'x'"),
    "--map": ("dog=doc", "role 'dog'"),
    "--columns": ("doc,doc", "'doc' names two columns"),
    "--query-id": ("odd", "query_id 'odd'"),
    "--name": ("odd", "file_name 'odd'"),
    "--doc-id": ("odd", "doc_id 'odd'"),
    "--grade": ("odd", "grade 'odd'"),
    "--session-by": (",", "session_by ','"),
    **{f"--{name}": ("-1", name.replace("-", "_")) for name in ("p", "srbp-b", "inst-t")},
    **{f"--{name}": ("-1", name.replace("-", "_")) for name in ("p-reform", "p-down")},
    "--measure": ("odd", "measure 'odd'"),
    "--err-rule": ("odd", "err_rule 'odd'"),
    "--plan-for": ("-1", "a difference of -1"),
    "--out": ("odd.csv", "odd.csv: "),
    "--engine": ("odd", "--engine 'odd'"),
    "--master": ("yarn", "--master needs --engine"),
    "--memory": ("odd --engine duckdb", "--memory 'odd'"),
    **{f"--{name}": ("-1", f"--{name}") for name in ("sample", "port")},
    "--address": ("0.0.0.0", "--address 0.0.0.0"),
    "--shared": ("--ephemeral", "--ephemeral; "),
    "--ephemeral": ("--shared", "--ephemeral; "),
    "--workspace": ("x --ephemeral", "--ephemeral; "),
    "--with-texts": ("--b 3", "--without-persons"),
    "--read-seconds": ("0", "from 1 to 36,000 seconds of reading satisfy"),
    "--last-click": ("x", "choices are satisfies, as-read"),
    "--with-order": ("--topics-are sample", "can be adjusted for only where topics are fixed"),
}
OF_ONE = {("robustness", "--score"): ("odd", "score 'odd'")}  # elsewhere it may be a rating
TOLD_BY_THE_STUDY = {
    "--ratings",  # files that are looked for as the log is
    *("--systems", "--topics", "--searchers", "--pair", "--with", "--score", "--study"),
    *("--assessors", "--baseline", "--right"),
}
NEVER_WRONG = {
    *("--json", "--force", "--all-definitions", "--low-is-good", "--system-by-file", "--reload"),
    *("--host", "--residuals", "--without-persons"),
}
OPTIONS = {
    command: [
        option.opts[-1] if option.opts[-1].startswith("--") else option.opts[0]
        for option in made.params
        if option.opts[0].startswith("--") and option.opts[0] != "--help"
    ]
    for command, made in typer.main.get_command(sdcg.cli).commands.items()  # pyright: ignore[reportAttributeAccessIssue]
}


@pytest.mark.parametrize("command", OPTIONS)
def test_a_wrong_option_is_refused_before_the_log_is_looked_for(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd.csv").write_text("mine", encoding="utf-8")
    for option in OPTIONS[command]:
        if (command, option) not in OF_ONE and option in NEVER_WRONG | TOLD_BY_THE_STUDY:
            continue
        value, said = OF_ONE.get((command, option)) or WRONG[option]
        given = [*BARE[command], option, *value.split(), *(STUDY if command == "app" else [])]
        assert sdcg.main([command, *given]) == 2, option
        err = capsys.readouterr().err
        assert said in err
        assert not any(name in err for name in NOTHING)
