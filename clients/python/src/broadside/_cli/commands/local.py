"""init and completion, which need no service."""

from __future__ import annotations

import errno
import re
from pathlib import Path

from ..context import Context, address_of
from ..credentials import read_login
from ..failures import CliError
from ..table import TABLE


def init(context: Context) -> None:
    out = context.out
    folder = Path(context.arguments[0]).resolve()
    language = context.text("language") or "python"
    address = address_of(context, read_login(context.environment))
    url = address.url if address else "https://messages.broadside.example"
    _make_folder(folder)
    # npm accepts no other characters in a name.
    name = re.sub(r"[^a-z0-9-]+", "-", folder.name.lower()).strip("-") or "agent"
    files: dict[str, str] = TABLE["starter_agents"][language]
    for file, content in files.items():
        (folder / file).write_text(content.replace("{name}", name).replace("{url}", url), "utf-8")
    out.document({"folder": str(folder), "language": language, "files": list(files)})
    out.print(f"Wrote {', '.join(files)} to {folder}")
    out.print("README.md says how to start it.")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_empty = not any(folder.iterdir())
    except OSError as error:
        raise _refusal(f"{folder} cannot be created ({errno.errorcode.get(error.errno or 0, 'unknown')}).") from None
    if not is_empty:
        raise _refusal(f"{folder} is not empty. Nothing was written.")


def _refusal(message: str) -> CliError:
    advice = "Choose a folder that does not exist."
    return CliError(message, exit="usage", code="folder_not_usable", advice=advice)


def completion(context: Context) -> None:
    shell = context.arguments[0]
    script: str = TABLE["completions"][shell]
    context.out.print(script.rstrip())
    context.out.document({"shell": shell, "script": script})
