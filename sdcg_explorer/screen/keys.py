"""Keys of the session state and of the address, so that none is mistyped, or has two meanings.

A widget that is bound to the address stands there under its key: these keys are part of every link
that was ever copied. The definition's numbers and choices go by the names of its fields. What keeps
nothing of a view (figures, folds, buttons, modules) is named where it is drawn.
"""

import hashlib

# The frame: which study, and what is in force
STUDY, STUDY_WANTED, STUDY_PICKED = "study", "study_wanted", "study_picked"
# Where several people are: whose words a study goes by, for readers and for their owner; in session
WORDS_OF, OWNER = "of", "owner"
VISITOR, HELD, SHOWN = "visitor", "held", "shown"
PAGE_AT = "page_at"  # the page that was shown last
VIEW = "view"  # of a link whose study is not here yet
OPENED = "opened"
# Present: its module, the page that its keys ask for, and choices of the pages they have left
PRESENT, TURN_TO, LEFT = "present", "turn_to", "left"
SEE = "see"  # in a link of Overview that sets a view
# What is said once, or until the study changes
JUST_KEPT, NOT_KEPT, DELETED, LACKING = "just_kept", "not_kept", "deleted", "lacking"
# The definition
PRESET = "preset"
SLIDERS = "sliders"  # where each stands, how often it was another, and its number from elsewhere
MOVED = "moved"  # whether one was moved since the address was told
BASES = ("b", "bq")
TOP, SHORT_LISTS, CELLS = "top", "short", "cells"
GRADES, READ_SECONDS, LAST_CLICK = "grades", "read_seconds", "last_click"
FITTED_TO = "fitted_to"  # which parameters come from a fit, and to which study
MEASURES, ERR_RULE = "measures", "err_rule"  # further ones; parameters go by their own names
LIVE, MARKED = "live", "marked"  # what follows the sliders; where a map shows them
KEPT = "kept"  # a definition whose curves stay beside those in force
TOPS, FITTED = "tops", "fitted"  # where axes ended, and how often that was forgotten
# The filters
SYSTEMS, TOPICS, SEARCHERS = NAMES = ("systems", "topics", "searchers")
MIN_QUERIES, MAX_QUERIES = "min_queries", "max_queries"
# Overview
GONE = "gone"  # in the address: a page of older versions that opened it
EXPLAINED, MEANING = "explained", "meaning"
BY_LENGTH, WHO = "by_length", "who_searched"  # the folds
GRADES_SHOWN, JUDGED_BY_RANK = "grades_shown", "judged_by_rank"
# Query order
SPLIT, DEPTH, SEVERAL, UNDISCOUNTED = "split", "depth", "several", "undiscounted"
CURVE, FIGURE_1 = "curve", "figure_1"
# Whatever has a curve of each system: the one in focus, and axes to the last query
FOCUS, EVERY = "focus", "every"
# Session curves; the intervals are those of Query order, too
MEASURE, TOPIC, AT_LEAST, LENGTH, BANDS = "measure", "topic", "at_least", "length", "bands"
FIGURE_2 = "figure_2"
# Individual sessions
SYSTEM, ONE_TOPIC, ORDER, AXIS, SESSION = "system", "one_topic", "order", "axis", "session"
BESIDE_SESSION, FIGURE_4, SHADE, ONLY = "beside_session", "figure_4", "shade", "only"
GROUP, WHERE, WALL, WALL_ROOM = "group", "where", "wall", "wall_room"
OWN_JUDGMENTS = "own_judgments"
OWN_PART = "own_judgments_part"  # where they are many
# Reformulations
QUERY_MEASURE, BOXES = "query_measure", "boxes"
# Compare systems
SCORE, TOPICS_ARE, WITH_ORDER, PAIR = "score", "topics_are", "with_order", "pair"
BASELINE, OUTCOME = "baseline", "right"
PLAN_FOR = "plan_for"  # a difference that would matter
# Measures beside each other
BESIDE_WITH = "beside_with"
BESIDE_SCORES, BESIDE_PRESETS = "beside_measures", "beside_definitions"
# The paper
PAPER_SCORES, PAPER_RATING = "printed", "printed_rating"
# What it cost; the score is that of Compare systems, the end of axes that of Session curves
COST, COST_BANDS = "cost", "cost_bands"
REACHED = "reached"  # gain, or its share of the ideal
COST_CURVES = "cost_curves"
# Agreement with ratings
RATING, COEFFICIENT, VERSION = "rating", "coefficient", "version"
LOW_IS_GOOD = "low_is_good"
# Does the answer hold; score and pair are those of Compare systems
PLANE_MAP, AT_POINT = "plane_map", "at_point"
# What searchers looked at
FIT_MODEL, FIT_BY = "model", "fitted_by"
# Side by side
BESIDE = "beside"
# By hand
EXAMPLE, LESSON, PAPER = "example", "lesson", "paper"
CARDS, CARDS_TURN, EXPECTED, BY_HAND = "cards", "cards_turn", "expected", "by_hand"
BY_HAND_EDITED, BY_HAND_ROUND = "by_hand_edited", "by_hand_round"
BY_HAND_START, JUDGED, LISTS = "by_hand_start", "judged", "lists"
# Data: what is dropped, and the study that is open
UPLOADS, UNDERSTOOD = "uploads", "understood"
CHOICES, OFFERED, ASKED = "choices", "offered", "asked"  # of how files are read
READ_AS = "read_as"
CHOSEN_FOR = "chosen_for"  # the tables, whose folds stay open
STUDY_NAME, NEW_NAME, NEW_NOTE = "study_name", "new_name", "new_note"

# Of all widgets
# What widgets stood at since a browser had heard all, and from when it has
PAST, HEARD = "past", "heard"

# Of what there are several of, by what tells them apart
at_hand = "{}_at_hand".format  # the slider of a base that stands beneath a figure
off = "{}_off".format  # whether a base's discount is off
gain = "w{}".format  # the gain of a grade
stand = "{}_stand".format  # what a slider stands in, whichever it is
slider = "{}_slider".format  # the slider of an exact entry
filled_for = "{}_of".format  # what a field was last filled in for
query = "query_{}".format  # the query whose results are listed, of the session on top or beside
# what was last chosen by its words; a page that is left forgets its widgets
chosen = "{}_chosen".format
rule = "rule_{}".format  # a rule of reading
fault = "rule_{}_fault".format  # what is wrong with what was typed for it


def slider_key(place: str, times: int) -> str:
    """The slider of a place, anew after its number was changed elsewhere."""
    return f"{place}_{times}" if times else place


def file_choice_key(what: str, files: object) -> str:
    """A choice that files are read by; `what` is a rule's name, or a repair's."""
    return f"{what}_{hashlib.sha256(repr(files).encode()).hexdigest()[:12]}"
