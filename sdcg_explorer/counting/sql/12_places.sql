-- The group of each query's session.
select queries.session, queries.query_number, queries.number, groups.code as place
from queries
join sessions on sessions.session = queries.session
join layouts on layouts.layout = sessions.layout
join groups
    on groups.bucket = sessions.bucket and groups.system = sessions.system
    and groups.layout = layouts.code
