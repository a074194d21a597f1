"""The pages, one file per question; what they share is in screen/."""
