-- The queries, numbered 1, 2, … within their session; topic 0 is any that nobody judged.
select
    named.code as session, lists.query_number, named.system, lists.low, lists.high,
    row_number() over (partition by named.code order by lists.query_number) as number,
    coalesce(topics.code, 0) as topic_code,
    coalesce(lists.deepest + $shift, 0) as length
from lists
join named on named.session = lists.session
left join topics on topics.topic = coalesce(lists.topic, '')
