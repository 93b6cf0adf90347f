from __future__ import annotations

import errno
import re
import sys
import time
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence
from urllib.parse import urljoin

import httpx

from ..._verify.log_checks import Read
from ..._verify.log.notes import COSIGNATURE_KEY, parse_vkey
from ..._verify.refusal import Refusal
from ..._verify.sources import MAX_BYTES, is_address, is_post_address, post_addresses, reader_until
from ..._verify.verification import Check, Input, Verification, VerifiedFacts, run_checks
from ..checkpoints import logs_in, read_checkpoints, save_visit
from ..context import Context
from ..failures import CliError, UsageError
from ..terminal.text import one_line

_TIMEOUT_SECONDS = 60
"""How long all requests may take together."""

_MARKS: Mapping[str, tuple[str, str]] = {"passed": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("–", "dim")}


def verify(context: Context) -> str:
    out = context.out
    _check_options(context)
    with httpx.Client(follow_redirects=True) as http:
        given = _read_input(context, http)
        with out.progress("Verifying"):
            result = run_checks(given)
    save_visit(context.environment, result)
    exit = _exit_of(result)
    conclusion = _conclude(exit, result)
    out.document(
        {
            "verified": result.is_verified,
            "conclusion": conclusion,
            "checks": [_entry_of(each) for each in result.checks],
            **_found_in(result),
        }
    )
    for check in result.checks:
        mark, style = _MARKS[check.outcome]
        out.print(f"{out.style(style, mark)} {check.title}. {out.style('dim', one_line(check.detail))}")
    out.print(out.style("green" if exit == "ok" else "red", conclusion))
    for line in _lines_about(result):
        out.print(line)
    return exit


def _entry_of(check: Check) -> dict[str, Any]:
    entry = check._asdict()
    return entry if check.code else {name: value for name, value in entry.items() if name != "code"}


def _check_options(context: Context) -> None:
    keys, source = context.text("keys"), context.arguments[0]
    if context.is_set("offline") and (not keys or _is_url(keys) or _is_url(source)):
        raise UsageError(
            "Without a connection, the post and the keys must be files.",
            "Save both, then run `broadside verify post.json --keys keys.json --offline`.",
        )
    if context.is_set("offline") and (context.text("proof") or context.list("witness")):
        raise UsageError(
            "Without a connection, the log is not checked, so --proof and --witness have no effect.",
            "Leave them out, or leave out --offline.",
        )
    _check_witnesses(context.list("witness"))
    author_key = context.text("author-key")
    if author_key is not None and not re.fullmatch("[A-Za-z0-9_-]{43}", author_key):
        raise UsageError(
            "--author-key is not the identifier of a key.",
            "Write the 43 characters that `key_id` has in the `author_signature` of a post.",
        )
    if _is_url(source) and not is_post_address(source):
        example = urljoin(source, "/p/post_01jcmzq8e5f7r9t2v4x6y8z0ab")
        raise UsageError(
            f"This is the address of a site, not of a post: {source}", f"Pass the address of a post, such as {example}."
        )


def _check_witnesses(vkeys: Sequence[str]) -> None:
    keys = set()
    for vkey in vkeys:
        try:
            key = parse_vkey(vkey, COSIGNATURE_KEY).public_key
        except Refusal as refusal:
            message = f"--witness is not the key of a witness. {refusal}"
            raise UsageError(message, "Write it as name+id+base64.") from None
        if key in keys:
            raise UsageError("--witness names the same key twice.", "Name each witness once.")
        keys.add(key)


def _read_input(context: Context, http: httpx.Client) -> Input:
    source, is_offline = context.arguments[0], context.is_set("offline")
    address = source if _is_url(source) else None
    read = reader_until(http, _TIMEOUT_SECONDS)
    post = _read(post_addresses(address).json if address else source, read)
    keys = _read_optional(context.text("keys"), read)
    proof = _read_optional(context.text("proof"), read)
    seen = {} if is_offline else read_checkpoints(context.environment)
    return Input(
        post=post,
        address=address,
        keys=keys,
        proof=proof,
        witnesses=context.list("witness"),
        last_visit=seen,
        seen_logs={name: logs_in(value) for name, value in seen.items() if "://" in name},
        is_offline=is_offline,
        read=read,
        now=time.time(),
        author_key=context.text("author-key"),
    )


