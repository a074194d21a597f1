-- Groups of sessions that share bucket, system and layout, coded; and how many sessions each has.
select
    row_number() over (
        order by bucket, case when system = '' then '$nameless' else system end, layout) as code,
    bucket, system, layout, sessions
from (
    select sessions.bucket, sessions.system, layouts.code as layout, count(*) as sessions
    from sessions join layouts on layouts.layout = sessions.layout
    group by sessions.bucket, sessions.system, layouts.code
) as counted
