from __future__ import annotations

from typing import Any

import httpx
import pytest

from broadside import AsyncBroadside, Broadside, BroadsideError, ConfigurationError

from .support import BASE_URL


@pytest.mark.parametrize("client", [Broadside, AsyncBroadside])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "set BROADSIDE_URL"),
        ({"base_url": ""}, "set BROADSIDE_URL"),
        ({"base_url": "messages.b.example"}, "not an http or https URL"),
        ({"base_url": "ftp://b.example"}, "not an http or https URL"),
        ({"base_url": "https://b.example:a"}, "not an http or https URL"),
        ({"base_url": "https://b.example/ "}, "not an http or https URL"),
        ({"base_url": "https://me:hunter2@b.example"}, "no credentials"),
        ({"base_url": "https://b.example?a=1"}, "no credentials, query or fragment"),
        ({"base_url": "https://b.example?"}, "no credentials, query or fragment"),
        ({"base_url": "https://b.example/#"}, "no credentials, query or fragment"),
        ({"base_url": f"https://{'a' * 64}.example"}, "not an http or https URL"),
        ({"base_url": "https://a..example"}, "not an http or https URL"),
        ({"base_url": "https://b.example\\a"}, "not an http or https URL"),
        ({"base_url": "https://b.example\udc80"}, "not an http or https URL"),
        ({"base_url": "https://b.example/v1"}, "must not end with /v1"),
        ({"base_url": 5}, "must be a string"),
        ({"base_url": BASE_URL, "api_key": "bsk_a\n"}, "line break"),
        ({"base_url": BASE_URL, "api_key": "'bsk_a'"}, "quotation marks"),
        ({"base_url": BASE_URL, "api_key": "whsec_a"}, "webhook"),
        ({"base_url": BASE_URL, "api_key": "bsk_é"}, "starts with bsk_"),
        ({"base_url": BASE_URL, "api_key": 5}, "must be a string"),
        ({"base_url": BASE_URL, "max_retries": -1}, "max_retries"),
        ({"base_url": BASE_URL, "max_retry_wait": -1}, "max_retry_wait"),
        ({"base_url": BASE_URL, "max_retry_wait": float("inf")}, "max_retry_wait"),
        ({"base_url": BASE_URL, "max_retries": 1.5}, "max_retries"),
        ({"base_url": BASE_URL, "timeout": 0}, "timeout"),
        ({"base_url": BASE_URL, "timeout": float("nan")}, "timeout"),
        ({"base_url": BASE_URL, "timeout": "30"}, "timeout"),
        ({"base_url": BASE_URL, "timeout": 2_147_484}, "timeout"),
        ({"base_url": BASE_URL, "owner_token": ""}, "owner_token must"),
        ({"base_url": BASE_URL, "owner_token": "hunter2 "}, "owner_token must"),
        ({"base_url": BASE_URL, "owner_token": "hunter2\n"}, "owner_token must"),
        ({"base_url": BASE_URL, "owner_token": 5}, "owner_token must"),
        ({"base_url": BASE_URL, "http_client": "x"}, "http_client must be"),
    ],
)
def test_an_invalid_setting_is_named(client: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        client(**settings)
    assert isinstance(caught.value, (BroadsideError, ValueError))
    assert "hunter2" not in str(caught.value)


def test_the_environment_has_the_defaults_and_arguments_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROADSIDE_URL", " https://stories.b.example/\n")
    monkeypatch.setenv("BROADSIDE_API_KEY", "bsk_env")
    settings = Broadside()._core.settings
    assert (settings.base_url, settings.token) == ("https://stories.b.example", "bsk_env")
    given = Broadside(base_url=BASE_URL, api_key="bsk_own")._core.settings
    assert (given.base_url, given.token) == (BASE_URL, "bsk_own")
    assert Broadside(api_key="")._core.settings.token is None


def test_an_address_is_written_in_one_way() -> None:
    for given, base_url in (
        ("HTTPS://Messages.B.example:8443/Under//", "https://messages.b.example:8443/Under"),
        ("http://[::1]:4000/", "http://[::1]:4000"),
        ("https://bücher.example", "https://bücher.example"),
    ):
        assert Broadside(base_url=given)._core.settings.base_url == base_url


def test_the_token_of_an_owner_is_sent_instead_of_a_key() -> None:
    assert Broadside(base_url=BASE_URL, api_key="bsk_a", owner_token="bso_b")._core.settings.token == "bso_b"


def test_neither_the_client_nor_its_settings_print_the_key() -> None:
    for client in (Broadside, AsyncBroadside):
        shown = client(base_url=BASE_URL, api_key="bsk_secret")
        assert "bsk_secret" not in f"{shown!r} {shown._core.settings!r} {shown}"


def test_a_client_that_was_passed_stays_open() -> None:
    with httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, json={}))) as http:
        with Broadside(base_url=BASE_URL, http_client=http) as client:
            client.get_status()
        assert not http.is_closed
    with pytest.raises(ConfigurationError, match="not both"):
        Broadside(base_url=BASE_URL, http_client=http, transport=httpx.MockTransport(lambda _: httpx.Response(200)))
