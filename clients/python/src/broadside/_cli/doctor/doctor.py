from __future__ import annotations

import platform
from typing import Any, Mapping

from ..._client import Broadside
from ..._core.settings import ConfigurationError
from ..._version import __version__
from ..context import Context, address_of, key_for, needs_login
from ..credentials import SavedLogin, credentials_path, is_readable_by_others, read_login
from ..error_report import in_words
from ..failures import CliError
from ..terminal.text import one_line, pad
from .account import check_account
from .connection import check_connection
from .findings import Finding, failed, passed, warning

_STYLES: Mapping[str, str] = {"ok": "green", "warning": "yellow", "failed": "red"}


def doctor(context: Context) -> str:
    """Checks everything between this machine and a published post. Exits like the first failure."""
    out, environment = context.out, context.environment
    findings: list[Finding] = []

    def add(*more: Finding) -> None:
        findings.extend(more)
        for finding in more:
            _show(context, finding)

    add(passed("versions", f"broadside {__version__}, Python {platform.python_version()}"))
    saved: SavedLogin = {}
    try:
        saved = read_login(environment)
    except CliError as error:
        advice = error.advice or ""
        is_needed = needs_login(environment)
        add(failed("login file", error.exit, str(error), advice) if is_needed else warning("login file", str(error), advice))
    if is_readable_by_others(environment):
        advice = f"chmod 600 {credentials_path(environment)}"
        add(warning("login file", "Other users of this machine can read the saved key.", advice))
    address = address_of(context, saved)
    if not address:
        advice = "Pass --url, set BROADSIDE_URL, or run `broadside login --url <address>`."
        add(failed("address", "usage", "No address is set.", advice))
    else:
        add(passed("address", f"{one_line(address.url)} from {address.source}"))
        reached = check_connection(address.url)
        add(*reached.findings)
        if reached.status:
            add(_moderation_of(reached.status), *_with_key(context, saved, address.url))
    first = next((finding for finding in findings if finding.result == "failed"), None)
    out.document({"ok": first is None, "checks": [_entry_of(finding) for finding in findings]})
    return (first.exit if first else None) or "ok"


def _show(context: Context, finding: Finding) -> None:
    out = context.out
    result = out.style(_STYLES[finding.result], pad(finding.result, 7))
    out.print(f"{result}  {pad(finding.name, 10)}  {finding.detail}")
    if finding.advice:
        out.print(f"{' ' * 21}{finding.advice}")


def _entry_of(finding: Finding) -> dict[str, str]:
    entry = {"name": finding.name, "result": finding.result, "detail": finding.detail}
    return entry if finding.advice is None else {**entry, "advice": finding.advice}


def _moderation_of(status: Any) -> Finding:
    state, queued, policy = status["moderation"]["state"], status["queued_posts"], status["policy_version"]
    return passed("moderation", f"{state}, posts waiting: {queued}, policy {policy}")


def _with_key(context: Context, saved: SavedLogin, base_url: str) -> list[Finding]:
    try:
        api_key = key_for(context, saved, base_url)
        if not api_key:
            advice = "Run `broadside login`, or set BROADSIDE_API_KEY."
            return [failed("key", "key", "There is no API key.", advice)]
        with Broadside(base_url=base_url, api_key=api_key) as client:
            return check_account(client)
    except CliError as error:
        return [failed("key", error.exit, str(error), error.advice or "")]
    except ConfigurationError as error:
        # The client refuses a key that cannot be one.
        advice = "Run `broadside login`, or correct BROADSIDE_API_KEY."
        return [failed("key", "key", in_words(error), advice)]
