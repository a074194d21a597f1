-- The sessions by name, each with a code of its own, by which later tables know it; a second
-- system or searcher stands apart, and so does whether each list is of another query for sure.
select $each as code, session, system, other_system, searcher, other_searcher,
    case when lists = bit_count(numbers) then 1 else 0 end as apart
from (
    select
        session, count(*) as lists,
        bit_or(cast(1 as bigint) << least(query_number, 62)) as numbers,
        min(coalesce(system, '')) as system, max(coalesce(system, '')) as other_system,
        min(coalesce(searcher, '')) as searcher, max(coalesce(searcher, '')) as other_searcher
    from lists where fault is null group by session
) as grouped
