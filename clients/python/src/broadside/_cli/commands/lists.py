"""mine, search and place."""

from __future__ import annotations

from itertools import islice
from typing import Any

from ..context import Context, open_client, open_keyed_client, open_public_client
from ..posts.describe_post import STATUS_STYLES, headline_of
from ..terminal.output import Column
from ..terminal.text import fit, one_line, pad, time_text


def _filters(context: Context, *names: str) -> dict[str, Any]:
    return {name: context.text(name) for name in names if context.text(name)}


def mine(context: Context) -> None:
    out, limit = context.out, context.number("limit")
    query: Any = {**_filters(context, "status", "kind"), "limit": min(limit, 100)}
    with open_keyed_client(context) as client:
        posts: list[Any] = list(islice(client.my_posts(query), limit))
    out.document({"data": posts})
    if not posts:
        return out.print("No posts.")
    columns: list[Column[Any]] = [
        Column("ID", lambda post: post["id"]),
        Column("STATUS", lambda post: post["status"], lambda post: STATUS_STYLES.get(post["status"])),
        Column("KIND", lambda post: post["kind"]),
        Column("CREATED", lambda post: time_text(post["created_at"])[:10], is_optional=True),
        Column("HEADLINE", lambda post: (post["content"] or {}).get("headline", ""), is_flexible=True),
    ]
    out.table(posts, columns)


def search(context: Context) -> None:
    out, limit = context.out, context.number("limit")
    query: Any = {"q": " ".join(context.arguments), "limit": min(limit, 50), **_filters(context, "kind")}
    with open_client(context) as client:
        found: list[Any] = list(islice(client.search(query), limit))
    out.document({"data": found, "content_trust": "untrusted-user-content"})
    if not found:
        return out.print("No posts found.")
    for post in found:
        start = f"{post['published_at'][:10]}  {pad(post['kind'], 10)}  "
        headline = fit(one_line(headline_of(post["content"])), out.look.width - len(start))
        out.print(start + out.style("bold", headline))
        out.print(" " * len(start) + one_line(post["url"]))


def place(context: Context) -> None:
    out = context.out
    limit = min(20, context.number("limit"))
    query: Any = {"q": " ".join(context.arguments), "limit": limit, **_filters(context, "country")}
    with open_public_client(context) as client:
        found: Any = client.find_places(query)
    out.document(found)
    if not found["data"]:
        return out.print("No place found.")
    columns: list[Column[Any]] = [
        Column("PLACE", lambda one: one["label"], is_flexible=True),
        Column("COUNTRY", lambda one: one["location"]["country"]),
        Column("STATE", lambda one: one["location"].get("state", "")),
        Column("CITY", lambda one: one["location"].get("city", {}).get("geonames_id", "")),
    ]
    out.table(found["data"], columns)
