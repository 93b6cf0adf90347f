from __future__ import annotations

import re
import time
import zlib
from contextlib import closing
from threading import Thread
from typing import Callable, NamedTuple, Optional, TypeVar
from urllib.parse import urlsplit

import httpx

from .._core.settings import parts_of_url
from .refusal import Refusal

MAX_BYTES = 2**20
"""Larger than any post, document of keys, proof or checkpoint. A compressed response can grow without end."""
_TIMEOUT_SECONDS = 20
_MAX_REDIRECTS = 5


class PostAddresses(NamedTuple):
    page: str
    json: str


def is_address(text: str) -> bool:
    """Whether the text is an http or https address."""
    return parts_of_url(text) is not None


_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
# A host whose last label begins with a digit could be another spelling of an IPv4 address.
_HOST = f"(?:(?:{_LABEL}[.])*(?![0-9]){_LABEL}|(?:{_OCTET}[.]){{3}}{_OCTET})"
_PATH = "(?:/(?![.]{1,2}(?:/|$))[A-Za-z0-9_.~-]+)*"
_PLAIN_URL = re.compile(f"https?://{_HOST}(?::([1-9][0-9]{{0,4}}))?{_PATH}")


def is_plain_url(url: str) -> bool:
    """Whether all programs read an address alike: it has no user and no query, and nothing in it has a second spelling."""
    found = _PLAIN_URL.fullmatch(url)
    return found is not None and int(found[1] or 0) < 65_536 and is_address(url)


def is_page_url(url: str) -> bool:
    """Whether an address is the one that the page of a post has."""
    return is_plain_url(url) and is_post_address(url) and post_addresses(url).page == url


def is_post_address(address: str) -> bool:
    """Whether an address can be that of a post, and not only that of a site."""
    return _page_path_of(address) != ""


def _page_path_of(address: str) -> str:
    path = urlsplit(address).path
    id = re.fullmatch(r"/v1/posts/([^/]+)", path)
    found = f"/p/{id[1]}" if id else re.sub(r"(\.json|\.tlog-proof|/)$", "", path)
    return "" if found == "/" else found


def post_addresses(address: str) -> PostAddresses:
    """The addresses of a post’s page and of its JSON, from any address of the post."""
    parts, path = urlsplit(address), _page_path_of(address)
    default = {"http": ":80", "https": ":443"}[parts.scheme]
    host = parts.netloc.rpartition("@")[2].lower()
    page = f"{parts.scheme}://{host[: -len(default)] if host.endswith(default) else host}{path}"
    return PostAddresses(page, f"{page}.json")


def reader_until(http: httpx.Client, seconds: float) -> Callable[[str, int], Optional[bytes]]:
    """Reads addresses for so many seconds. After that, every address is unavailable."""
    end = time.monotonic() + seconds

    def read(url: str, max_bytes: int) -> Optional[bytes]:
        left = end - time.monotonic()
        if left <= 0:
            raise Refusal("unavailable", "The time for the verification is over.")
        return read_url(url, http, min(left, _TIMEOUT_SECONDS), max_bytes)

    return read


def read_url(
    url: str, http: httpx.Client, seconds: float = _TIMEOUT_SECONDS, max_bytes: int = MAX_BYTES
) -> Optional[bytes]:
    """The body at an address; None if nothing is there. Refuses with `unavailable` if no answer comes in time.

    httpx limits only the wait for the next bytes, and a server can send some forever. So a thread makes the request.
    """
    found: list[Optional[bytes]] = []
    failures: list[Exception] = []

    def run() -> None:
        try:
            found.append(_read(url, http, time.monotonic() + seconds, max_bytes))
        except Exception as error:
            failures.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if found:
        return found[0]
    if failures and not isinstance(failures[0], _NO_ANSWER):
        raise failures[0]
    raise Refusal("unavailable", f"{url} did not answer.")


_NO_ANSWER = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeError, zlib.error)


def _read(url: str, http: httpx.Client, end: float, max_bytes: int) -> Optional[bytes]:
    # A copy in a cache could be older than the log.
    headers = {"cache-control": "no-cache", "accept-encoding": "identity"}
    request = http.build_request("GET", url, headers=headers, timeout=_TIMEOUT_SECONDS)
    for _ in range(_MAX_REDIRECTS + 1):
        # httpx would read the whole body of a redirect, and decode it.
        with closing(http.send(request, stream=True, follow_redirects=False)) as response:
            if response.next_request is None or not http.follow_redirects:
                return _answer_of(response, url, end, max_bytes)
            request = response.next_request
    raise Refusal("unavailable", f"{url} has too many redirects.")


def _answer_of(response: httpx.Response, url: str, end: float, max_bytes: int) -> Optional[bytes]:
    if response.status_code in (404, 410):
        return None
    if not response.is_success:
        raise Refusal("unavailable", f"{url} answered {response.status_code}.")
    if response.is_stream_consumed:
        # A transport that is a mock can answer with a body that httpx has already read and decoded.
        return _limited(response.content, max_bytes)
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip"):
        raise Refusal("unavailable", f"{url} answered with an encoding that was not asked for.")
    body = _body_of(response, end, max_bytes)
    return _decompressed(body, max_bytes) if encoding == "gzip" else body


def _body_of(response: httpx.Response, end: float, max_bytes: int) -> bytes:
    body = bytearray()
    for chunk in response.iter_raw():
        body += chunk
        _limited(body, max_bytes)
        if time.monotonic() > end:
            raise httpx.ReadTimeout("The response takes too long.")
    return bytes(body)


def _decompressed(body: bytes, max_bytes: int) -> bytes:
    """What was compressed with gzip, once. Some stores send it to everyone."""
    decompressor = zlib.decompressobj(16 + zlib.MAX_WBITS)
    found = _limited(decompressor.decompress(body, max_bytes + 1), max_bytes)
    if not decompressor.eof or decompressor.unused_data:
        raise zlib.error("The body is not one complete gzip stream.")
    return found


Data = TypeVar("Data", bytes, bytearray)


def _limited(body: Data, max_bytes: int) -> Data:
    if len(body) > max_bytes:
        raise Refusal("response_too_large")
    return body
