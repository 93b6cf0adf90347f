from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from typing import Optional

_FORM = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?Z")


def parse_moment(text: object) -> Optional[Fraction]:
    """The seconds since 1970 of a time in RFC 3339 and UTC, without parts of a millisecond; None if it is not one."""
    form = _FORM.fullmatch(text) if isinstance(text, str) else None
    if form is None:
        return None
    try:
        whole = datetime.strptime(form[1], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    except ValueError:
        return None
    milliseconds = int((form[2] or "")[:3].ljust(3, "0"))
    return Fraction(int(whole.timestamp()) * 1000 + milliseconds, 1000)


def moment_text(seconds: Fraction) -> str:
    """A time as the service writes it, with milliseconds."""
    whole, milliseconds = divmod(int(seconds * 1000), 1000)
    return f"{(datetime(1970, 1, 1) + timedelta(seconds=whole)).isoformat()}.{milliseconds:03d}Z"
