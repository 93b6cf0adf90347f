"""Verifies that a post is what the service signed and logged."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Mapping, Optional, Sequence, Union

import httpx

from ._core.settings import ConfigurationError
from ._verify.refusal import Refusal as Refusal
from ._verify.log_checks import Cosignature as Cosignature
from ._verify.log_checks import Read
from ._verify.sources import MAX_BYTES, is_address, is_post_address, post_addresses, reader_until
from ._verify.verification import Check as Check
from ._verify.verification import Input, run_checks
from ._verify.verification import LogCheckpoint as LogCheckpoint
from ._verify.verification import SiteLogs as SiteLogs
from ._verify.verification import Verification as Verification
from ._verify.verification import VerifiedFacts as VerifiedFacts


def verify_post(
    source: Union[str, bytes],
    *,
    keys: Optional[bytes] = None,
    proof: Optional[bytes] = None,
    witnesses: Sequence[str] = (),
    last_visit: Optional[Mapping[str, str]] = None,
    seen_logs: Optional[Mapping[str, Sequence[str]]] = None,
    author_key: Optional[str] = None,
    offline: bool = False,
    now: Union[float, datetime, None] = None,
    timeout_seconds: float = 60,
    http_client: Optional[httpx.Client] = None,
) -> Verification:
    """Checks the signatures of a post, its entry in the transparency log, and that the log has only grown.

    `source` is the address of a post, or its JSON as bytes, exactly as it was read. Without `keys` and `proof`, they are
    read from the post’s site. `witnesses` are verifier keys of witnesses that must have cosigned the log. `last_visit` has
    the checkpoints of earlier verifications, by origin; `seen_logs` has the names of the logs that each site had, by its
    address. `author_key` is the id of the key that must have signed the content. With `offline`, only signatures are
    checked, and nothing is sent. All requests together take at most `timeout_seconds`.

    A check that fails is in the result. If none does, `post` in the result is the post that was verified. Raises Refusal only if the post cannot be read from its address.
    """
    address = source if isinstance(source, str) else None
    if address is not None and not is_address(address):
        raise ConfigurationError("source must be an http or https address, or the JSON of a post as bytes.")
    if address is not None and not is_post_address(address):
        raise ConfigurationError("source is the address of a site, not of a post.")
    if address is not None and offline:
        raise ConfigurationError("With offline, pass the JSON of the post as bytes.")
    seconds = now.timestamp() if isinstance(now, datetime) else time.time() if now is None else now
    http = http_client or httpx.Client(follow_redirects=True)
    try:
        read = reader_until(http, timeout_seconds)
        post = source if isinstance(source, bytes) else _read_post(str(address), read)
        seen = (last_visit or {}, seen_logs or {})
        return run_checks(Input(post, address, keys, proof, witnesses, *seen, offline, read, seconds, author_key))
    finally:
        if http_client is None:
            http.close()


def _read_post(address: str, read: Read) -> bytes:
    url = post_addresses(address).json
    post = read(url, MAX_BYTES)
    if post is None:
        raise Refusal("unavailable", f"{url} does not exist.")
    return post
