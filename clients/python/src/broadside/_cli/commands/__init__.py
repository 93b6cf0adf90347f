"""The commands, one function each."""
