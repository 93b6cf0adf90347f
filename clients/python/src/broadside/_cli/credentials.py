"""What this machine remembers. The TypeScript command line reads and writes the same file."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from pathlib import Path
from typing import Mapping

from .failures import CliError

SavedLogin = dict[str, str]
"""base_url, api_key and listen_secret, each if it is known."""


def credentials_path(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """$XDG_CONFIG_HOME/broadside/credentials.json, by default under ~/.config; on Windows under %APPDATA%."""
    home = Path(environment.get("HOME") or Path.home())
    if platform == "win32":
        folder = environment.get("APPDATA") or home / "AppData" / "Roaming"
    else:
        folder = environment.get("XDG_CONFIG_HOME") or home / ".config"
    return Path(folder) / "broadside" / "credentials.json"


def read_login(environment: Mapping[str, str]) -> SavedLogin:
    """The saved login; empty if there is none."""
    path = credentials_path(environment)
    try:
        value = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError:
        raise _unusable(path, "cannot be read") from None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _unusable(path, "is not a JSON object")
    if not all(isinstance(each, str) for each in value.values()):
        raise _unusable(path, "has a value that is not text")
    return value


def _unusable(path: Path, why: str) -> CliError:
    return CliError(
        f"The saved login {why}: {path}",
        exit="failed",
        code="login_unreadable",
        advice="Correct or delete the file, then run `broadside login`.",
    )


def save_login(environment: Mapping[str, str], login: Mapping[str, str]) -> Path:
    """Saves the login in a file that only the user can read. Replaces the file as a whole. Returns its path."""
    path = credentials_path(environment)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"{json.dumps(login, indent=2)}\n")
        os.replace(draft, path)
    finally:
        # It has the key, too.
        draft.unlink(missing_ok=True)
    return path


def not_saved(environment: Mapping[str, str], error: OSError) -> str:
    """Says that the login cannot be saved, and why."""
    code = errno.errorcode.get(error.errno or 0, "unknown")
    return f"{credentials_path(environment)} cannot be written ({code})."


def is_readable_by_others(environment: Mapping[str, str]) -> bool:
    """Whether other users can read the saved login. Windows has no such bits."""
    try:
        return sys.platform != "win32" and bool(stat.S_IMODE(credentials_path(environment).stat().st_mode) & 0o077)
    except OSError:
        return False
