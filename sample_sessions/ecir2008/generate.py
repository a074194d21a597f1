"""Write the sample study: the design of Järvelin et al. (ECIR 2008), filled with invention.

The design and the counts are the paper's (Tables 1 and 2). Queries, documents, grades, ranks and
clicks are drawn here from one seed. ``python sample_sessions/ecir2008/generate.py`` writes log.csv,
judgments.csv and searchers.csv beside this file, the same bytes every time.
"""

import csv
import random
import statistics
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

SEED = 2054
TOPICS = ("A", "B", "C", "D")
SYSTEMS = ("System 1", "System 2")
SEARCHERS = 30
DEEPEST = 100

# Table 2: sessions with 1, 2, … 11 queries.
SESSIONS = {
    "System 1": (28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0),
    "System 2": (21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1),
}

# Table 1: (mean, standard deviation), then our own range and step.
BACKGROUND = {
    "internet_years": (7.2, 2.8, 3, 14, 0.5),
    "site_years": (2.4, 1.4, 0, 5, 0.5),
    "search_skill": (2.4, 0.9, 1, 5, 1),
    "profession_years": (21.4, 7.6, 4, 38, 1),
}

# Documents of grades 0, 1, 2, 3 per topic, and how many of each no system ever finds.
DOCS = {"A": (420, 46, 18, 6), "B": (380, 58, 24, 6), "C": (440, 41, 15, 6), "D": (400, 52, 21, 7)}
NEVER_FOUND = (0, 5, 3, 1)

# How many documents of a grade a query of each kind finds (fewest, most), and how deep they lie.
FOUND = {
    "miss": {3: (0, 0), 2: (0, 0), 1: (0, 2)},
    "near": {3: (0, 0), 2: (0, 2), 1: (1, 4)},
    "find": {3: (1, 1), 2: (1, 3), 1: (2, 5)},
    "hit": {3: (2, 4), 2: (2, 5), 1: (2, 6)},
}
LOWEST_RANK = {3: 22, 2: 28, 1: 45}

KINDS = tuple(FOUND)
# Last queries by kind: of the sessions of one query / of the longer sessions.
LAST = {"System 1": ((7, 6, 6, 9), (4, 5, 10, 13)), "System 2": ((1, 2, 4, 14), (4, 6, 12, 17))}
# Most searchers see nothing of use before their last query; the others' earlier queries vary.
SILENT = 0.64
EARLIER = (34, 31, 23, 12)

# Clinical scenarios: names of the problem / what can be added to them.
TERMS = {
    # A woman of 61 with type 2 diabetes and a foot ulcer that does not heal.
    "A": """diabetic foot ulcer, diabetes foot, diabetic wound, foot sore diabetes / referral,
        specialist clinic, podiatrist, type 2, antibiotics, guideline, not healing, neuropathy""",
    # A woman in week 30 of her pregnancy with a swollen, tender calf.
    "B": """deep vein thrombosis, leg thrombosis, blood clot leg, DVT, swollen calf / pregnancy,
        third trimester, ultrasound, heparin, acute referral, D-dimer, obstetric ward, risk""",
    # A boy of 6 who coughs at night and wheezes when he runs.
    "C": """childhood asthma, asthma child, wheezing child, chronic cough child / spirometry,
        night, inhaler, exercise, diagnosis, steroid dose, paediatric clinic, allergy test""",
    # A man of 74 whose wife finds him forgetful and changed.
    "D": """dementia, memory loss, cognitive impairment, forgetful elderly / memory clinic,
        work-up, blood tests, referral, MMSE, CT scan, relatives, early signs, driving licence""",
}
NAMES, ADDITIONS = (
    {topic: " ".join(text.split("/")[side].split()).split(", ") for topic, text in TERMS.items()}
    for side in (0, 1)
)


def draw_documents(rng, docs, weight, count):
    """Draw documents without replacement, in order, the heavier ones likelier and earlier."""
    arrival = {doc: rng.expovariate(weight[doc]) for doc in docs}
    return sorted(docs, key=arrival.__getitem__)[:count]


