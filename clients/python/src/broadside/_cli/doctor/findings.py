from __future__ import annotations

from typing import NamedTuple, Optional


class Finding(NamedTuple):
    """One line of the report. A failure says how the command exits."""

    name: str
    result: str
    """ok, warning or failed."""
    detail: str
    advice: Optional[str] = None
    """What to do."""
    exit: Optional[str] = None


def passed(name: str, detail: str) -> Finding:
    return Finding(name, "ok", detail)


def warning(name: str, detail: str, advice: str) -> Finding:
    return Finding(name, "warning", detail, advice)


def failed(name: str, exit: str, detail: str, advice: str) -> Finding:
    return Finding(name, "failed", detail, advice, exit)
