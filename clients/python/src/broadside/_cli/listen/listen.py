from __future__ import annotations

import re
import time
from typing import Any, Optional

import httpx

from ..context import Context, open_keyed_client
from ..credentials import not_saved, read_login, save_login
from ..failures import CliError, UsageError
from ..terminal.interrupt import ended_by_signals
from ..terminal.text import fit, one_line
from .delivery import Attempt, attempt, new_listen_secret, sign_delivery

_RETRY_DELAYS = (1, 3, 9)
"""Seconds before each retry. Afterwards the event is given up, and the next one follows."""


def listen(context: Context) -> None:
    """Forwards the events of the account, one after another, until Ctrl-C."""
    out = context.out
    secret = _listen_secret(context)
    if context.is_set("print-secret"):
        out.document({"secret": secret})
        return out.print(secret)
    url = _receiver_url(context)
    last = context.text("after")
    with open_keyed_client(context) as client, httpx.Client(trust_env=False) as http:
        out.note(f"Sending your events to {url}. Press Ctrl-C to stop.")
        out.note(f"Signing secret: {secret}")
        try:
            with ended_by_signals():
                for entry in client.stream(scope="mine", after=last):
                    _forward(context, http, url, secret, entry["data"])
                    last = entry["id"]
        except KeyboardInterrupt:
            if last:
                command = f"broadside listen --forward-to {url} --after {one_line(last)}"
                out.note(f"Continue after the last event: {command}")


def _listen_secret(context: Context) -> str:
    """The secret of this machine. It is made once; where it cannot be saved, each time."""
    environment = context.environment
    try:
        saved = read_login(environment)
        if not saved.get("listen_secret"):
            saved["listen_secret"] = new_listen_secret()
            save_login(environment, saved)
        return saved["listen_secret"]
    except CliError as error:
        reason = str(error)
    except OSError as error:
        reason = not_saved(environment, error)
    context.out.note(f"The signing secret is not saved and will be another one next time: {reason}")
    return new_listen_secret()


def _receiver_url(context: Context) -> str:
    given = context.text("forward-to")
    if given is None:
        raise UsageError("--forward-to is missing.", "Pass --forward-to http://localhost:3000/hook")
    try:
        url = httpx.URL(given)
        is_valid = re.match(r"https?://", given) is not None and bool(url.host)
    except (httpx.InvalidURL, ValueError):
        is_valid = False
    if not is_valid:
        raise UsageError(
            "--forward-to must start with http:// or https://.", f"Did you mean http://{one_line(given)}?"
        )
    return str(url if url.path else url.copy_with(path="/"))


def _forward(context: Context, http: httpx.Client, url: str, secret: str, event: Any) -> None:
    """Sends an event until the receiver takes it or the attempts are used up. Later events wait, so their order stays."""
    for tries in range(1, len(_RETRY_DELAYS) + 2):
        # Each attempt has a signature of its own time, as receivers refuse old ones.
        result = attempt(http, url, sign_delivery(secret, event, time.time()))
        wait = None if result.is_delivered or tries > len(_RETRY_DELAYS) else _RETRY_DELAYS[tries - 1]
        _report(context, event, tries, result, wait)
        if wait is None:
            return
        time.sleep(wait)


def _report(context: Context, event: Any, tries: int, result: Attempt, wait: Optional[int]) -> None:
    out = context.out
    out.json_line(
        {
            "event": event,
            "attempt": tries,
            "status": result.status,
            "error": result.error,
            "duration_ms": result.duration_ms,
            "delivered": result.is_delivered,
            "will_retry": wait is not None,
        }
    )
    outcome = f"{result.status or result.error} {result.duration_ms} ms"
    following = "" if result.is_delivered else "  gave up" if wait is None else f"  retry in {wait} s"
    facts = (event["timestamp"][11:19], event["type"], event["data"].get("id", ""))
    what = fit("  ".join(map(one_line, facts)), max(20, out.look.width - len(outcome) - len(following) - 2))
    out.print(f"{what}  {out.style('green' if result.is_delivered else 'red', outcome)}{following}")
