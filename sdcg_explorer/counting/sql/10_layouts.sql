-- The distinct layouts, coded.
select layout, row_number() over (order by layout) as code
from (select distinct layout from sessions) as every_layout
