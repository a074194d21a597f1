"""Programs: `sdcg`, its bundle, the wheel, processes that are killed."""
