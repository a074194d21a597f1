"""Numbers that come twice, in all and within groups."""
