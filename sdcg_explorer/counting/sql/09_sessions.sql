-- The sessions: their system, one of 256 buckets by the md5 of searcher or session (or one of
-- all), and layout: the topic and number of cells of each query, in order, a number for each.
select
    named.code as session, named.system,
    case when $buckets = 1 then 0
         else (instr('0123456789abcdef', substr(named.hash, 1, 1)) - 1) * 16
             + instr('0123456789abcdef', substr(named.hash, 2, 1)) - 1 end as bucket,
    laid.layout
from (
    select code, system, md5(case when searcher = '' then session else searcher end) as hash
    from named
) as named
join (
    select session, array_sort(array_agg(
        number * 1099511627776 + topic_code * 256 + greatest(least(length, $top), $least)
    )) as layout
    from queries group by session
) as laid
    on laid.session = named.code
