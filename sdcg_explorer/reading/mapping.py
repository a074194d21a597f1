"""Columns to roles: which column of a table plays which part, by name or as given."""

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from shlex import quote

from sdcg_explorer.reading.cells import NUMBER
from sdcg_explorer.reading.raw_table import RawTable
from sdcg_explorer.reading.recipe import ASKED, option
from sdcg_explorer.study.columns import plain_name
from sdcg_explorer.study.problems import Problem, Remedy, error
from sdcg_explorer.study.wording import counted

Roles = dict[str, str]  # role → column
WORDS = {  # by role: what its columns are called in other languages, blanks between
    "session": "sitzung sitzungs_id sitzung_id sitzungsnummer sitzung_nr 会话 会话id id_session "
    "numero_de_session sesion sesion_id id_sesion id_de_sesion sessione id_sessione sessione_id "
    "sessao id_da_sessao sesja id_sesji nr_sesji sessie sessie_id sessie_nr 会话编号 セッション",
    "query_number": "anfragenummer anfrage_nr anfragenr suchanfrage_nr anfrage_nummer such_nr "
    "numero_de_requete no_requete requete_no numero_requete numero_de_consulta consulta_no "
    "numero_consulta no_consulta numero_interrogazione interrogazione_n n_interrogazione "
    "numero_da_consulta n_query nr_query numero_query query_n query_nr nr_zapytania "
    "numer_zapytania nr_zap zoekvraag_nr zoekvraagnummer 查询编号 查询序号 查询号 クエリ番号",
    "rank": "rang platz rangplatz trefferposition rango posicion puesto pozycja poz positie "
    "posizione posicao 排名 排序 位置 順位",
    "doc": "dokument dokument_id dokumentnummer dok_id dok_nr treffer 文書id id_document "
    "identifiant_du_document documento documento_id id_documento risultato ris id_do_documento "
    "resultado 文档 文档编号 文档id 文書",
    "topic": "thema themen_id thema_id aufgabe aufgaben_id tache id_tache tema tema_id id_tema "
    "tarea compito id_compito argomento zadanie temat taak onderwerp tarefa id_tarefa topico 主题 "
    "主题编号 任务 任务编号 課題 タスク トピック",
    "system": "systeme systeem moteur sistema buscador suchsystem motore sys 系统 bedingung bed "
    "versuchsbedingung condicion condizione condicao 条件 assigned_system zugewiesenes_system "
    "systeme_attribue interfaccia sistema_assegnato sistema_asignado sistema_atribuido システム",
    "searcher": "nutzer nutzer_id benutzer teilnehmer teilnehmer_id versuchsperson vp vpn vp_id "
    "vp_nr proband probandin proband_nr 参加者 utilisateur utilisateur_id id_utilisateur 用户 "
    "用户编号 参与者 usuario usuario_id id_usuario participante id_participante utilizador utente "
    "id_utente partecipante id_partecipante soggetto site_user user_name uczestnik uczestniczka "
    "badany deelnemer proefpersoon pp ユーザー 被験者",
    "text": "anfrage suchanfrage anfragetext suchbegriff suchbegriffe requete texte_de_requete "
    "texte_de_la_requete 查询 查询词 查询文本 consulta texto_de_consulta texto_de_la_consulta "
    "texto_da_consulta testo_della_query testo_query interrogazione testo_interrogazione ricerca "
    "pesquisa クエリ utterance zapytanie zoekvraag zoekopdracht",
    "time": "zeit zeitpunkt zeitstempel uhrzeit ora orario data_ora data_hora heure horodatage "
    "hora marca_de_tiempo 时间 时间戳 godzina czas tijd tijdstip",
    "clicked": "geklickt angeklickt klick klicks clique clic clics 点击 klik klikniecie geklikt "
    "cliccato cliques clicado 是否点击 クリック",
    "examined": "angesehen gesehen betrachtet examine examinado visto 查看 esaminato visualizzato "
    "visualizado",
    "saved": "gespeichert gemerkt enregistre guardado salvato salvo 收藏",
    "assessor": "gutachter gutachterin bewerter bewerterin beurteiler assessorin juge annotateur "
    "evaluateur juez anotador evaluador 标注者 评估者 valutatore valutatrice giudice annotatore "
    "avaliador avaliadora juiz asesor sedzia beoordelaar",
    "grade": "relevanz relevanzgrad urteil relevanzurteil bewertung pertinence jugement "
    "relevancia juicio 相关性 相关度 评分 適合度 rilevanza pertinenza giudizio valutazione "
    "pertinencia avaliacao ocena istotnosc trafnosc relevantie beoordeling",
}


