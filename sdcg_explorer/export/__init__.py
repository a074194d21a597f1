"""What leaves the explorer: tables, figures as files, the report, the bundle, links."""
