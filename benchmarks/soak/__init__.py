"""What holds for minutes, under many visitors, and under kills."""
