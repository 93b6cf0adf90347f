"""Runs the command line: python -m broadside."""

from ._cli.main import main

main()
