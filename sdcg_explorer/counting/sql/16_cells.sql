-- The judged results within the top, each rank once.
select
    named.code as session, log.query_number, log.rank + $shift as rank, things.thing, things.code
from log
join named on named.session = log.session
join things on things.topic = coalesce(log.topic, '') and things.doc = log.doc
left join (select distinct session, query_number from crowded) as several
    on several.session = log.session and several.query_number = log.query_number
where log.rank <= $within and several.session is null
union all
select named.code, crowded.query_number, crowded.rank + $shift, things.thing, things.code
from crowded
join named on named.session = crowded.session
join things on things.topic = coalesce(crowded.topic, '') and things.doc = crowded.doc
where crowded.rank <= $within
