from __future__ import annotations

import signal
from contextlib import contextmanager
from types import FrameType
from typing import Iterator, Optional


def _interrupt(number: int, frame: Optional[FrameType]) -> None:
    raise KeyboardInterrupt


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Lets SIGTERM end what runs inside it as Ctrl-C does: with KeyboardInterrupt."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
