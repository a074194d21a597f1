"""Estimates, intervals and tests that know nothing of sDCG."""
