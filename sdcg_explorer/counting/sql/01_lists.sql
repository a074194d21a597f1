-- A row for each list of results: how many rows it has, which ranks as bits, and how deep it goes.
-- Rows of one query that name another topic, system or searcher, or break a rule, stand apart.
select
    session, query_number, topic, system, searcher, fault,
    count(*) as lines,
    count(rank) as results,
    count(case when rank <= 121 then 1 end) as checked,
    min(rank) as nearest,
    max(rank) as deepest,
    bit_or(case when rank <= 60 then cast(1 as bigint) << rank else cast(0 as bigint) end) as low,
    bit_or(case when rank between 61 and 121 then cast(1 as bigint) << (rank - 61)
           else cast(0 as bigint) end) as high
from log
group by session, query_number, topic, system, searcher, fault