def _is_url(source: str) -> bool:
    return re.match("https?://", source, re.IGNORECASE) is not None and is_address(source)


def _read_optional(source: Optional[str], read: Read) -> Optional[bytes]:
    return _read(source, read) if source else None


def _read(source: str, read: Read) -> bytes:
    """What is in a file, on standard input or at an address."""
    if not _is_url(source):
        return _read_file_or_input(source)
    try:
        found = read(source, MAX_BYTES)
    except Refusal as refusal:
        is_unavailable = refusal.code == "unavailable"
        raise CliError(
            str(refusal),
            exit="unavailable" if is_unavailable else "failed",
            code="connection_failed" if is_unavailable else refusal.code,
            advice="Check the address and your connection, then try again.",
        ) from None
    if found is None:
        raise CliError(
            f"{source} does not exist.",
            exit="not_found",
            code="not_found",
            advice="Check the address. A post that was deleted or removed cannot be verified any more.",
        )
    return found


def _read_file_or_input(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0, "unknown")
        raise UsageError(f"{path} cannot be read ({code}).", "Pass the address of a post, or a file.") from None


def _exit_of(result: Verification) -> str:
    """A source that does not answer says nothing about the post. Any other failure does."""
    failed = [check.code for check in result.checks if check.outcome == "failed"]
    if not failed:
        return "ok"
    return "unavailable" if set(failed) == {"unavailable"} else "unverified"


def _conclude(exit: str, found: Verification) -> str:
    if exit == "unavailable":
        return "Not verified, because a source could not be read. Try again."
    if exit != "ok" or found.facts is None:
        return "Not verified. Do not rely on this post."
    moment = re.sub(r"\.[0-9]+Z$", "Z", found.facts.published_at)
    published = f"published by {found.facts.site.replace('https://', '')} on {moment}."
    if found.facts.is_first_visit is None:
        return f"The signature is valid: {published} The log was not checked."
    return f"Verified: {published}"


def _found_in(found: Verification) -> dict[str, Any]:
    """What the document has about a verified post."""
    facts = found.facts
    if facts is None:
        return {}
    shown = {
        "site": facts.site,
        "keys_from_site": facts.are_keys_from_site,
        "published_at": facts.published_at,
        "key_id": facts.key_id,
        "author_key_id": facts.author_key_id,
        "first_visit": facts.is_first_visit,
        "required_witnesses": facts.required_witnesses,
        "cosignatures": [
            {"witness": each.witness, "time": each.time, "checkpoint": each.checkpoint, "required": each.is_required}
            for each in facts.cosignatures
        ],
    }
    return {"facts": shown, "post": found.post}


_MAX_SHOWN_CHARACTERS = 200


def _lines_about(found: Verification) -> list[str]:
    """What was verified, and on whose word."""
    facts = found.facts
    if found.post is None or facts is None:
        return []
    content = _object_in(found.post.get("content"))
    text = content.get("text")
    texts = {
        "Author": _object_in(content.get("author")).get("name"),
        "Title": content.get("title"),
        "Text": content.get("body") if text is None else text,
    }
    keys = "The keys are those that you passed."
    if facts.are_keys_from_site:
        keys = "The keys come from that site itself. To verify with keys that you trust, save them and pass --keys."
    return [
        keys,
        "Untrusted content, written by the author of the post:",
        *(f"  {name}: {_shown(text)}" for name, text in texts.items() if isinstance(text, str)),
        *_lines_about_log(facts),
    ]


def _lines_about_log(facts: VerifiedFacts) -> list[str]:
    if facts.is_first_visit is None:
        return []
    count = facts.required_witnesses
    witnesses = "1 required witness" if count == 1 else f"{count} required witnesses"
    return [
        "This was your first visit to this log, so there was nothing to compare it with."
        if facts.is_first_visit
        else "The log still has everything that it had at your last visit.",
        f"{witnesses} cosigned the log." if count else "No witness was required.",
    ]


def _object_in(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _shown(text: str) -> str:
    line = one_line(text)
    start = line[:_MAX_SHOWN_CHARACTERS]
    return f"{start.rstrip()}…" if len(line) > _MAX_SHOWN_CHARACTERS else start
