-- The topics that queries are on and somebody judged, coded from 1.
select topic, row_number() over (order by topic) as code
from (select distinct topic from graded where fault is null and grade is not null) as judged
where topic in (select coalesce(topic, '') from lists)
