from __future__ import annotations

import getpass
import sys


def is_interactive() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def read_standard_input() -> str:
    """All of standard input."""
    return sys.stdin.read()


def ask(question: str) -> str:
    """Asks a question on standard error, so that standard output has only results."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def ask_hidden(question: str) -> str:
    """Asks for a secret. The terminal does not show what is typed."""
    return getpass.getpass(question, sys.stderr).strip()
