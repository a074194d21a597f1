-- What breaks a rule: how many places, and the first three.
with broken as (
    select rules.rule, session, query_number, cast(null as int) as rank,
           cast(null as string) as found, cast(lines as bigint) as places
    from lists join ($rules) as rules on (lists.fault & rules.bit) <> 0
    union all
    select 'system', session, cast(null as int), cast(null as int), other_system, 1
    from named where system <> other_system
    union all
    select 'searcher', session, cast(null as int), cast(null as int), other_searcher, 1
    from named where searcher <> other_searcher
    union all
    select 'topic', lists.session, query_number, cast(null as int), max(coalesce(topic, '')), 1
    from lists join named on named.session = lists.session and named.apart = 0
    where fault is null group by lists.session, query_number
    having min(coalesce(topic, '')) <> max(coalesce(topic, ''))
    union all
    select 'rank_base', session, query_number, nearest, cast(null as string), 1
    from lists where fault is null and nearest = 0 and $rank_zero = 0
    union all
    select 'same_rank', session, query_number, rank, other, 1
    from crowded where doc <> other and $same_rank = 0
    union all
    select 'own_conflicts', session, query_number, rank, doc, 1
    from crowded where doc = other and own <> other_own
    union all
    select fault, topic, cast(null as int), cast(null as int), doc, 1
    from graded where fault is not null
    union all
    select 'conflicts', topic, cast(null as int), cast(null as int), doc, 1
    from graded where fault is null and grade is not null and $conflicts = 0
    group by topic, doc having min(grade) <> max(grade)
),
placed as (
    select rule, session, query_number, rank, found,
           sum(places) over (partition by rule) as places,
           row_number() over (
               partition by rule order by session, query_number, rank, found) as place
    from broken
)
select rule, session, query_number, rank, found, cast(places as bigint) as places, place
from placed where place <= 3
order by rule, place
