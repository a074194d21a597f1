"""Files of search agents: runs, messages, traces and conversations, as calls of tools."""
