"""What was read, and may I trust it?"""
