"""Keys of the session state and of the address, all of them, so that none is mistyped.

A widget that is bound to the address stands there under its key: these keys are part of every link
that was ever copied. The definition's numbers and choices go by the names of its fields.
"""

import hashlib

# The frame: which study, and what is in force
STUDY = "study"
# What chooses a study, and sessions of it: By hand has no use for them
STUDY_CHOICE, SESSION_CHOICE = OF_A_STUDY = ("study_choice", "session_choice")
STUDY_WANTED = "study_wanted"
STUDY_PICKED = "study_picked"
# Where several people are: whose words a study goes by, for readers and for their owner; in session
WORDS_OF, OWNER = "of", "owner"
VISITOR, HELD, SHOWN = "visitor", "held", "shown"
PAGE_AT = "page_at"  # the page that was shown last
VIEW = "view"  # of a link whose study is not here yet
OPENED = "opened"
COPY_LINK = "copy_link"
TOOLBAR, OPTIONS = "toolbar", "options"  # above a figure
# Present: its module, the page that its keys ask for, and choices of the pages they have left
PRESENT, TURN_TO, LEFT = "present", "turn_to", "left"
SEE = "see"  # in a link of Overview that sets a view
# What is said once, or until the study changes
JUST_KEPT, NOT_KEPT, DELETED, LACKING = "just_kept", "not_kept", "deleted", "lacking"
# Of the address within a page: no heading's comes from a name that was uploaded
ANSWER, MEANS = "answer", "means"
# The definition
PRESET = "preset"
# Around what tells of the definition and can't follow a slider that moves (page.css)
DEFINITION_SAID, EXACT, REMARKS = "definition_said", "exact", "remarks"
SLIDERS = "sliders"  # where each stands, how often it was another, and its number from elsewhere
SLIDER_KEYS = "slider_keys"
MOVED = "moved"  # whether one was moved since the address was told
FIGURE_KEYS = "figure_keys"
DROPPING, DOOR = "dropping", "door"  # files that are dropped anywhere, and the way in for them
BASES = ("b", "bq")
TOP = "top"
GAINS = "gains"  # around their sliders
SHORT_LISTS = "short"
CELLS = "cells"
GRADES, READ_SECONDS, LAST_CLICK = "grades", "read_seconds", "last_click"
FITTED_TO = "fitted_to"  # which parameters come from a fit, and to which study
MEASURES, ERR_RULE = "measures", "err_rule"  # further ones; parameters go by their own names
AT_HAND = "at_hand"  # the sliders of both bases, beneath a figure
LIVE, LIVE_MODULE, LIVE_MAPS = "live", "live_module", "live_maps"
KEPT = "kept"  # a definition whose curves stay beside those in force
TOPS, FITTED = "tops", "fitted"  # where axes ended, and how often that was forgotten
# The filters
SYSTEMS, TOPICS, SEARCHERS = NAMES = ("systems", "topics", "searchers")
SYSTEMS_SHOWN, ALL_SHOWN = "systems_shown", "all_systems_shown"  # around their chips
MIN_QUERIES = "min_queries"
MAX_QUERIES = "max_queries"
MORE_FILTERS = "more_filters"
# Overview
GONE = "gone"  # in the address: a page of older versions that opened it
EXPLAINED = "explained"
LEADS = "leads"  # links to views
MEANING = "meaning"
BY_LENGTH, WHO = "by_length", "who_searched"  # the folds
GRADES_SHOWN, JUDGED_BY_RANK = "grades_shown", "judged_by_rank"
TABLE_2 = "table_2"
JUDGED_SHARE = "judged_share"
# Query order
SPLIT = "split"
DEPTH = "depth"
SEVERAL = "several"
UNDISCOUNTED = "undiscounted"
CURVE = "curve"
FIGURE_1 = "figure_1"
# Whatever has a curve of each system: the one in focus, and axes to the last query
FOCUS = "focus"
EVERY = "every"
# Session curves; the intervals are those of Query order, too
MEASURE = "measure"
TOPIC = "topic"
AT_LEAST = "at_least"
LENGTH = "length"
BANDS = "bands"
FIGURE_2 = "figure_2"
# Individual sessions
SYSTEM = "system"
ONE_TOPIC = "one_topic"
ORDER = "order"
AXIS = "axis"
SESSION = "session"
BESIDE_SESSION = "beside_session"
FIGURE_4 = "figure_4"
SHADE = "shade"
ONLY = "only"
GROUP, WHERE = "group", "where"
WALL, WALL_ROOM = "wall", "wall_room"
OWN_JUDGMENTS, JUST_JUDGED = "own_judgments", "just_judged"
OWN_PART = "own_judgments_part"  # where they are many
PANE = "pane"  # beside the wall: the session that is looked into
# Reformulations
QUERY_MEASURE = "query_measure"
SHARES = "shares"
BOXES = "boxes"
CHANGES = "changes"
FIRST = "first"
# Compare systems
SCORE = "score"
TOPICS_ARE = "topics_are"
WITH_ORDER = "with_order"
PAIR = "pair"
BASELINE, OUTCOME = "baseline", "right"
COMPARISON = "comparison"
COMPARISON_BY_TOPIC = "comparison_by_topic"
ORDER_FOLD, ORDER_FIGURE = "order_fold", "order_figure"
SUMMARY_FOLD = "summary_fold"
PAIRS = "pairs"
NEXT_STUDY_FOLD, NEXT_STUDY = "next_study_fold", "next_study"
JUDGE_NEXT = "judge_next"  # the fold of documents that wait for a judgment
PLAN_FOR = "plan_for"  # a difference that would matter
# Measures beside each other
MEASURES_BESIDE, BESIDE_WITH = "measures_beside", "beside_with"
BESIDE_SCORES, BESIDE_PRESETS = "beside_measures", "beside_definitions"
# The paper
PAPER_SCORES, PAPER_RATING = "printed", "printed_rating"
PAPER_1, PAPER_2 = "paper_1", "paper_2"  # its figures
# What it cost; the score is that of Compare systems, the end of axes that of Session curves
COST, COST_BANDS = "cost", "cost_bands"
REACHED = "reached"  # gain, or its share of the ideal
COST_CURVES, COST_POINTS = "cost_curves", "cost_points"
# Agreement with ratings
RATING = "rating"
COEFFICIENT = "coefficient"
VERSION = "version"
LOW_IS_GOOD = "low_is_good"
AGREEMENT = "agreement"
AGREEMENT_MAP = "agreement_map"
# Does the answer hold; score and pair are those of Compare systems
PLANE_MAP, ORDER_MAP = "plane_map", "order_map"
AT_POINT = "at_point"
ALL_DEFINITIONS = "all_definitions"
JUDGES = "judges"
SPECIFICATION = "specification"
# What searchers looked at
FIT_MODEL, FIT_BY = "model", "fitted_by"
FIT, TAKE_FIT = "fit", "take_fit"
# Side by side
BESIDE = "beside"
EACH_FIGURE = "each_figure"  # around the figures that Present shows together
# By hand
EXAMPLE, LESSON, PAPER = "example", "lesson", "paper"
CARDS, CARDS_TURN = "cards", "cards_turn"
EXPECTED = "expected"
BY_HAND = "by_hand"
BY_HAND_EDITED = "by_hand_edited"
BY_HAND_ROUND = "by_hand_round"
BY_HAND_START = "by_hand_start"
JUDGED, LISTS = "judged", "lists"
# Data: what is dropped, and the study that is open
FILES = "files"
UPLOADS = "uploads"
SAMPLE = "sample_beside"
UNDERSTOOD = "understood"
CHOICES, OFFERED, ASKED = "choices", "offered", "asked"  # of how files are read
READ_AS, UNDO_CHOICES, ROLE_TAKEN = "read_as", "undo_choices", "role_taken"
CHOSEN_FOR = "chosen_for"  # the tables, whose folds stay open
IMPORT_NOTES, IMPORT_DETAILS = "import_notes", "import_details"
DOUBTFUL = "rules"
STUDY_NAME = "study_name"
ACCEPT = "accept"
NEW_NAME = "new_name"
NEW_NOTE = "new_note"
UNJUDGED_BY_RANK = "unjudged_by_rank"

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
room = "{}_room".format  # what a figure stands in that takes the height of the screen
fit = "fit_{}".format  # the button that fits a figure's axis
keep = "keep_{}".format  # the button that keeps a figure's curves
forget = "forget_{}".format  # the button that takes the kept curves away
door = "door_{}".format  # the small figure of a page, on the overview
way = "way_to_{}".format  # the link of a door, whose words take as many lines as they need
inspected = "inspected {}".format  # the figure of a session that is looked into
heading = "session_{}".format  # the heading of the session on top or beside
query = "query_{}".format  # the query whose results are listed, of the session on top or beside
tags = "tags of {}, {}".format  # the tags of a query
note = "note on {}".format  # beneath the answer of a question
shown_note = "shown note on {}".format  # the same as it was drawn last
another_tag = "another tag of {}, {}".format  # a tag of one's own for a query
judging = "judging {}, {}".format  # the document of a query that is judged
judged = "grade of {}, {}".format  # the grade of one's own of a topic's document
# what was last chosen by its words; a page that is left forgets its widgets
chosen = "{}_chosen".format
# the score that a rating of sessions, or of queries, is looked at beside
rated_score = "{}_score".format
by_query = "by_query_{}".format  # the figure of a measure by query number
under = "under {}".format  # the figure of the sessions under a definition
editor = "{}_{}_{}".format  # the editor of an example's grades or lists, anew after each way back
roles = "roles_{}".format  # the fold of a file's columns
role = "role_{}_{}_{}".format  # the role of one column
rule = "rule_{}".format  # a rule of reading
fault = "rule_{}_fault".format  # what is wrong with what was typed for it
printed = "printed-{}".format  # a table that is shown as it is printed
take_away = "data_{}".format  # the fold at the end of a page
without_persons = "without_persons_{}".format  # whether what is downloaded names persons
with_texts = "with_texts_{}".format  # whether query texts stay there
exhibit = "which_{}".format  # which of a page's exhibits is taken away
form = "form_{}".format  # the form of file of a figure that is taken away
width = "width_{}".format  # the width of a figure that is taken away


def slider_key(place: str, times: int) -> str:
    """The slider of a place, anew after its number was changed elsewhere."""
    return f"{place}_{times}" if times else place


def file_choice_key(what: str, files: object) -> str:
    """A choice that files are read by; `what` is a rule's name, or a repair's."""
    return f"{what}_{hashlib.sha256(repr(files).encode()).hexdigest()[:12]}"
