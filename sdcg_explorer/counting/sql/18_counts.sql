-- The counts: results by list, rank, grade, and repeat or not, which are one number together.
-- Repeats and copies, few, are moved from the first appearances, as which all enter.
select places.list + counted.cell as cell, cast(sum(counted.results) as bigint) as results
from (
    select session, query_number, rank * 256 + code * 2 as cell, 1 as results from cells
    union all
    select repeated.session, repeated.query_number,
        repeated.rank * 256 + coalesce(moved.code, repeated.code) * 2 + moved.kind, moved.results
    from repeated
    join (
        select 1 as was, cast(null as int) as code, 0 as kind, -1 as results
        union all select 1, null, 1, 1
        union all select 2, null, 0, -1
        union all select 2, $again, 0, 1
    ) as moved on moved.was = repeated.kind
) as counted
join places
    on places.session = counted.session and places.query_number = counted.query_number
group by places.list + counted.cell
having sum(counted.results) <> 0
