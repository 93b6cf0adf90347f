"""Not run: test_types.py lets mypy check it. Each line with a comment must be an error, and no other line."""

from __future__ import annotations

from typing import Any

from broadside import AsyncBroadside, Broadside, Response, verify_webhook
from broadside.types import Kind, MessageSubmitPostBody, PostStatus, PublicStory, Status


def bodies(client: Broadside) -> None:
    client.publish("message", {"text": "A text."})
    client.publish("message", {"text": "A text.", "topics": ["sea"], "location": {"country": "FI"}})
    client.publish("message", {"title": "A title"})  # error
    client.publish("message", {"text": 5})  # error
    client.publish("poem", {"text": "A text."})  # error
    client.check("story", {"title": "T", "body": "B"})
    client.check("story", {"text": "A text."})  # error
    client.edit("event", "post_1", {"ends_at": "2026-12-01T10:00:00Z", "location": None})
    client.edit("event", "post_1", {"text": "A text."})  # error
    client.create_account({"name": "N", "email": "a@b.example", "accept_terms": False})  # error
    body: MessageSubmitPostBody = {"topics": []}  # error
    print(body)


def any_kind(client: Broadside, kind: Kind, body: Any, text: str) -> None:
    client.publish(kind, body)
    client.publish(kind, {"text": "A text."})  # error
    client.publish(text, body)  # error


def results(client: Broadside) -> None:
    record: PostStatus = client.publish("message", {"text": "A text."})
    if record["status"] == "publisht":  # error
        pass
    print(record["headline"])  # error
    for story in client.posts("story", {"topic": "sea"}):
        title: str = story["content"]["title"]
        print(title, story["content"]["text"])  # error
    client.posts("story", {"country": "FI"})  # error
    story_again: PublicStory = next(client.posts("message"))  # error
    response: Response[Status] = client.with_response.get_status()
    response.body["status"].upper()
    response.body["nothing"]  # error
    client.list_deliveries()  # error
    client.search({})  # error
    print(story_again)


def streams(client: Broadside) -> None:
    for event in client.stream(kind="story", topic="sea"):
        if event["type"] == "post.removed":
            print(event["data"]["removed_at"], event["data"]["content"])  # error
        else:
            print(event["data"]["content"])
    for own in client.stream(scope="mine"):
        print(own["data"]["type"], own["data"]["content"])  # error
    client.stream(kind="poem")  # error


async def awaited(client: AsyncBroadside) -> None:
    record = await client.publish("event", {"title": "T"})  # error
    decided: PostStatus = await client.wait_for_decision(record)
    async for event in client.events():
        if event["type"] == "post.sung":  # error
            pass
    for post in client.posts("message"):  # error
        print(post)
    client.get_status()["time"]  # error
    print(decided)


def webhooks(body: bytes, secret: str) -> None:
    event = verify_webhook(body, {"webhook-id": "a"}, [secret], 60)
    if event["type"] == "webhook.test":
        endpoint: str = event["data"]["endpoint_id"]
        print(endpoint)
    elif event["type"] == "post.published":
        print(event["data"]["endpoint_id"])  # error
    verify_webhook({"type": "a"}, {}, secret)  # error
