-- The appearances of what its session shows more than once: a copy stands at a better rank of the
-- same list, too; a repeat has been shown by an earlier query.
select
    cells.session, cells.query_number, cells.rank, cells.code,
    case
        when cells.rank > min(cells.rank) over (
            partition by cells.session, cells.query_number, cells.thing) then 2
        when cells.query_number > several.earliest then 1
        else 0
    end as kind
from cells
join (
    select session, thing, min(query_number) as earliest
    from cells group by session, thing having count(*) > 1
) as several
    on several.session = cells.session and several.thing = cells.thing
