"""From files to a study: readers, columns by role, rules, checks."""
