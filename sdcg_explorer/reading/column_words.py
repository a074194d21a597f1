"""What columns are called in German, French, Spanish and Chinese, by role; mapping.py has English.

Words as `plain_name` makes them: small letters without accents, joined by underscores.
"""

WORDS: dict[str, tuple[str, ...]] = {
    "session": (
        *("sitzung", "sitzungs_id", "sitzung_id", "sitzungsnummer", "sitzung_nr"),
        *("id_session", "numero_de_session"),
        *("sesion", "sesion_id", "id_sesion", "id_de_sesion"),
        *("会话", "会话编号", "会话id"),
    ),
    "query_number": (
        *("anfragenummer", "anfrage_nr", "anfragenr", "suchanfrage_nr", "anfrage_nummer"),
        *("numero_de_requete", "no_requete", "requete_no", "numero_requete"),
        *("numero_de_consulta", "consulta_no", "numero_consulta", "no_consulta"),
        *("查询编号", "查询序号", "查询号"),
    ),
    "rank": (
        *("rang", "platz", "rangplatz", "trefferposition"),
        *("rango", "posicion", "puesto"),
        *("排名", "排序", "位置"),
    ),
    "doc": (
        *("dokument", "dokument_id", "dokumentnummer", "dok_id", "treffer"),
        *("id_document", "identifiant_du_document"),
        *("documento", "documento_id", "id_documento"),
        *("文档", "文档编号", "文档id"),
    ),
    "topic": (
        *("thema", "themen_id", "thema_id", "aufgabe", "aufgaben_id"),
        *("tache", "id_tache"),
        *("tema", "tema_id", "id_tema", "tarea"),
        *("主题", "主题编号", "任务", "任务编号"),
    ),
    "system": (
        *("systeme", "moteur", "sistema", "buscador", "suchsystem", "系统"),
        *("bedingung", "versuchsbedingung", "condicion", "条件"),
    ),
    "searcher": (
        *("nutzer", "nutzer_id", "benutzer", "teilnehmer", "teilnehmer_id", "versuchsperson"),
        *("utilisateur", "utilisateur_id", "id_utilisateur"),
        *("usuario", "usuario_id", "id_usuario", "participante"),
        *("用户", "用户编号", "参与者"),
    ),
    "text": (
        *("anfrage", "suchanfrage", "anfragetext", "suchbegriff", "suchbegriffe"),
        *("requete", "texte_de_requete", "texte_de_la_requete"),
        *("consulta", "texto_de_consulta", "texto_de_la_consulta"),
        *("查询", "查询词", "查询文本"),
    ),
    "time": (
        *("zeit", "zeitpunkt", "zeitstempel", "uhrzeit"),
        *("heure", "horodatage", "hora", "marca_de_tiempo", "时间", "时间戳"),
    ),
    "clicked": ("geklickt", "angeklickt", "klick", "klicks", "clique", "clic", "clics", "点击"),
    "examined": ("angesehen", "gesehen", "betrachtet", "examine", "examinado", "visto", "查看"),
    "assessor": (
        *("gutachter", "gutachterin", "bewerter", "beurteiler"),
        *("juge", "annotateur", "evaluateur", "juez", "anotador", "evaluador", "标注者", "评估者"),
    ),
    "grade": (
        *("relevanz", "relevanzgrad", "urteil", "relevanzurteil"),
        *("pertinence", "jugement", "relevancia", "juicio", "相关性", "相关度", "评分"),
    ),
}
# which name a query's text or its number, as the cells beneath say
EITHER = ("query", "anfrage", "suchanfrage", "requete", "consulta", "查询")
