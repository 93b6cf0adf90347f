from __future__ import annotations

import os
import random
import time
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Iterator

_STALE_SECONDS = 10
"""A lock is held while a small file is rewritten. One that is older was left by a process that was killed."""
_MAX_WAIT_SECONDS = 30


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keeps other processes from the same work on this file. The TypeScript command line uses the same lock."""
    lock = path.with_name(f"{path.name}.lock")
    token = f"{os.getpid()} {uuid.uuid4()}"
    end = time.monotonic() + _MAX_WAIT_SECONDS
    while not _is_taken(lock, token):
        _remove_stale(lock)
        if time.monotonic() > end:
            raise OSError(f"{lock} is held by another process.")
        time.sleep(0.002 + random.random() * 0.01)
    try:
        yield
    finally:
        with suppress(OSError):
            if lock.read_text("utf-8") == token:
                lock.unlink()


def _is_taken(lock: Path, token: str) -> bool:
    """Only one process can create a file that does not exist."""
    try:
        with open(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(token)
    except FileExistsError:
        return False
    except PermissionError:
        # Windows refuses a name whose file is being deleted.
        if os.name != "nt":
            raise
        return False
    return True


def _remove_stale(lock: Path) -> None:
    aside = lock.with_name(f"{lock.name}.{uuid.uuid4()}")
    # If the lock is not there, it was released meanwhile.
    with suppress(OSError):
        modified = lock.stat().st_mtime_ns
        if abs(time.time() - modified / 1e9) < _STALE_SECONDS:
            return
        lock.rename(aside)
        # If another process removed it first and took the lock, it gets its own back.
        if aside.stat().st_mtime_ns != modified:
            os.link(aside, lock)
    with suppress(OSError):
        aside.unlink()
