from __future__ import annotations

from typing import Any, Iterator

from ..context import Context, open_keyed_client, open_public_client
from ..posts.describe_post import headline_of
from ..terminal.interrupt import ended_by_signals
from ..terminal.text import fit, one_line


def stream(context: Context) -> None:
    """Prints events until Ctrl-C, and then how to continue."""
    out = context.out
    last = context.text("after")
    if not out.is_json:
        out.note("Waiting for posts. Press Ctrl-C to stop.")
    try:
        with ended_by_signals():
            for event in _events_of(context):
                out.json_line(event)
                out.print(fit(_line_of(event, context), out.look.width))
                last = event["id"]
    except KeyboardInterrupt:
        if last:
            out.note(f"Continue after the last event: broadside stream --after {one_line(last)}")


def _events_of(context: Context) -> Iterator[Any]:
    after = context.text("after")
    if context.is_set("mine"):
        with open_keyed_client(context) as client:
            yield from client.stream(scope="mine", after=after)
        return
    kind: Any = context.text("kind") or "all"
    with open_public_client(context) as client:
        yield from client.stream(kind=kind, after=after)


def _line_of(event: Any, context: Context) -> str:
    type, post = event["type"], event["data"]
    facts = post.get("data") or post
    headline = headline_of(post["content"]) if post.get("content") else ""
    shown = [facts.get("kind"), facts.get("url") or facts.get("id"), facts.get("status"), headline]
    style = "red" if type == "post.removed" else "green"
    return "  ".join([context.out.style(style, one_line(type)), *(one_line(str(fact)) for fact in shown if fact)])
