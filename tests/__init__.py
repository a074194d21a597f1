"""Tests; every expected value is published, worked by hand, or from the plain loop."""
