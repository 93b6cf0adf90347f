from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

from ..terminal.text import one_line, time_text, usd

EXIT_BY_STATUS: Mapping[str, str] = {
    "queued": "undecided",
    "review": "undecided",
    "published": "ok",
    "rejected": "rejected",
    "removed": "rejected",
    "deleted": "rejected",
}
"""How a command exits that waits for the decision."""

STATUS_STYLES: Mapping[str, str] = {
    "queued": "yellow",
    "review": "yellow",
    "published": "green",
    "rejected": "red",
    "removed": "red",
    "deleted": "dim",
}

Styled = Callable[[Optional[str], str], str]


def post_lines(post: Any, style: Styled) -> list[str]:
    """A status record for a person. The URL, if there is one, is the last line."""
    status, review, edit = post["status"], post.get("review"), post.get("edit")
    refunded = f", refunded {usd(post['refunded_micros'])}" if post["refunded_micros"] > 0 else ""
    moderation = post.get("moderation")
    lines = [
        f"{style(STATUS_STYLES.get(status), status)}  {post['kind']}  {style('bold', post['id'])}",
        f"Created:   {time_text(post['created_at'])}",
        *([f"Decided:   {time_text(post['decided_at'])}"] if post["decided_at"] else []),
        f"Charged:   {usd(post['charged_micros'])}{refunded}",
        *([f"Decision:  expected by {time_text(moderation['estimated_decision_at'])}"] if moderation else []),
    ]
    if review:
        expected = time_text(review["expected_decision_at"])
        lines.append(f"Review:    a person decides ({review['reason']}), expected by {expected}")
    lines += _refusal_lines(post.get("rejection") or post.get("removal"))
    if edit:
        lines.append(f"Edit:      {edit['status']}, sent {time_text(edit['submitted_at'])}")
        lines += _refusal_lines(edit.get("rejection"))
    return [*lines, *([one_line(post["url"])] if post["url"] else [])]


def _refusal_lines(refusal: Any) -> list[str]:
    if not refusal:
        return []
    statement, category = refusal["statement"], refusal["category"]
    strike = ", a strike" if refusal["strike"] else ""
    appeal = statement["how_to_appeal"]
    return [
        f"Reason:    {one_line(refusal['reason'])}{f' ({category}{strike})' if category else ''}",
        f"Rule:      {one_line(statement['rule'])}",
        f"To change: {one_line(statement['remedy'])}",
        *([f"Appeal:    {one_line(appeal)}"] if appeal else []),
        f"Policy:    {one_line(statement['policy_url'])}",
    ]


def headline_of(content: Mapping[str, Any]) -> str:
    """The first words of a post: its title, or its text. Written by a stranger."""
    return str(content.get("title") or content.get("text") or "")
