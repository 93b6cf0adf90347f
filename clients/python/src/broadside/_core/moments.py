from __future__ import annotations

from datetime import datetime
from typing import Union

Moment = Union[datetime, str]
"""A point in time: a datetime with a time zone, or text in RFC 3339."""


def moment_text(moment: Moment) -> str:
    if isinstance(moment, str):
        return moment
    if moment.tzinfo is None:
        raise ValueError("The datetime has no time zone. Use datetime.now(timezone.utc), for example.")
    return moment.isoformat()