# which name a query's text or its number, as the cells beneath say
EITHER = (
    *("query", "anfrage", "suchanfrage", "requete", "consulta", "interrogazione", "zapytanie"),
    "查询",
)


@dataclass(frozen=True)
class Role:
    """A part that a column can play, and whether a table needs it.

    more : names that its columns go by in tables of one kind alone, blanks between
    """

    name: str
    required: bool = False
    more: str = ""

    @property
    def aliases(self) -> list[str]:
        """What columns of it are called in English beside its name, the likeliest first."""
        return f"{ENGLISH.get(self.name, '')} {self.more}".split()

    @property
    def names(self) -> tuple[str, ...]:
        """What columns of it are called, the likeliest first."""
        return (self.name, *self.aliases, *WORDS.get(self.name, "").split())


FOLD = ASKED["mapping"]  # where a page asks for them
BEIR = {"query_id": "topic", "corpus_id": "doc", "score": "grade"}  # names of its qrels → roles
DATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}")
NAMED = "the first row of a table names its columns"
TURN = "turn"  # of a conversation, as the tool that each of its turns calls
LISTS = (
    *("docs", "doc_ids", "docids", "documents", "results", "ranking", "urls", "result_list"),
    *("items", "item_ids", "hits", "hit_ids", "query_response_hit_ids", "result_ids"),
)
CLICKED_DOCS = ("click_url", "clicked_url")  # AOL's ClickURL
ENGLISH = {  # by role, as in WORDS
    "session": "session_id sessionid sid sess session_no conversation_id conv_id dialogue_id "
    "dialog_id thread_id mission mission_id",
    "query_number": f"query_no qno interaction query_num query_id qid query_nr q {TURN}",
    "rank": "position pos result_rank rank_no item_rank result_position serp_rank serp_position",
    "doc": "docno doc_id docid did document document_id url passage_id item_id object_id file_id "
    f"{' '.join(CLICKED_DOCS)} results_doc record record_id {' '.join(LISTS)}",
    "topic": "topic_id topic_num task task_id scenario topic_no need topic_title topic_name "
    "task_title task_name",
    "system": "system_id engine run run_id run_tag interface layout condition cond condition_id "
    "condition_name system_name search_system search_interface search_engine treatment ui arm",
    "searcher": "searcher_id user user_id userid participant participant_id anon_id worker "
    "worker_id subject subject_id subject_no participant_no client_id",
    "text": "query query_text query_string querytext query_str user_query prompt",
    "time": "timestamp starttime start_time datetime issued_at created_at query_time",
    "clicked": "click clicks is_clicked clicked_ranks clicked_docs clicked_urls clicked_ids "
    "clicked_results clicked_positions clicked_indices",
    "examined": "viewed seen is_examined",
    "saved": "is_saved bookmarked is_bookmarked starred",
    "grade": "relevance rel rels grades label judgment judgement",
    "assessor": "assessor_id judge annotator annotator_id rater rater_id coder completed_by",
}
SESSION, QUERY_NUMBER = Role("session", required=True), Role("query_number", required=True)
RANK, DOC = Role("rank", required=True), Role("doc", required=True)
TOPIC, SYSTEM, SEARCHER, TEXT, TIME = map(Role, ("topic", "system", "searcher", "text", "time"))
GRADE, ASSESSOR = Role("grade"), Role("assessor")
# dwell is added up by query, as columns are whose names say it
DONE = tuple(map(Role, ("clicked", "examined", "dwell", "saved")))
LOG_ROLES = (SESSION, QUERY_NUMBER, RANK, DOC, TOPIC, SYSTEM, SEARCHER, TEXT, TIME, *DONE, GRADE)
# what columns of a log are called, words joined: by these a row is known as a header
KNOWN = {n.replace("_", "") for role in LOG_ROLES for n in role.names if len(n) > 1}
VERDICTS = {"accept", "reject", "ignore"}  # of annotators, whatever the column is called
FREE_SESSION, FREE_NUMBER = (replace(role, required=False) for role in (SESSION, QUERY_NUMBER))
JUDGED = replace(GRADE, more="relevant is_relevant usefulness rating", required=True)
JUDGMENT_ROLES = (TOPIC, DOC, JUDGED, TEXT, FREE_SESSION, FREE_NUMBER, ASSESSOR)
RATED_NUMBER = replace(FREE_NUMBER, more="query_index")
ROLES = {
    "log": LOG_ROLES,
    "judgments": JUDGMENT_ROLES,
    "ratings": (FREE_SESSION, RATED_NUMBER, SEARCHER, TOPIC, TEXT, SYSTEM),
    "clicks": (FREE_SESSION, FREE_NUMBER, replace(DOC, required=False), TIME, SEARCHER, TOPIC),
}
ROLE_NAMES = tuple(dict.fromkeys(role.name for roles in ROLES.values() for role in roles))


