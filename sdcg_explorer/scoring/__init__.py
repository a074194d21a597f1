"""What each query and each session was worth: the kernel that all questions stand on."""
