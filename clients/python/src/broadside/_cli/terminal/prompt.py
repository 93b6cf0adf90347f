from __future__ import annotations

import getpass
import sys

from ..failures import UsageError

def is_interactive() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def read_standard_input() -> str:
    """All of standard input, which must be UTF-8, whatever the locale says."""
    return decode_text("Standard input", sys.stdin.buffer.read())


def decode_text(name: str, content: bytes) -> str:
    """Text from bytes. Bytes that are not UTF-8 are an error: they would be published as other characters."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name} is not UTF-8 text.", "Save or convert it as UTF-8.") from None


def ask(question: str) -> str:
    """Asks a question on standard error, so that standard output has only results."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def ask_hidden(question: str) -> str:
    """Asks for a secret. The terminal does not show what is typed."""
    return getpass.getpass(question, sys.stderr).strip()
