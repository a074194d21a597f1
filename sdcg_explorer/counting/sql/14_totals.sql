-- The size of what was counted, and what was mended by rule.
select 'sessions' as what, count(*) as number from sessions
union all select 'queries', count(*) from queries
union all select 'queries_without_results', count(*) from queries where length = 0
union all select 'queries_renumbered', count(*) from queries where number <> query_number
union all select 'results', coalesce(sum(cast(results as bigint)), 0)
    - (select coalesce(sum(lines - 1), 0) from crowded) from lists
union all select 'searchers', count(distinct case when searcher <> '' then searcher end) from named
union all select 'topics', count(distinct coalesce(topic, '')) from lists
union all select 'rows_merged', coalesce(sum(lines - 1), 0) from crowded where doc = other
union all select 'ranks_clashing', count(*) from crowded where doc <> other
union all select 'judgments_merged', coalesce(sum(lines - 1), 0) from (
    select count(*) as lines from graded where fault is null and grade is not null
    group by topic, doc) as judged
union all select 'judgments_left_out', count(*) from graded where fault is null and grade is null
