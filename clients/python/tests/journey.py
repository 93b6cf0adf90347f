"""Takes both clients through a real service. Run by the project's own tests, which play the owner and the receiver.

It prints what it needs as one line of JSON, and reads the answer from its input.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
from datetime import datetime, timedelta, timezone
from typing import Any

from broadside import (
    AsyncBroadside,
    Broadside,
    InsufficientBalanceError,
    InvalidApiKeyError,
    PostGoneError,
    ValidationFailedError,
    verify_webhook,
)

from .journey_stream import Followed

SITES: dict[str, str] = json.loads(os.environ["SITES"])
TIMES = {
    "timezone": "Europe/Helsinki",
    "starts_at": "2027-06-01T10:00:00+03:00",
    "ends_at": "2027-06-01T12:00:00+03:00",
}
# Posts that resemble those of another account would wait for a person.
EVENTS: dict[str, Any] = {
    "Eastern": {"title": "Harbour walk", "body": "We walk along the quays and look at old wooden boats.", **TIMES},
    "Western": {"title": "Chess in the library", "body": "Beginners are welcome; bring tea and patience.", **TIMES},
}


def ask(need: str, **facts: Any) -> Any:
    print(json.dumps({"need": need, **facts}), flush=True)
    return json.loads(sys.stdin.readline())


async def result(value: Any) -> Any:
    """What a method of either client returns; the items of an iterator."""
    if hasattr(value, "__anext__"):
        return [item async for item in value]
    if hasattr(value, "__next__"):
        return list(value)
    return await value if inspect.isawaitable(value) else value


async def journey(client_class: Any) -> None:
    style = "Eastern" if client_class is Broadside else "Western"
    opened: list[Any] = []

    def client_of(kind: str, api_key: str) -> Any:
        opened.append(client_class(base_url=SITES[kind], api_key=api_key))
        return opened[-1]

    visitor = client_of("message", "")
    person = {"name": f"Harbour {style}", "email": f"{style.lower()}@example.com", "accept_terms": True}
    account = await result(visitor.create_account(person))
    client = client_of("message", account["api_key"])
    message: Any = {"text": f"The {style} ferry leaves from pier four on Monday.", "topics": ["ferries"]}

    try:
        await result(client.check("message", message))
        raise AssertionError("There is no balance yet.")
    except InsufficientBalanceError as problem:
        assert problem.account_url and problem.request_id and problem.status == 402
    ask("top_up", account=account["id"])
    assert (await result(client.get_account()))["balance_micros"] > 0

    try:
        await result(client.publish("message", {"texts": "a"}))
        raise AssertionError("The body is invalid.")
    except ValidationFailedError as error:
        assert "text is required" in str(error) and "texts" in str(error), str(error)
    try:
        await result(client_of("message", "bsk_wrong").get_account())
        raise AssertionError("The key is wrong.")
    except InvalidApiKeyError:
        pass

    settings = {"base_url": SITES["message"], "api_key": account["api_key"]}
    public = await Followed(client_class, settings, 4, kind="all").__aenter__()
    own = await Followed(client_class, settings, 3, scope="mine").__aenter__()
    trial = await result(client.check("message", message))
    assert trial["charge"]["total_micros"] > 0
    record = await result(client.publish("message", message, idempotency_key=f"{style}-first"))
    again = await result(client.publish("message", message, idempotency_key=f"{style}-first"))
    assert record["status"] == "queued" and again["id"] == record["id"]
    ask("settle")
    decided = await result(client.wait_for_decision(record["id"], timeout=60))
    assert decided["status"] == "published", decided
    assert (await result(client.wait_for_decision(decided)))["id"] == record["id"]
    post = await result(client.read(record["id"]))
    assert post["content"]["text"] == message["text"]

    changed = {"text": f"The {style} ferry now leaves from pier five on Tuesday."}
    await result(client.edit("message", record["id"], changed))
    ask("settle")
    assert (await result(client.wait_for_decision(record["id"], timeout=60)))["edit"]["status"] == "accepted"
    assert (await result(client.read(record["id"])))["content"]["text"] == changed["text"]

    status = await result(client.with_response.get_status())
    assert (status.status, bool(status.request_id)) == (200, True)
    # A service that names its sites needs one client, another one a client for each site.
    events_site = client_of("event", account["api_key"])
    events_client = client if "sites" in status.body else events_site
    event = await result(events_client.publish("event", EVENTS[style]))
    ask("settle")
    published = await result(events_site.status(event["id"]))
    assert published["status"] == "published", published
    assert event["id"] in [one["id"] for one in await result(events_client.posts("event", {"limit": 1}))]

    found = await result(client.search({"q": f"{style} ferry"}))
    assert [one["id"] for one in found] == [record["id"]]
    assert record["id"] in [one["id"] for one in await result(client.posts("message", {"topic": "ferries"}))]
    types = [one["type"] for one in await result(client.events({"limit": 1}))]
    assert types == ["post.published"] * 3, types

    own_events = await own.events()
    assert [one["data"] for one in own_events] == await result(client.events())

    draft = await result(client.schedule("message", {"text": "Later."}, datetime.now(timezone.utc) + timedelta(days=1)))
    assert [one["id"] for one in await result(client.drafts())] == [draft["id"]]
    assert (await result(client.cancel_draft(draft["id"])))["state"] == "cancelled"

    url = ask("receiver", path=f"/{style}")["url"]
    webhook = await result(client.create_webhook({"url": url, "events": ["post.published"]}))
    queued = await result(client.test_webhook(webhook["id"]))
    delivery = ask("delivery", path=f"/{style}")
    verified = verify_webhook(delivery["body"], delivery["headers"], webhook["secret"])
    assert (verified["id"], verified["type"]) == (queued["event_id"], "webhook.test")
    assert [one["id"] for one in (await result(client.list_webhooks()))["data"]] == [webhook["id"]]
    ask("settle")
    assert [one["type"] for one in await result(client.deliveries(webhook["id"]))] == ["webhook.test"]
    assert await result(client.delete_webhook(webhook["id"])) is None

    assert (await result(client.delete(record["id"])))["status"] == "deleted"
    try:
        await result(visitor.read(record["id"]))
        raise AssertionError("The post was deleted.")
    except PostGoneError:
        pass

    seen = await public.events()
    assert [(one["type"], one["data"]["id"]) for one in seen] == [
        ("post.published", record["id"]),
        ("post.edited", record["id"]),
        ("post.published", event["id"]),
        ("post.removed", record["id"]),
    ]
    assert [one["data"]["kind"] for one in seen] == ["message", "message", "event", "message"]
    # A stream that starts after an event has the later ones, without earlier texts of posts that are removed by now.
    later = Followed(client_class, settings, 2, kind="all", after=seen[0]["id"])
    assert [one["id"] for one in await later.events()] == [one["id"] for one in seen[2:]]
    later_own = Followed(client_class, settings, 2, scope="mine", after=own_events[0]["id"])
    assert await later_own.events() == own_events[1:]
    for one in opened:
        await result(one.aclose() if client_class is AsyncBroadside else one.close())


async def main() -> None:
    for client_class in (Broadside, AsyncBroadside):
        await journey(client_class)
    print(json.dumps({"need": "nothing"}), flush=True)


asyncio.run(main())
