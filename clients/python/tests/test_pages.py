from __future__ import annotations

import itertools
from typing import Any, Callable

import httpx
import pytest

from broadside import Broadside, BroadsideError

from .support import BASE_URL, UP, UP_WITH_SITES, Service, call, each_style, ok

LISTS: list[tuple[str, Callable[[Any], Any], str, str]] = [
    ("events", lambda client: client.events({"limit": 2}), "/v1/events?limit=2", "after"),
    ("search", lambda client: client.search({"q": "ferry"}), "/v1/search?q=ferry", "cursor"),
    ("drafts", lambda client: client.drafts(), "/v1/drafts", "cursor"),
    ("deliveries", lambda client: client.deliveries("wh_1"), "/v1/webhooks/wh_1/deliveries", "cursor"),
]


@each_style
@pytest.mark.parametrize(("name", "action", "path", "cursor"), LISTS)
def test_an_iterator_follows_the_pages(
    style: str, name: str, action: Callable[[Any], Any], path: str, cursor: str
) -> None:
    service = Service(
        ok({"data": [{"id": "1"}, {"id": "2"}], "next_cursor": "c 1"}),
        ok({"data": [], "next_cursor": "c2"}),
        ok({"data": [{"id": "3"}], "next_cursor": None}),
    )
    assert [item["id"] for item in call(style, service, action)] == ["1", "2", "3"]
    joint = "&" if "?" in path else "?"
    assert service.sent() == [
        f"GET {BASE_URL}{path}",
        f"GET {BASE_URL}{path}{joint}{cursor}=c%201",
        f"GET {BASE_URL}{path}{joint}{cursor}=c2",
    ]


@each_style
def test_posts_are_read_on_the_site_of_their_kind(style: str) -> None:
    service = Service(UP_WITH_SITES, ok({"data": [{"id": "1"}], "next_cursor": None}))
    assert call(style, service, lambda client: client.posts("story", {"topic": "sea"})) == [{"id": "1"}]
    assert service.sent()[1] == "GET https://stories.b.example/v1/posts?topic=sea"


@each_style
def test_a_service_that_names_no_sites_has_one(style: str) -> None:
    service = Service(UP, ok({"data": [], "next_cursor": None}))
    assert call(style, service, lambda client: client.posts("story")) == []
    assert service.sent()[1] == f"GET {BASE_URL}/v1/posts"


def test_a_page_is_read_only_when_it_is_needed() -> None:
    service = Service(ok({"data": [{"id": "1"}, {"id": "2"}], "next_cursor": "c"}))
    with Broadside(base_url=BASE_URL, transport=httpx.MockTransport(service)) as client:
        events = client.events()
        assert service.seen == []
        assert [event["id"] for event in itertools.islice(events, 2)] == ["1", "2"]
        assert len(service.seen) == 1


@each_style
def test_a_cursor_that_does_not_move_ends_the_list(style: str) -> None:
    service = Service(ok({"data": [1], "next_cursor": "c"}))
    assert call(style, service, lambda client: client.events()) == [1, 1]


@each_style
def test_a_page_without_a_cursor_is_the_last_and_one_without_a_list_an_error(style: str) -> None:
    assert call(style, Service(ok({"data": [1]})), lambda client: client.events()) == [1]
    for page in ({"next_cursor": None}, [], {"data": {}}):
        with pytest.raises(BroadsideError, match="no list"):
            call(style, Service(ok(page)), lambda client: client.events())


@each_style
def test_the_query_of_the_caller_is_not_changed(style: str) -> None:
    query: Any = {"limit": 1}
    service = Service(ok({"data": [], "next_cursor": "c"}), ok({"data": [], "next_cursor": None}))
    call(style, service, lambda client: client.events(query))
    assert query == {"limit": 1}
