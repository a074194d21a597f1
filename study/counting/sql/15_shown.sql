-- The queries of each system by the ranks that hold a result.
select coalesce(system, '') as system, low, high, count(*) as queries
from queries group by coalesce(system, ''), low, high
