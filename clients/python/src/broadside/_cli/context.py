from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence
from urllib.parse import urlsplit

from .._client import Broadside
from .credentials import SavedLogin, read_login
from .failures import CliError, UsageError
from .parse import Value
from .table import TABLE
from .terminal.output import Output


class Context(NamedTuple):
    """What a command gets."""

    arguments: Sequence[str]
    options: Mapping[str, Value]
    out: Output
    environment: Mapping[str, str]

    def text(self, option: str) -> Optional[str]:
        value = self.options.get(option)
        return value if isinstance(value, str) else None

    def is_set(self, option: str) -> bool:
        return option in self.options

    def list(self, option: str) -> Sequence[str]:
        value = self.options.get(option)
        return value if isinstance(value, list) else ()

    def number(self, option: str) -> int:
        return int(self.text(option) or 0)


class Address(NamedTuple):
    """The address of a site, and where it comes from."""

    url: str
    source: str


def needs_login(environment: Mapping[str, str]) -> bool:
    """Whether the environment lacks the address or the key."""
    return not all(environment.get(name, "").strip() for name in ("BROADSIDE_URL", "BROADSIDE_API_KEY"))


def saved_login(context: Context) -> SavedLogin:
    """The saved login. A file that cannot be read is no obstacle if nothing from it is needed."""
    try:
        return read_login(context.environment)
    except CliError:
        if needs_login(context.environment):
            raise
        return {}


def address_of(context: Context, saved: SavedLogin) -> Optional[Address]:
    sources = [
        (context.text("url"), "--url"),
        (context.environment.get("BROADSIDE_URL", "").strip(), "BROADSIDE_URL"),
        (saved.get("base_url"), "the saved login"),
    ]
    return next((Address(url, source) for url, source in sources if url), None)


def required_address(context: Context, saved: SavedLogin) -> str:
    found = address_of(context, saved)
    if found:
        return found.url
    raise UsageError(
        "The address of a site is missing.", "Pass --url, set BROADSIDE_URL, or run `broadside login --url <address>`."
    )


def open_public_client(context: Context) -> Broadside:
    """A client without a key."""
    return Broadside(base_url=required_address(context, saved_login(context)), api_key="")


def open_client(context: Context) -> Broadside:
    """A client with the key, if there is one."""
    saved = saved_login(context)
    base_url = required_address(context, saved)
    return Broadside(base_url=base_url, api_key=key_for(context, saved, base_url) or "")


def open_keyed_client(context: Context) -> Broadside:
    """A client with the key. Raises CliError if there is none."""
    saved = saved_login(context)
    base_url = required_address(context, saved)
    api_key = key_for(context, saved, base_url)
    if api_key:
        return Broadside(base_url=base_url, api_key=api_key)
    advice = TABLE["advice"]["missing_api_key"]
    raise CliError("There is no API key.", exit="key", code="missing_api_key", advice=advice)


def key_for(context: Context, saved: SavedLogin, base_url: str) -> Optional[str]:
    """The key from the environment, or the saved one if the address belongs to the service that it was saved for."""
    given = context.environment.get("BROADSIDE_API_KEY", "").strip()
    if given or not saved.get("api_key"):
        return given or None
    saved_url = saved.get("base_url")
    if saved_url and _is_same_service(saved_url, base_url):
        return saved["api_key"]
    raise CliError(
        f"The saved key belongs to {saved_url or 'no address'}, not to {base_url}.",
        exit="key",
        code="saved_key_of_another_service",
        advice=f"Run `broadside login --url {base_url}`, or set BROADSIDE_API_KEY.",
    )


def _is_same_service(saved: str, asked: str) -> bool:
    """Whether both are sites of one service. A key must not go to an address that was only mistyped."""
    if _origin(saved) == _origin(asked):
        return True
    if saved.lower().startswith("https:") and not asked.lower().startswith("https:"):
        return False
    with Broadside(base_url=saved, api_key="") as client:
        status: Any = client.get_status()
    sites = status.get("sites") if isinstance(status, dict) else None
    urls = [site.get("url") for site in sites if isinstance(site, dict)] if isinstance(sites, list) else []
    return any(isinstance(url, str) and _origin(url) == _origin(asked) for url in urls)


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return url
    return f"{parts.scheme}://{parts.hostname}:{port}"