def invent_grades(rng):
    """Return topic → doc → grade and topic → grade → the documents that can be found."""
    grades, findable = {}, {}
    for topic, counts in DOCS.items():
        labels = [grade for grade, count in enumerate(counts) for _ in range(count)]
        docs = [f"invented-{topic}-{k:04}" for k in sorted(rng.sample(range(1, 2000), len(labels)))]
        rng.shuffle(labels)
        grades[topic] = dict(zip(docs, labels, strict=True))
        findable[topic] = [
            [doc for doc in docs if grades[topic][doc] == grade][hidden:]
            for grade, hidden in enumerate(NEVER_FOUND)
        ]
    return grades, findable


def plan_order():
    """Return (searcher, system, topic) of the 120 sessions, in the order they were held.

    The six pairs of topics go to System 1 five times each. A searcher finishes one system before
    the other. Topics take turns in the four positions, systems in coming first.
    """
    pairs = [set(pair) for pair in combinations(TOPICS, 2)]
    taken, plan = Counter(), []
    for i in range(SEARCHERS):
        # Backwards: forwards, the systems would not come first equally often.
        with_1 = pairs[-i % 6]
        orders = [o for o in permutations(TOPICS) if set(o[:2]) in (with_1, set(TOPICS) - with_1)]
        order = min(orders, key=lambda o: sum(taken[p] for p in (o[0] in with_1, *enumerate(o))))
        taken.update((order[0] in with_1, *enumerate(order)))
        plan += [(f"invented-P{i + 1:02}", SYSTEMS[topic not in with_1], topic) for topic in order]
    return plan


def deal_lengths(rng, system):
    """Return topic → (number of queries, kind of the last one) of its 15 sessions, well mixed."""
    lengths = [n for n, count in enumerate(SESSIONS[system], start=1) for _ in range(count)]
    one, several = (rng.sample(KINDS, counts=counts, k=sum(counts)) for counts in LAST[system])
    # Sorted, so that the topics share the kinds of one-query sessions evenly.
    ends = list(zip(lengths, sorted(one) + several, strict=True))
    dealt = {topic: [] for topic in TOPICS}
    for first in range(0, len(ends), len(TOPICS)):
        for topic, end in zip(rng.sample(TOPICS, len(TOPICS)), ends[first:], strict=False):
            dealt[topic].append(end)
    return {topic: rng.sample(hand, len(hand)) for topic, hand in dealt.items()}


def choose_length(rng, kind, text, is_last):
    """Return the length of a result list: sometimes 0, sometimes short, less for more words."""
    if kind == "miss" and rng.random() < (0.03 if is_last else 0.09):
        return 0
    if rng.random() < 0.125:
        return rng.randint(1, 9)
    return min(DEEPEST, 12 + int(160 / len(text.split()) * rng.lognormvariate(-0.2, 0.8)))


def rank_documents(rng, findable, weight, kind, length):
    """Return one result list: what the kind of query finds, near the top, among grade 0."""
    ranked = [None] * length
    first = 10 if kind == "miss" else 0
    for grade, (fewest, most) in FOUND[kind].items():
        for doc in draw_documents(rng, findable[grade], weight, rng.randint(fewest, most)):
            reach = min(LOWEST_RANK[grade], length) - first
            place = first + int(reach * rng.betavariate(1, 2.4))
            if reach > 0 and ranked[place] is None:
                ranked[place] = doc
    filler = iter(draw_documents(rng, findable[0], weight, length))
    return [doc or next(filler) for doc in ranked]


def reformulate(rng, topic, words, seen):
    """Return a query close to `words`: narrower, broader, another name or another addition."""
    while True:
        name, *added = words
        if rng.random() < 0.3:
            name = rng.choice(NAMES[topic])
        if rng.random() < 0.4:
            added = added[:-1]
        if rng.random() < 0.6:
            added = [*added, rng.choice([a for a in ADDITIONS[topic] if a not in added])]
        text = " ".join([name, *added])
        if text not in seen and 2 <= len(text.split()) <= 6:
            return [name, *added]


def misspell(rng, text):
    """Return the text with one letter missing inside its longest word."""
    word = max(text.split(), key=len)
    k = rng.randrange(1, len(word) - 1)
    return text.replace(word, word[:k] + word[k + 1 :], 1)


