"""Finds out why something does not work."""
