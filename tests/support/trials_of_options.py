"""Refusals of the app's start, of options and of what stands at --out, and their remedies."""

from __future__ import annotations

from tests.support.refusals import JUDGMENTS, LOG
from tests.support.trials import CHECK, CONFLICT, Files, Trial, said

SCORE = "score log.csv judgments.csv --out out"
FILES: Files = {"log.csv": LOG, "judgments.csv": JUDGMENTS}

TRIALS = [
    Trial(FILES, {}, f"{SCORE} --preset mine\n{SCORE} --weights 1=x\n{SCORE} --b 1", SCORE),
    Trial({**FILES, "mine.toml": "[definition]\nb = 1\n"},
          {"mine.toml": "[definition]\nb = 2\n"}, f"{SCORE} --definition mine.toml"),
    *said({}, f"{CHECK} --set odd", CHECK),
    *said({}, f"{CHECK} --set kinds=a.csv=log", CHECK),
    *said({}, f"{CHECK} --set grade=a=1 --set grade=b=1", CHECK),
    *said({"out/sessions.csv": "mine\n"}, SCORE, f"{SCORE}/new", f"{SCORE} --force"),
    *said({"out/mine.csv": "mine\n"}, SCORE, f"{SCORE}/new", f"{SCORE} --force"),
    *said({}, "app --ephemeral --shared", "app --ephemeral", "app --shared"),
    *said({}, "app --address 0.0.0.0", "app --address 0.0.0.0 --shared",
          "app --address 0.0.0.0 --ephemeral"),
    *said({"judgments.csv": CONFLICT}, "app --study log.csv judgments.csv", "app"),
]  # fmt: skip