def click(rng, ranked, grades, is_last):
    """Return 0 or 1 per result: mostly high ranks and good documents, more on the last query."""
    eagerness = 1.0 if is_last else 0.6
    chance = {0: 0.06, 1: 0.25, 2: 0.55, 3: 0.85}
    clicked = [
        int(rng.random() < eagerness * chance[grades[doc]] * 0.9**k) for k, doc in enumerate(ranked)
    ]
    good = [k for k, doc in enumerate(ranked[:20]) if grades[doc] > 0]
    if is_last and good and rng.random() < 0.85:
        clicked[max(good, key=lambda k: (grades[ranked[k]], -k))] = 1
    return clicked


def search(rng, topic, kinds, grades, findable):
    """Yield (query_number, query, rank, doc, clicked) of one session."""
    # What the searcher has in mind favours some documents throughout, hence the repeats.
    weight = {doc: rng.lognormvariate(0, 1.3) for doc in grades}
    words, seen, misspelt = reformulate(rng, topic, [rng.choice(NAMES[topic])], ()), set(), False
    for q, kind in enumerate(kinds, start=1):
        is_last = q == len(kinds)
        # A misspelt query is mostly corrected, not changed.
        if q > 1 and not (misspelt and rng.random() < 0.8):
            words = reformulate(rng, topic, words, seen)
        text = " ".join(words)
        length = choose_length(rng, kind, text, is_last)
        misspelt = rng.random() < (0.02 if length else 0.5 if len(text.split()) > 3 else 1)
        if misspelt:
            text = misspell(rng, text)
        seen.add(text)
        ranked = rank_documents(rng, findable, weight, kind, length)
        clicks = click(rng, ranked, grades, is_last)
        results = zip(range(1, length + 1), ranked, clicks, strict=True)
        yield from ((q, text, *result) for result in (results if length else [("", "", "")]))


def invent_log(rng, grades, findable):
    """Return the rows of log.csv; sessions are numbered by searcher and position."""
    dealt = {system: deal_lengths(rng, system) for system in SYSTEMS}
    rows = []
    for number, (searcher, system, topic) in enumerate(plan_order(), start=1):
        n, last = dealt[system][topic].pop()
        weights = (1, 0, 0, 0) if rng.random() < SILENT else EARLIER
        kinds = [*rng.choices(KINDS, weights, k=n - 1), last]
        session = (f"S{number:03}", searcher, system, topic)
        results = search(rng, topic, kinds, grades[topic], findable[topic])
        rows += [(*session, *result) for result in results]
    return rows


def has_moments(values, mean, deviation):
    """Return whether sample mean and standard deviation round to those given, however rounded."""
    found = statistics.fmean(values), statistics.stdev(values)
    return all(abs(a - b) < 0.049 for a, b in zip(found, (mean, deviation), strict=True))


def invent_background(rng, column):
    """Draw one column of Table 1 until its mean and standard deviation are the printed ones."""
    mean, deviation, low, high, step = BACKGROUND[column]
    while True:
        drawn = [step * round(rng.gauss(mean, deviation) / step) for _ in range(SEARCHERS)]
        if low <= min(drawn) and max(drawn) <= high and has_moments(drawn, mean, deviation):
            return drawn


def invent_searchers(rng):
    """Return the rows of searchers.csv; nobody knows the site for longer than the internet."""
    columns = [invent_background(rng, column) for column in BACKGROUND]
    while any(site > internet for internet, site in zip(*columns[:2], strict=True)):
        rng.shuffle(columns[1])
    return [(f"invented-P{i + 1:02}", *row) for i, row in enumerate(zip(*columns, strict=True))]


def write_table(name, header, rows):
    """Write one CSV file beside this script."""
    with Path(__file__).with_name(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def write_study():
    """Invent the study and write its three files."""
    rng = random.Random(SEED)
    grades, findable = invent_grades(rng)
    log = invent_log(rng, grades, findable)
    searchers = invent_searchers(rng)
    shown = {row[7] for row in log}
    known = [(topic, *pair) for topic in TOPICS for pair in grades[topic].items()]
    judged = [row for row in known if row[2] or row[1] in shown]
    columns = "session,searcher,system,topic,query_number,query,rank,doc,clicked"
    write_table("log.csv", columns, log)
    write_table("judgments.csv", "topic,doc,grade", judged)
    write_table("searchers.csv", ",".join(["searcher", *BACKGROUND]), searchers)


if __name__ == "__main__":
    write_study()
