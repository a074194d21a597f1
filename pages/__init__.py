"""The twelve pages, one file per question; what they share lies in parts/."""
