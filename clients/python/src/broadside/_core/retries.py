from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Mapping, Optional


def pause_before(retry: int, random: float) -> float:
    """Seconds before a retry. They grow exponentially, and half of them is random, so that clients that failed together
    do not retry together."""
    return float(min(0.25 * 2 ** min(retry, 16), 8.0) * (0.5 + random / 2))


def retry_after(headers: Mapping[str, str], now: float) -> Optional[float]:
    """The Retry-After header, in seconds or as a date, in seconds from now; None if it is missing or invalid."""
    value = headers.get("retry-after")
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) < 16:
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    at = date if date.tzinfo else date.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.fromtimestamp(now, timezone.utc)).total_seconds())


def wait_before(
    retry: int,
    answer: Optional[tuple[int, Mapping[str, str]]],
    *,
    repeatable: bool,
    max_wait: float,
    random: float,
    now: float,
) -> Optional[float]:
    """Seconds to wait before a retry; None if a retry would not help or could repeat an effect.

    `answer` is the status and the headers of the response, or None if there was none.
    """
    pause = pause_before(retry, random)
    if answer is None:
        return pause if repeatable else None
    status, headers = answer
    # A limit without Retry-After lasts for the rest of the day.
    never_taken = status == 429 and "retry-after" in headers
    may_pass = "retry-after" in headers if status == 409 else status >= 500
    if not never_taken and not (may_pass and repeatable):
        return None
    asked = retry_after(headers, now) or 0.0
    return max(pause, asked) if asked <= max_wait else None