def is_called(file: str, name: str) -> bool:
    """Whether a file is meant by a name: the one that is shown, or its last part.

    >>> is_called("study/ratings.csv", "ratings.csv"), is_called("ratings.csv", "s.csv")
    (True, False)
    """
    return name in (file, file.replace("\\", "/").rpartition("/")[2])


def given_for(mapping: Mapping[str, str], file: str) -> Roles:
    """Role → column that a file alone is given, as FILE:ROLE.

    >>> given_for({"doc": "URL", "a.csv:topic": "task", "b.csv:topic": ""}, "a.csv")
    {'topic': 'task'}
    """
    named = {key.rpartition(":")[::2]: column for key, column in mapping.items()}
    return {role: column for (name, role), column in named.items() if is_called(file, name)}


def beir_qrels(header: Sequence[str]) -> Roles:
    """Role → column of qrels as BEIR names their columns; nothing for another table.

    >>> beir_qrels(["query-id", "corpus-id", "score"])
    {'topic': 'query-id', 'doc': 'corpus-id', 'grade': 'score'}
    """
    columns = {plain_name(column): column for column in header}
    fits = columns.keys() == BEIR.keys()
    return {role: columns[name] for name, role in BEIR.items() if fits}


def joined_name(name: str) -> str:
    """The same without what joins its words: who writes topicid means topic_id.

    >>> joined_name("Query No"), joined_name("is_clicked")
    ('queryno', 'isclicked')
    """
    return plain_name(name).replace("_", "")


def short_names(last: Mapping[str, str]) -> dict[str, str]:
    """Last parts of names that are no role's, where these are one's and no other column's.

    >>> short_names({"labels.task": "task", "doc.id": "id", "user.name": "name"})
    {'labels.task': 'task'}
    """
    several = Counter(last.values())
    return {
        name: own
        for name, own in last.items()
        if several[own] == 1 and joined_name(own) in KNOWN and joined_name(name) not in KNOWN
    }


def looks_like_header(cells: list[str], least: int = 1) -> bool:
    """Whether at least so many of the cells are names that columns go by.

    >>> looks_like_header(["Session", "x"]), looks_like_header(["7", "0", "d1", "2"])
    (True, False)
    """
    return sum(joined_name(cell) in KNOWN for cell in cells) >= least


def is_row_of_data(cells: Sequence[str]) -> bool:
    """Whether a first row is data: some cell is a number, and none a name that columns go by.

    0, 1, 2, … is how pandas names columns that have no names.

    >>> is_row_of_data(["s1", "1", "1", "d1"]), is_row_of_data(["Sess", "2019"])
    (True, False)
    >>> is_row_of_data(["", "0", "1", "2"])
    False
    """
    plain = [cell.strip() for cell in cells]
    counted = plain[plain[0] == "" :]
    numbered = counted == [str(i) for i in range(len(counted))]
    some = len(plain) > 1 and any(NUMBER.fullmatch(cell) for cell in plain)
    timed = any(DATED.match(cell) for cell in plain)  # a moment is no name
    return some and not numbered and (timed or not looks_like_header([*cells]))


def map_columns(
    header: list[str], roles: tuple[Role, ...], given: Roles, *, exact: bool = False
) -> Roles:
    """Column of each role, as far as they are found.

    Parameters
    ----------
    header : names of the columns
    roles : what the table may hold
    given : role → column, which beats any guess; "" where no column plays the role
    exact : columns go by the roles' own names alone

    >>> map_columns(["Sess", "docid"], (LOG_ROLES[0], DOC), {})
    {'session': 'Sess', 'doc': 'docid'}
    >>> map_columns(["docid", "docno"], (DOC,), {})  # judgments have docno
    {'doc': 'docno'}
    """
    fitting = _fitting_columns(tuple(header), roles, exact)
    columns = {role.name: given[role.name] for role in roles if given.get(role.name) in header}
    for name in (role.name for role in roles if role.name not in given):
        taken = {*given.values(), *columns.values()}
        if free := [column for column in fitting[name] if column not in taken]:
            columns[name] = free[0]
    return {role.name: columns[role.name] for role in roles if role.name in columns}


