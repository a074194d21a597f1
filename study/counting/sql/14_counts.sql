-- The counts: results by group, query, rank and grade; kind 0 first appearances, 1 repeats,
-- 2 copies. Repeats and copies, few, are moved from the first appearances, as which all enter.
select place, number, rank, code, kind, cast(sum(results) as bigint) as results
from (
    select places.place, places.number, cells.rank, cells.code, 0 as kind, 1 as results
    from cells
    join places on places.session = cells.session and places.query_number = cells.query_number
    union all
    select places.place, places.number, repeated.rank, repeated.code, moved.kind, moved.results
    from repeated
    join places
        on places.session = repeated.session and places.query_number = repeated.query_number
    join (
        select 1 as was, 0 as kind, -1 as results union all select 1, 1, 1
        union all select 2, 0, -1 union all select 2, 2, 1
    ) as moved on moved.was = repeated.kind
) as counted
group by place, number, rank, code, kind
having sum(results) <> 0
