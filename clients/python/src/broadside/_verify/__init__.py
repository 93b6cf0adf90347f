"""Checks that a post is what the service signed and logged."""
