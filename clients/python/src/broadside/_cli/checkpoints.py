"""What `verify` saw last: the checkpoint of each log by the log’s name, and the names of the logs of each site by the
site’s address, with a space between. The TypeScript command line uses the same file.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Mapping

from .._verify.verification import Verification
from .credentials import credentials_path
from .failures import CliError
from .file_lock import locked


def checkpoints_path(environment: Mapping[str, str]) -> Path:
    return credentials_path(environment).with_name("checkpoints.json")


def read_checkpoints(environment: Mapping[str, str]) -> dict[str, str]:
    """Empty before the first visit. A file that cannot be read is an error: without it, a changed log would pass."""
    path = checkpoints_path(environment)
    try:
        value = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError:
        raise _unusable(path, "cannot be read", "Correct its permissions.") from None
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and all(isinstance(note, str) for note in value.values()):
        return value
    raise _unusable(
        path, "is damaged", "Delete it only if you accept that changes to the log since your last visit will go unnoticed."
    )


def save_visit(environment: Mapping[str, str], found: Verification) -> None:
    """Remembers a visit. Replaces the file as a whole, and keeps what other runs have saved since this one began."""
    if found.checkpoint is None:
        return
    path = checkpoints_path(environment)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(path):
            _replace_file(path, _with_visit(read_checkpoints(environment), found))
    except OSError:
        advice = "Correct the permissions of the folder, or set XDG_CONFIG_HOME."
        raise _unusable(path, "cannot be written", advice) from None


def _with_visit(saved: Mapping[str, str], found: Verification) -> dict[str, str]:
    seen = dict(saved)
    if found.checkpoint:
        origin, note = found.checkpoint
        # Another run can have seen a larger tree meanwhile.
        if origin not in seen or _size_in(seen[origin]) <= _size_in(note):
            seen[origin] = note
    if found.logs:
        site, origins = found.logs
        seen[site] = " ".join(dict.fromkeys([*logs_in(seen.get(site, "")), *origins]))
    return seen


def _replace_file(path: Path, seen: Mapping[str, str]) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.unlink(missing_ok=True)
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{json.dumps(seen, indent=2)}\n")
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def logs_in(names: str) -> list[str]:
    """The names of logs, as the file has them for a site."""
    return names.split()


def _size_in(note: str) -> int:
    """The size in a checkpoint; -1 if it has none."""
    written = (note.split("\n") + [""])[1]
    return int(written) if re.fullmatch("[0-9]{1,19}", written) else -1


def _unusable(path: Path, why: str, advice: str) -> CliError:
    return CliError(
        f"The record of log checkpoints {why}: {path}", exit="failed", code="checkpoints_unusable", advice=advice
    )
