-- The judged documents of these topics, one row each with the code of its grade.
select
    row_number() over (order by judged.topic, judged.doc) as thing,
    topics.code as topic_code, judged.topic, judged.doc, grades.code
from (
    select topic, doc, max(grade) as grade from graded
    where fault is null and grade is not null group by topic, doc
) as judged
join topics on topics.topic = judged.topic
join grades on grades.grade = judged.grade
