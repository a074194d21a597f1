-- The judged results within the top, each rank once.
select log.session, log.query_number, log.rank + $shift as rank, things.thing, things.code
from log
join things on things.topic = coalesce(log.topic, '') and things.doc = log.doc
left join (select distinct session, query_number from crowded) as several
    on several.session = log.session and several.query_number = log.query_number
where log.rank <= $within and several.session is null
union all
select crowded.session, crowded.query_number, crowded.rank + $shift, things.thing, things.code
from crowded
join things on things.topic = coalesce(crowded.topic, '') and things.doc = crowded.doc
where crowded.rank <= $within
