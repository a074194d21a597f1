"""What was read, and can I trust it?"""
