-- The list of each query: its session's group, and its number; 15 bits are left for a cell of it.
select queries.session, queries.query_number,
    (cast(groups.code - 1 as bigint) * 16384 + queries.number) * 32768 as list
from queries
join sessions on sessions.session = queries.session
join layouts on layouts.layout = sessions.layout
join groups
    on groups.bucket = sessions.bucket and groups.system = sessions.system
    and groups.layout = layouts.code
