"""Published results computed anew, beside what was printed: `make reproduce`."""
