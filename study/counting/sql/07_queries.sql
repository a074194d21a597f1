-- The queries, numbered 1, 2, … within their session; topic 0 is any that nobody judged.
select
    lists.session, lists.query_number, lists.system, lists.searcher, lists.low, lists.high,
    row_number() over (partition by lists.session order by lists.query_number) as number,
    coalesce(topics.code, 0) as topic_code,
    coalesce(lists.deepest + $shift, 0) as length
from lists
left join topics on topics.topic = coalesce(lists.topic, '')
