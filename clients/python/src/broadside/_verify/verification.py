"""The seven checks of a post, in their order."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, Callable, Literal, Mapping, NamedTuple, Optional, Sequence, TypeVar
from urllib.parse import urljoin

from .log_checks import Cosignature, LogRules, Memory, ProvenEntry, Read, Visit, check_proof, read_continuity
from .moments import moment_text
from .published_keys import PublishedKeys, key_for_posts, parse_published_keys
from .refusal import Refusal
from .signatures import (
    PostSignature,
    check_author_signature,
    check_post_signature,
    parse_post_signature,
    publication_time,
)
from .sources import MAX_BYTES, is_page_url, post_addresses
from .strict_json import parse_json

Needs = TypeVar("Needs")
Value = TypeVar("Value")
Outcome = Literal["passed", "failed", "skipped"]

TITLES: Mapping[str, str] = {
    "json": "The post is unambiguous JSON",
    "form": "The signature is well formed",
    "key": "The signature’s key is published and was valid",
    "signature": "The service signed this post",
    "author_signature": "The key in the post signed the content",
    "proof": "The post is in the transparency log",
    "continuity": "The log has only grown",
}


class Check(NamedTuple):
    name: str
    """json, form, key, signature, author_signature, proof or continuity."""
    title: str
    outcome: Outcome
    detail: str
    """What was found, or why the check failed or was skipped."""
    code: Optional[str] = None
    """Why the check failed. Stable."""


class LogCheckpoint(NamedTuple):
    origin: str
    """The name of the log."""
    note: str
    """The signed checkpoint."""


class SiteLogs(NamedTuple):
    site: str
    """The address of the site."""
    origins: Sequence[str]
    """The names of all its logs."""


class VerifiedFacts(NamedTuple):
    """What was verified, and on whose word."""

    site: str
    """The site that the post names as its publisher: the origin of its address."""
    are_keys_from_site: bool
    """Whether the keys were read from that site. Otherwise they are those that were passed."""
    published_at: str
    key_id: str
    """The id of the service’s key."""
    author_key_id: Optional[str]
    """The id of the key that signed the content; None if none did."""
    is_first_visit: Optional[bool]
    """Whether no earlier visit to the log is known; None if the log was not checked."""
    required_witnesses: int
    """How many witnesses were required. All of them cosigned."""
    cosignatures: Sequence[Cosignature]


class Verification(NamedTuple):
    """What verify_post found."""

    is_verified: bool
    """Whether no check failed."""
    checks: Sequence[Check]
    checkpoint: Optional[LogCheckpoint]
    """The log’s current checkpoint, if no check failed. Keep it, and pass it as `last_visit` next time."""
    logs: Optional[SiteLogs] = None
    """The site’s logs, if no check failed and they were read from the site. Pass them as `seen_logs` next time."""
    post: Optional[dict[str, Any]] = None
    """The post that was verified, if no check failed. Use this one: what is read again can differ."""
    facts: Optional[VerifiedFacts] = None
    """What was verified, and on whose word, if no check failed."""


class Input(NamedTuple):
    post: bytes
    address: Optional[str]
    """Where the post was read. The post must say the same."""
    keys: Optional[bytes]
    proof: Optional[bytes]
    witnesses: Sequence[str]
    last_visit: Mapping[str, str]
    """The signed checkpoints that this verifier saw last, by origin."""
    seen_logs: Mapping[str, Sequence[str]]
    """The names of the logs that each site had when this verifier saw it, by the address of the site."""
    is_offline: bool
    read: Read
    now: float
    author_key: Optional[str] = None
    """The id of the key that must have signed the content."""


def run_checks(given: Input) -> Verification:
    """Checks a post, its signatures and its entry in the log. What fails is in the result."""
    checks = _Checks()
    post = checks.run("json", given, _parse_post)
    keys = lru_cache(maxsize=None)(lambda: _read_keys(given, post))
    form = checks.run("form", post, lambda post: _parse_form(post, given.now))
    key = checks.run("key", form, lambda form: _find_key(form.signature, keys()))
    checks.run("signature", key and (post, form and form.signature, key), _check_signature)
    author_key_id = _check_author(checks, given, post)
    visit = _check_log(checks, given, post, lambda: LogRules(keys(), given.witnesses, given.now, form and form.latest))
    is_verified = all(check.outcome != "failed" for check in checks.all)
    if not is_verified or post is None or form is None:
        return Verification(False, checks.all, None)
    facts = VerifiedFacts(
        site=_site_at(post["url"]),
        are_keys_from_site=given.keys is None,
        published_at=post["published_at"],
        key_id=form.signature.key_id,
        author_key_id=author_key_id,
        is_first_visit=visit and visit[1].is_first,
        required_witnesses=len(given.witnesses),
        cosignatures=visit[1].cosignatures if visit else (),
    )
    if visit is None:
        return Verification(True, checks.all, None, None, post, facts)
    site = _site_of(given, post)
    logs = SiteLogs(site, [log.origin for log in keys().logs]) if site else None
    return Verification(True, checks.all, visit[0], logs, post, facts)


def _parse_post(given: Input) -> tuple[dict[str, Any], str]:
    post = parse_json(given.post)
    url = post.get("url") if isinstance(post, dict) else None
    if not isinstance(url, str) or not is_page_url(url):
        raise Refusal("post_malformed")
    if given.address is not None and post_addresses(given.address).page != url:
        raise Refusal("post_at_other_address", url)
    return post, f"The post: {url}"


class _Form(NamedTuple):
    signature: PostSignature
    latest: Fraction
    """When the post was signed and published."""


def _parse_form(post: Mapping[str, Any], now: float) -> tuple[_Form, str]:
    signature = parse_post_signature(post)
    latest = max(publication_time(post, signature, now), signature.created_at)
    detail = f"The signature says that it was made at {moment_text(signature.created_at)}."
    return _Form(signature, latest), detail


def _find_key(form: PostSignature, keys: PublishedKeys) -> tuple[bytes, str]:
    return key_for_posts(keys, form.key_id, form.created_at), f"The key: {form.key_id}."


def _check_signature(needs: Any) -> tuple[None, str]:
    check_post_signature(*needs)
    return None, "The content is what the service signed."


def _check_author(checks: _Checks, given: Input, post: Optional[Mapping[str, Any]]) -> Optional[str]:
    """The id of the key that signed the content; None if none did."""
    unsigned = "The author did not sign this post."
    if post is not None and "author_signature" not in post and given.author_key is None:
        checks.skip("author_signature", unsigned)
        return None

    def check(post: Mapping[str, Any]) -> tuple[str, str]:
        if "author_signature" not in post:
            raise Refusal("author_key_differs", unsigned)
        key_id = check_author_signature(post)
        detail = f"The key: {key_id}."
        if given.author_key is not None and key_id != given.author_key:
            raise Refusal("author_key_differs", detail)
        return key_id, detail

    return checks.run("author_signature", post, check)


def _read_keys(given: Input, post: Any) -> PublishedKeys:
    if given.keys is not None:
        return parse_published_keys(given.keys)
    if given.is_offline:
        raise Refusal("unavailable", "Without a connection, pass the published keys.")
    url = urljoin(post["url"], "/.well-known/broadside-keys.json")
    data = given.read(url, MAX_BYTES)
    if data is None:
        raise Refusal("key_unknown", f"{url} does not exist.")
    return parse_published_keys(data)


def _check_log(
    checks: _Checks, given: Input, post: Optional[Mapping[str, Any]], rules: Callable[[], LogRules]
) -> Optional[tuple[LogCheckpoint, Visit]]:
    if given.is_offline:
        checks.skip("proof", "The log was not checked.")
        checks.skip("continuity", "The log was not checked.")
        return None

    def prove(post: Mapping[str, Any]) -> tuple[ProvenEntry, str]:
        proof = given.read(f"{post['url']}.tlog-proof", MAX_BYTES) if given.proof is None else given.proof
        if proof is None:
            raise Refusal("proof_missing", "A new post is in the log after some seconds. Try again then.")
        return check_proof(post, proof, rules(), given.read)

    def follow(proven: ProvenEntry) -> tuple[tuple[LogCheckpoint, Visit], str]:
        origin = proven.log.origin
        memory = Memory(given.last_visit.get(origin), given.seen_logs.get(_site_of(given, post) or "", ()))
        visit, detail = read_continuity(proven, rules(), memory)
        return (LogCheckpoint(origin, visit.note.decode("utf-8")), visit), detail

    return checks.run("continuity", checks.run("proof", post, prove), follow)


def _site_of(given: Input, post: Optional[Mapping[str, Any]]) -> Optional[str]:
    """The address of the post’s site, if the keys are from there. Other keys can be older than the last visit."""
    return None if given.keys is not None or post is None else _site_at(post["url"])


def _site_at(url: str) -> str:
    return urljoin(url, "/")[:-1]


class _Checks:
    def __init__(self) -> None:
        self.all: list[Check] = []

    def skip(self, name: str, detail: str) -> None:
        self.all.append(Check(name, TITLES[name], "skipped", detail))

    def run(
        self, name: str, needs: Optional[Needs], check: Callable[[Needs], tuple[Value, str]]
    ) -> Optional[Value]:
        """Runs a check if what it needs is there. Returns what it found; None if it failed or was skipped."""
        if needs is None:
            self.skip(name, "An earlier check failed.")
            return None
        try:
            value, detail = check(needs)
        except Refusal as refusal:
            self.all.append(Check(name, TITLES[name], "failed", str(refusal), refusal.code))
            return None
        self.all.append(Check(name, TITLES[name], "passed", detail))
        return value
