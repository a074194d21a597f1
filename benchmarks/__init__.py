"""Speed, as ratios within one run: `make bench`. Never a test: times depend on the machine."""
