-- The queries of each system by the ranks that hold a result.
select system, low, high, count(*) as queries
from queries group by system, low, high
