from __future__ import annotations

import re
import socket
import ssl
import time
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, Optional, Sequence
from urllib.parse import urlsplit

import httpx

from ..._core.settings import ConfigurationError, checked_url
from ..._transport import SEND_ERRORS
from ..error_report import in_words
from .findings import Finding, failed, passed, warning

_TIMEOUT = 10.0
_WORST_SKEW = 300
"""Receivers refuse webhooks that are 5 minutes old."""
_SMALL_SKEW = 30


class Reached(NamedTuple):
    findings: Sequence[Finding]
    status: Optional[Any] = None


def check_connection(address: str) -> Reached:
    """Name, connection, site and clock. Stops at the first failure, because the rest would repeat it."""
    try:
        base_url = checked_url(address)
    except ConfigurationError as error:
        return Reached([failed("address", "usage", in_words(error), "Pass --url https://…")])
    scheme, host, port = _parts_of(base_url)
    name = _check_name(host, port)
    if name.result == "failed":
        return Reached([name])
    step = "tls" if scheme == "https" else "connection"
    try:
        response = httpx.get(f"{base_url}/v1/status", follow_redirects=False, timeout=_TIMEOUT)
    except SEND_ERRORS as error:
        return Reached([name, _unreachable(step, error)])
    connected = passed(step, "encrypted" if scheme == "https" else "http")
    status = _status_in(response)
    if status is None:
        return Reached([name, connected, _no_site(response.status_code)])
    site = passed("site", f"Broadside with {len(status['sites'])} sites")
    return Reached([name, connected, site, _check_clock(response)], status)


def _parts_of(base_url: str) -> tuple[str, str, int]:
    parts = urlsplit(base_url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _check_name(host: str, port: int) -> Finding:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        codes = {number: name for name, number in vars(socket).items() if name.startswith("EAI_")}
        code = codes.get(getattr(error, "errno", None), "unknown").replace("EAI_NONAME", "ENOTFOUND")
        return failed("name", "unavailable", f"{host} has no address ({code}).", "Check the spelling and the DNS.")
    return passed("name", f"{host} is {found[0][4][0]}")


def _unreachable(step: str, error: Exception) -> Finding:
    cause: Optional[BaseException] = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            advice = "Check the certificate of the site, the clock and the proxy of this machine."
            return failed(step, "unavailable", f"No connection ({cause.reason or 'SSL'}).", advice)
        if isinstance(cause, ConnectionRefusedError):
            advice = "Nothing listens there. Check the address and the port."
            return failed(step, "unavailable", "No connection (ECONNREFUSED).", advice)
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.TimeoutException):
        advice = "Check the network and the firewall, and whether you need a proxy."
        return failed(step, "unavailable", "No connection (TimeoutError).", advice)
    code = re.sub(r"\W+", "", type(error).__name__)
    return failed(step, "unavailable", f"No connection ({code}).", "Check the network and the address.")


def _status_in(response: httpx.Response) -> Optional[Any]:
    try:
        status = response.json()
    except (ValueError, RecursionError):
        return None
    is_status = response.is_success and isinstance(status, dict) and isinstance(status.get("sites"), list)
    return status if is_status else None


def _no_site(status: int) -> Finding:
    if status >= 500:
        return failed("site", "unavailable", f"GET /v1/status returned {status}.", "Try again in a few minutes.")
    return failed("site", "failed", f"GET /v1/status returned {status}: this is not a Broadside site.", "Check the address.")


def _check_clock(response: httpx.Response) -> Finding:
    try:
        theirs = parsedate_to_datetime(response.headers.get("date", "")).timestamp()
    except (TypeError, ValueError, IndexError):
        return warning("clock", "The site sends no Date header.", "Check the proxy between you and it.")
    seconds = round(time.time() - theirs)
    detail = f"{abs(seconds)} s {'behind' if seconds < 0 else 'ahead of'} the service"
    if seconds == 0:
        detail = "agrees with the service"
    advice = "Set the clock of this machine. Webhook signatures depend on it."
    if abs(seconds) >= _WORST_SKEW:
        return failed("clock", "failed", detail, advice)
    return warning("clock", detail, advice) if abs(seconds) >= _SMALL_SKEW else passed("clock", detail)
