-- The ideal profile of each topic: how many documents have which grade.
select topic_code - 1 as topic, code, count(*) as documents from things group by topic_code, code
