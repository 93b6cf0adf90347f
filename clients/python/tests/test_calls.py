from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from broadside import Broadside, BroadsideError, BroadsideProblem, ConfigurationError

from .support import BASE_URL, NEWCOMER, UP, UP_WITH_SITES, Service, call, each_style, ok


@each_style
def test_a_call_returns_the_body_and_with_response_the_rest(style: str) -> None:
    assert call(style, Service(UP), lambda client: client.get_status()) == {"status": "up"}
    response = call(style, Service(UP), lambda client: client.with_response.get_status())
    assert (response.status, response.body, response.request_id) == (200, {"status": "up"}, "a" * 32)
    assert response.headers["Content-Type"] == "application/json"


@each_style
def test_the_api_key_is_sent_if_there_is_one(style: str) -> None:
    service = Service(UP)
    call(style, service, lambda client: client.get_account())
    call(style, service, lambda client: client.get_account(), api_key="bsk_a")
    assert service.headers("authorization") == [None, "Bearer bsk_a"]
    assert service.headers("accept") == ["application/json"] * 2
    assert service.headers("content-type") == [None, None]


@each_style
def test_a_body_is_json_and_an_empty_answer_is_none(style: str) -> None:
    service = Service(ok({}, 201), httpx.Response(204))
    call(style, service, lambda client: client.create_account(NEWCOMER))
    assert json.loads(service.seen[0].content) == NEWCOMER
    assert service.headers("content-type") == ["application/json"]
    assert call(style, service, lambda client: client.delete_webhook("wh_1")) is None
    assert service.sent()[1] == f"DELETE {BASE_URL}/v1/webhooks/wh_1"


@each_style
def test_parameters_and_query_values_arrive_unchanged(style: str) -> None:
    service = Service(UP)
    query: Any = {"status": "a&b=c d+é%", "limit": 5, "flag": False, "none": None}
    call(style, service, lambda client: client.list_deliveries("a/b?c#d é%2F", query))
    url = service.seen[0].url
    assert url.raw_path.split(b"?")[0] == b"/v1/webhooks/a%2Fb%3Fc%23d%20%C3%A9%252F/deliveries"
    assert dict(url.params) == {"status": "a&b=c d+é%", "limit": "5", "flag": "false"}


@each_style
@pytest.mark.parametrize("id", ["", ".", "..", None, {"id": "post_1"}])
def test_a_parameter_that_would_change_the_path_is_rejected(style: str, id: Any) -> None:
    service = Service(UP)
    with pytest.raises(ConfigurationError if isinstance(id, str) else TypeError):
        call(style, service, lambda client: client.get_post(id))
    assert service.seen == []


@each_style
def test_a_base_url_can_end_with_a_slash_and_have_a_path(style: str) -> None:
    service = Service(UP)
    for base_url in (f"{BASE_URL}/", f"{BASE_URL}/under/"):
        call(style, service, lambda client: client.get_status(), base_url=base_url)
    assert service.sent() == [f"GET {BASE_URL}/v1/status", f"GET {BASE_URL}/under/v1/status"]


@each_style
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_fails_and_the_key_goes_nowhere_else(style: str, status: int) -> None:
    service = Service(httpx.Response(status, headers={"location": "https://elsewhere.example/"}))
    with pytest.raises(BroadsideError, match="redirect"):
        call(style, service, lambda client: client.get_status(), api_key="bsk_a")
    assert service.sent() == [f"GET {BASE_URL}/v1/status"]


def test_a_client_that_follows_redirects_does_not_follow_them_here() -> None:
    service = Service(httpx.Response(302, headers={"location": "https://elsewhere.example/"}))
    with httpx.Client(transport=httpx.MockTransport(service), follow_redirects=True, auth=("a", "b")) as http:
        with pytest.raises(BroadsideError, match="redirect"):
            Broadside(base_url=BASE_URL, api_key="bsk_a", http_client=http).get_status()
    assert service.headers("authorization") == ["Bearer bsk_a"]


@each_style
@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(404, html="<p>Nothing"),
        ok({"code": "E1"}, 404),
        httpx.Response(404, content=b"[]", headers={"content-type": "application/problem+json"}),
        httpx.Response(404, content=b"\xff{", headers={"content-type": "application/problem+json"}),
        httpx.Response(404, content=b"[" * 100_000, headers={"content-type": "application/problem+json"}),
    ],
)
def test_an_error_without_a_problem_document_names_its_status(style: str, reply: httpx.Response) -> None:
    with pytest.raises(BroadsideError, match="404") as caught:
        call(style, Service(reply), lambda client: client.get_status())
    assert not isinstance(caught.value, BroadsideProblem) and caught.value.status == 404


@each_style
def test_a_success_without_json_is_an_error(style: str) -> None:
    service = Service(httpx.Response(200, html="<p>Hello"))
    with pytest.raises(BroadsideError, match="responded with 200 and no JSON"):
        call(style, service, lambda client: client.get_status())
    assert len(service.seen) == 1


@each_style
def test_an_operation_of_one_site_goes_there(style: str) -> None:
    service = Service(UP_WITH_SITES, ok({"status": "sent"}))
    body = {"post_id": "post_1", "message": "Is it still there?"}
    call(style, service, lambda client: client.relay_message(body), api_key="bsk_a")
    assert service.sent() == [f"GET {BASE_URL}/v1/status", "POST https://classifieds.b.example/v1/relay"]
    assert service.headers("authorization") == [None, "Bearer bsk_a"]
