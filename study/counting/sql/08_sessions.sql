-- The sessions: their system, one of 64 buckets by the md5 of searcher or session, and layout:
-- the topic and number of cells of each query, in order, a number for each.
select
    session,
    coalesce(min(system), '') as system,
    (instr('0123456789abcdef', substr(min(hash), 1, 1)) - 1) * 4
        + cast(floor((instr('0123456789abcdef', substr(min(hash), 2, 1)) - 1) / 4) as int)
        as bucket,
    array_sort(array_agg(
        number * 1099511627776 + topic_code * 256 + greatest(least(length, $top), $least)
    )) as layout
from (select *, md5(coalesce(searcher, session)) as hash from queries) as hashed
group by session
