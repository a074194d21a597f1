"""What each query and session was worth, one by one."""
