-- The counts: results by group, query, rank and grade; kind 0 first appearances, 1 repeats,
-- 2 copies. Repeats and copies, few, are moved from the first appearances, as which all enter.
select places.place, places.number, counted.rank, counted.code, counted.kind,
    cast(sum(counted.results) as bigint) as results
from (
    select session, query_number, rank, code, 0 as kind, 1 as results from cells
    union all
    select repeated.session, repeated.query_number, repeated.rank, repeated.code,
           moved.kind, moved.results
    from repeated
    join (
        select 1 as was, 0 as kind, -1 as results union all select 1, 1, 1
        union all select 2, 0, -1 union all select 2, 2, 1
    ) as moved on moved.was = repeated.kind
) as counted
join places
    on places.session = counted.session and places.query_number = counted.query_number
group by places.place, places.number, counted.rank, counted.code, counted.kind
having sum(counted.results) <> 0
