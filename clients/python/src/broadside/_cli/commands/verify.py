from __future__ import annotations

import errno
import re
import sys
import time
from pathlib import Path
from typing import Any, Mapping, Optional

import httpx

from ..._verify.log.notes import COSIGNATURE_KEY, parse_vkey
from ..._verify.refusal import Refusal
from ..._verify.sources import is_address, post_addresses, read_url
from ..._verify.verification import Check, Input, Verification, run_checks
from ..checkpoints import logs_in, read_checkpoints, save_visit
from ..context import Context
from ..failures import CliError, UsageError
from ..terminal.text import one_line

_MARKS: Mapping[str, tuple[str, str]] = {"passed": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("–", "dim")}


def verify(context: Context) -> str:
    out, is_offline = context.out, context.is_set("offline")
    _check_options(context)
    with httpx.Client(follow_redirects=True) as http:
        given = _read_input(context, http)
        with out.progress("Verifying"):
            result = run_checks(given)
    save_visit(context.environment, result)
    exit = _exit_of(result)
    conclusion = _conclude(exit, is_offline)
    out.document(
        {"verified": result.is_verified, "conclusion": conclusion, "checks": [_entry_of(each) for each in result.checks]}
    )
    for check in result.checks:
        mark, style = _MARKS[check.outcome]
        out.print(f"{out.style(style, mark)} {check.title}. {out.style('dim', one_line(check.detail))}")
    out.print(out.style("green" if exit == "ok" else "red", conclusion))
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
    for vkey in context.list("witness"):
        try:
            parse_vkey(vkey, COSIGNATURE_KEY)
        except Refusal as refusal:
            message = f"--witness is not the key of a witness. {refusal}"
            raise UsageError(message, "Write it as name+id+base64.") from None


def _read_input(context: Context, http: httpx.Client) -> Input:
    source, is_offline = context.arguments[0], context.is_set("offline")
    address = source if _is_url(source) else None
    post = _read(post_addresses(address).json if address else source, http)
    keys = _read_optional(context.text("keys"), http)
    proof = _read_optional(context.text("proof"), http)
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
        read=lambda url: read_url(url, http),
        now=time.time(),
    )


def _is_url(source: str) -> bool:
    return re.match("https?://", source, re.IGNORECASE) is not None and is_address(source)


def _read_optional(source: Optional[str], http: httpx.Client) -> Optional[bytes]:
    return _read(source, http) if source else None


def _read(source: str, http: httpx.Client) -> bytes:
    """What is in a file, on standard input or at an address."""
    if not _is_url(source):
        return _read_file_or_input(source)
    try:
        found = read_url(source, http)
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


def _conclude(exit: str, is_offline: bool) -> str:
    if exit == "unverified":
        return "Not verified. Do not rely on this post."
    if exit == "unavailable":
        return "Not verified, because a source could not be read. Try again."
    return "The signature is valid. The log was not checked." if is_offline else "Verified."
