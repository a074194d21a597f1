"""The table of docs/formats.md that says what columns are called: a test holds it to this."""

from sdcg_explorer.reading.mapping import ROLES, Role

SAYS = {
    "session": "which session a row belongs to",
    "query_number": "the query's number in its session",
    "rank": "the result's place in its list",
    "doc": "the document that was shown; in judgments, that was graded",
    "topic": "what the searcher was asked to find out",
    "system": "what answered the query; what a study compares",
    "searcher": "who searched",
    "text": "the query as it was typed",
    "time": "when the query was issued",
    "clicked": "whether the searcher opened the result",
    "examined": "whether the searcher looked at the result",
    "dwell": "seconds, or 1:35, that the searcher looked at the result; any name with dwell",
    "saved": "whether the searcher saved or marked the result",
    "grade": "how relevant the document is; in a log, to the searcher",
    "assessor": "in judgments: who graded",
}


def names_table() -> str:
    """The table, in Markdown, roles in the order of `SAYS`."""
    roles: dict[str, Role] = {}
    for of_file in ROLES.values():
        for role in of_file:
            roles.setdefault(role.name, role)
    if roles.keys() != SAYS.keys():
        raise KeyError(roles.keys() ^ SAYS.keys())
    rows = (
        f"| **{name}** | {says} | {', '.join(roles[name].aliases)} |\n"
        for name, says in SAYS.items()
    )
    return "".join(["| column | says | or called |\n", "|---|---|---|\n", *rows])
