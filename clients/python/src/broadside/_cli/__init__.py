"""The command line `broadside`. Its commands, options and texts are in command_line.json."""
