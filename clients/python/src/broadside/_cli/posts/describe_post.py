from __future__ import annotations

from typing import Any, Mapping, Optional

from ..terminal.output import Look
from ..terminal.text import one_line, pad, time_text, usd, wrap

EXIT_BY_STATUS: Mapping[str, str] = {
    "queued": "undecided",
    "review": "undecided",
    "published": "ok",
    "rejected": "rejected",
    "removed": "rejected",
    "deleted": "rejected",
}
"""How a command exits that waits for the decision. A status that is newer than this package is no failure."""

STATUS_STYLES: Mapping[str, str] = {
    "queued": "yellow",
    "review": "yellow",
    "published": "green",
    "rejected": "red",
    "removed": "red",
    "deleted": "dim",
}

Fact = tuple[str, Optional[str]]
_LABEL_WIDTH = 11


def post_lines(post: Any, look: Look) -> list[str]:
    """A status record for a person. The URL, if there is one, is the last line."""
    status, moderation, review, edit = post["status"], post.get("moderation"), post.get("review"), post.get("edit")
    refunded = f", refunded {usd(post['refunded_micros'])}" if post["refunded_micros"] > 0 else ""
    facts: list[Fact] = [
        ("Created", time_text(post["created_at"])),
        ("Decided", post["decided_at"] and time_text(post["decided_at"])),
        ("Charged", f"{usd(post['charged_micros'])}{refunded}"),
        ("Decision", f"expected by {time_text(moderation['estimated_decision_at'])}" if moderation else None),
        ("Review", _review_text(review) if review else None),
        *_refusal_facts(post.get("rejection") or post.get("removal")),
        ("Edit", f"{edit['status']}, sent {time_text(edit['submitted_at'])}" if edit else None),
        *_refusal_facts(edit.get("rejection") if edit else None),
    ]
    return [
        f"{look.style(STATUS_STYLES.get(status), status)}  {post['kind']}  {look.style('bold', post['id'])}",
        *(line for label, text in facts if text for line in _labelled(label, one_line(text), look.width)),
        *([one_line(post["url"])] if post["url"] else []),
    ]


def _review_text(review: Any) -> str:
    return f"a person decides ({review['reason']}), expected by {time_text(review['expected_decision_at'])}"


def _refusal_facts(refusal: Any) -> list[Fact]:
    if not refusal:
        return []
    statement, category = refusal["statement"], refusal["category"]
    rule, remedy = statement["rule"], statement["remedy"]
    # A reason often repeats the rule and the remedy, which follow.
    own = refusal["reason"].replace(remedy, "", 1).strip() or rule
    strike = ", a strike" if refusal["strike"] else ""
    return [
        ("Reason", f"{own}{f' ({category}{strike})' if category else ''}"),
        ("Rule", None if rule in own else rule),
        ("To change", remedy),
        ("Appeal", statement["how_to_appeal"]),
        ("Policy", statement["policy_url"]),
    ]


def _labelled(label: str, text: str, width: float) -> list[str]:
    first, *more = wrap(text, max(40, width - _LABEL_WIDTH))
    return [pad(f"{label}:", _LABEL_WIDTH) + first, *(" " * _LABEL_WIDTH + line for line in more)]


def headline_of(content: Mapping[str, Any]) -> str:
    """The first words of a post: its title, or its text. Written by a stranger."""
    return str(content.get("title") or content.get("text") or "")
