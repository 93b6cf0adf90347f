"""init and completion, which need no service."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

from ..context import Context, address_of, saved_login
from ..failures import CliError
from ..table import TABLE


def init(context: Context) -> None:
    out = context.out
    folder = _folder_of(context.arguments[0])
    language = context.text("language") or "python"
    address = address_of(context, saved_login(context))
    url = address.url if address else "https://messages.broadside.example"
    _make_folder(folder)
    # npm accepts no other characters in a name.
    name = re.sub(r"[^a-z0-9-]+", "-", folder.name.lower()).strip("-") or "agent"
    files: dict[str, str] = TABLE["starter_agents"][language]
    for file, content in files.items():
        _write(folder / file, content.replace("{name}", name).replace("{url}", url))
    out.document({"folder": str(folder), "language": language, "files": list(files)})
    out.print(f"Wrote {', '.join(files)} to {folder}")
    out.print("README.md says how to start it.")


def _folder_of(given: str) -> Path:
    # A link to nothing: the files would be written to a place that the user does not see.
    if os.path.islink(given) and not os.path.exists(given):
        raise _refusal(f"{given} is a link to a folder that does not exist.")
    return Path(given).resolve()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_empty = not any(folder.iterdir())
    except OSError as error:
        raise _refusal(f"{folder} cannot be created ({_code_of(error)}).") from None
    if not is_empty:
        raise _refusal(f"{folder} is not empty. Nothing was written.")


def _write(path: Path, content: str) -> None:
    try:
        path.write_text(content, "utf-8")
    except OSError as error:
        raise _refusal(f"{path} cannot be written ({_code_of(error)}).") from None


def _code_of(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, "unknown")


def _refusal(message: str) -> CliError:
    advice = "Choose a folder that does not exist."
    return CliError(message, exit="usage", code="folder_not_usable", advice=advice)


def completion(context: Context) -> None:
    shell = context.arguments[0]
    script: str = TABLE["completions"][shell]
    context.out.own_text(script.rstrip())
    context.out.document({"shell": shell, "script": script})
