-- The distinct grades, coded from 0 in ascending order.
select grade, row_number() over (order by grade) - 1 as code
from (
    select distinct grade from (
        select max(grade) as grade from graded
        where fault is null and grade is not null group by topic, doc
    ) as judged
) as every_grade
