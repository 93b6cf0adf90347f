"""Sends the events of an account to a local receiver."""
