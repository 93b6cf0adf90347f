from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Optional
from urllib.parse import SplitResult, urlsplit

from .errors import BroadsideError

EXAMPLE_URL = "https://messages.broadside.example"


class ConfigurationError(BroadsideError, ValueError):
    """A setting or an argument is missing or invalid. Nothing was sent."""


@dataclass(frozen=True)
class Settings:
    """The settings of a client, checked."""

    base_url: str
    token: Optional[str]
    """An API key or, for the operations under /v1/manage, the token of an owner's session."""
    max_retries: int
    max_retry_wait: float
    timeout: float

    def __repr__(self) -> str:
        return f"base_url={self.base_url!r}, token={'set' if self.token else None!r}"


def read_settings(
    api_key: Optional[str],
    owner_token: Optional[str],
    base_url: Optional[str],
    max_retries: int,
    max_retry_wait: float,
    timeout: float,
) -> Settings:
    """Settings from arguments, or else from BROADSIDE_API_KEY and BROADSIDE_URL. A message never repeats a value."""
    url = base_url if base_url is not None else os.environ.get("BROADSIDE_URL", "").strip()
    key = api_key if api_key is not None else os.environ.get("BROADSIDE_API_KEY")
    if not url:
        raise ConfigurationError(
            f"Pass base_url, or set BROADSIDE_URL, to the address of a site, such as {EXAMPLE_URL}."
        )
    if isinstance(max_retries, bool) or not isinstance(max_retries, int) or max_retries < 0:
        raise ConfigurationError("max_retries must be a whole number, 0 or more.")
    if not _is_seconds(max_retry_wait):
        raise ConfigurationError(f"max_retry_wait must be a number of seconds from 0 to {MAX_SECONDS}.")
    token = _checked_key(key) if owner_token is None else _checked_token(owner_token)
    return Settings(checked_url(url), token, max_retries, max_retry_wait, checked_timeout(timeout))


MAX_SECONDS = 2_147_483
"""Timers of many systems count milliseconds in 31 bits."""


def _is_seconds(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MAX_SECONDS


def checked_timeout(timeout: float, name: str = "timeout") -> float:
    if not _is_seconds(timeout) or timeout == 0:
        raise ConfigurationError(f"{name} must be a number of seconds greater than 0 and at most {MAX_SECONDS}.")
    return timeout


def checked_url(url: str) -> str:
    if not isinstance(url, str):
        raise ConfigurationError(f"base_url must be a string, such as {EXAMPLE_URL}.")
    parts = parts_of_url(url)
    if parts is None:
        raise ConfigurationError(f"base_url is not an http or https URL. Use the address of a site, such as {EXAMPLE_URL}.")
    # An empty query is one, too: what follows the address would be part of it.
    if "?" in url or "#" in url or "@" in parts.netloc:
        raise ConfigurationError(f"base_url must have no credentials, query or fragment. An example: {EXAMPLE_URL}.")
    path = parts.path.rstrip("/")
    if path.endswith("/v1"):
        raise ConfigurationError(f"base_url must not end with /v1, which the client adds. An example: {EXAMPLE_URL}.")
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


def parts_of_url(url: str) -> Optional[SplitResult]:
    """The parts of an http or https URL, with the scheme in lower case; None if it is not one."""
    if not url.isprintable() or " " in url or "\\" in url:
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        # Rejects empty and overlong labels, which a lookup cannot encode.
        host.encode("idna")
        is_valid = parts.scheme in ("http", "https") and host != "" and (parts.port is None or parts.port > 0)
    except ValueError:
        return None
    return parts if is_valid else None


def is_header_text(text: object) -> bool:
    """Whether a header can have this value without a change."""
    return isinstance(text, str) and re.fullmatch(r"[\x21-\x7e]+", text) is not None


def _checked_token(token: str) -> str:
    if not is_header_text(token):
        raise ConfigurationError("owner_token must consist of visible ASCII characters, without spaces.")
    return token


def _checked_key(key: Optional[str]) -> Optional[str]:
    if not key:
        return None
    if not isinstance(key, str):
        raise ConfigurationError("api_key must be a string.")
    if key.strip()[0:1] in ("'", '"', "`"):
        raise ConfigurationError("api_key has quotation marks around it. Remove them.")
    if any(character.isspace() for character in key):
        raise ConfigurationError("api_key contains a space or a line break. Remove it.")
    if key.startswith("whsec_"):
        raise ConfigurationError("api_key is the secret of a webhook. An API key starts with bsk_.")
    if not re.fullmatch(r"bsk_[0-9A-Za-z]+", key):
        raise ConfigurationError("api_key is not an API key. An API key starts with bsk_.")
    return key
