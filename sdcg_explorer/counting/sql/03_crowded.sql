-- Lists with more rows than ranks, each rank once: what stands there, and whether rows agree.
select
    log.session, log.query_number, log.topic, log.rank,
    min(log.doc) as doc, max(log.doc) as other, count(*) as lines,
    min(log.own) as own, max(log.own) as other_own
from log
join (
    select session, query_number from lists
    where fault is null and checked > bit_count(low) + bit_count(high)
) as several
    on several.session = log.session and several.query_number = log.query_number
where log.fault is null and log.rank <= 121
group by log.session, log.query_number, log.topic, log.rank
