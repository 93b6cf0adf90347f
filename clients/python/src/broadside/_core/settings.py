from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Optional
from urllib.parse import urlsplit

from .errors import BroadsideError

EXAMPLE_URL = "https://messages.broadside.example"


class ConfigurationError(BroadsideError, ValueError):
    """A setting of the client is missing or invalid."""


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
    url = base_url if base_url is not None else os.environ.get("BROADSIDE_URL")
    key = api_key if api_key is not None else os.environ.get("BROADSIDE_API_KEY")
    if not url:
        raise ConfigurationError(
            f"Pass base_url, or set BROADSIDE_URL, to the address of a site, such as {EXAMPLE_URL}."
        )
    if isinstance(max_retries, bool) or not isinstance(max_retries, int) or max_retries < 0:
        raise ConfigurationError("max_retries must be a whole number, 0 or more.")
    if not max_retry_wait >= 0:
        raise ConfigurationError("max_retry_wait must be a number of seconds, 0 or more.")
    token = owner_token or _checked_key(key)
    return Settings(_checked_url(url), token, max_retries, max_retry_wait, checked_timeout(timeout))


def checked_timeout(timeout: float) -> float:
    if not timeout > 0:
        raise ConfigurationError("timeout must be a number of seconds greater than 0.")
    return timeout


def _checked_url(url: str) -> str:
    if not isinstance(url, str):
        raise ConfigurationError(f"base_url must be a string, such as {EXAMPLE_URL}.")
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid or any(character.isspace() for character in url):
        raise ConfigurationError(f"base_url is not an http or https URL. Use the address of a site, such as {EXAMPLE_URL}.")
    if parts.query or parts.fragment or parts.username is not None:
        raise ConfigurationError(f"base_url must have no credentials, query or fragment. An example: {EXAMPLE_URL}.")
    if parts.path.rstrip("/").endswith("/v1"):
        raise ConfigurationError(f"base_url must not end with /v1, which the client adds. An example: {EXAMPLE_URL}.")
    return url.rstrip("/")


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
