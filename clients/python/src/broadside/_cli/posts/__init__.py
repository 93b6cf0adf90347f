"""Posts from options and files, and for a person."""