def lacking_columns(
    raw: RawTable, roles: tuple[Role, ...], columns: Roles, in_file: Sequence[str] = ()
) -> list[Problem]:
    """An error for each role that is needed, and that no column plays.

    in_file : names of the columns in the files, where they go by their roles already
    """
    played, problems = {column: role for role, column in columns.items()}, list[Problem]()
    for name in (role.name for role in roles if role.required and role.name not in columns):
        found, remedy = f"no {name} column", say_column(name, columns)
        rule = f"the file has {', '.join(in_file or raw.header)}".removesuffix(".")
        if other := played.get(name):  # it would fit
            found, remedy = f"column {name!r} as {name} and as {other}", which_is_which(name, other)
            rule = "a column can have only one role"
        problems.append(error(raw.file, raw.header_line, found, rule, remedy))
    return [no_header(raw.file, raw.first, roles)] if problems and raw.first else problems


@lru_cache(maxsize=64)
def _fitting_columns(
    header: tuple[str, ...], roles: tuple[Role, ...], exact: bool
) -> dict[str, list[str]]:
    """Role → columns whose names it goes by, the likeliest first."""
    written = {} if exact else {plain_name(column): column for column in reversed(header)}
    joined = {
        name.replace("_", ""): column
        for end in ("_hash", "")  # session_id_hash is a session_id
        for name, column in ((n.removesuffix(end), c) for n, c in written.items())
    }
    written |= {column: column for column in header if exact or plain_name(column) == column}
    found = dict[str, list[str]]()
    for role in roles:
        known = (role.name,) if exact else role.names
        fits = (written.get(name) or joined.get(name.replace("_", "")) for name in known)
        found[role.name] = list(dict.fromkeys(name for name in fits if name))
    return found


def unknown_role_errors(mapping: Mapping[str, str], place: str) -> list[Problem]:
    """Errors for roles that are none."""
    rule = f"the roles are {', '.join(ROLE_NAMES)}"
    roles = [key.rpartition(":")[2] for key in mapping]
    return [error(place, None, f"role {r!r}", rule, CORRECT) for r in roles if r not in ROLE_NAMES]


CORRECT_KINDS = "Correct its kinds: the files' names, and what each is."
CORRECT = Remedy("Correct --map.", f"Choose another column under “{FOLD}”.")


TOLD_BY = {"session": "session_by", "query_number": "query_by"}  # by role, other columns


def say_column(role: str, known: Container[str] = ()) -> Remedy:
    """How a column comes to play a role, or others of the roles `known` tell it."""
    rename = f"Rename the column to {role}, or"
    ways = f"{rename} say which it is: --map {role}=NAME.", f"{rename} give it that role: “{FOLD}”."
    if choice := TOLD_BY.get(role):
        without = f"If there is none, say what a {role.partition('_')[0]} is:"
        by = [name for name in (SEARCHER.name, TOPIC.name) if name in known]
        by = by if role == SESSION.name and SEARCHER.name in by else ["COLUMN"]
        others = f"{option(choice, ','.join(by))}.", f"“{ASKED[choice]}”."
        ways = (f"{way} {without} {other}" for way, other in zip(ways, others, strict=True))
    return Remedy(*ways)


def map_remedy(role: str, column: str) -> Remedy:
    """How a role, or FILE:ROLE, has a column of this name."""
    said = option("mapping", quote(f"{role}={column}"))
    page = f"Give {column!r} the role {role.rpartition(':')[2]}: “{FOLD}”."
    return Remedy(f"Take that one: {said}.", page)


def which_is_which(role: str, other: str) -> Remedy:
    """How two roles come to have a column each."""
    page = f"Give {role} and {other} a column each: “{FOLD}”."
    return Remedy(f"Say which is which: --map {role}=NAME,{other}=NAME.", page)


def no_header(file: str, first: Sequence[str], roles: tuple[Role, ...]) -> Problem:
    """Error for a table whose first row names no columns."""
    of_log = roles == LOG_ROLES
    needed = ",".join(r.name for r in roles if r.required or (not of_log and r == TOPIC))
    own = "" if of_log else f"{file}:"
    more = ",…" * (len(first) > needed.count(",") + 1)
    remedy = Remedy(
        f"Name its {counted(len(first), 'column')}: --columns {quote(own + needed)}{more}.",
        f"Give each column its role: “{FOLD}”.",
    )
    return error(file, 1, f"no header row ({', '.join(map(repr, first))})", NAMED, remedy)
