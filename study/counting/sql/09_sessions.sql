-- The sessions: their system, one of 64 buckets by the md5 of searcher or session, and layout:
-- the topic and number of cells of each query, in order, a number for each.
select
    named.code as session, named.system,
    (instr('0123456789abcdef', substr(named.hash, 1, 1)) - 1) * 4
        + cast(floor((instr('0123456789abcdef', substr(named.hash, 2, 1)) - 1) / 4) as int)
        as bucket,
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
