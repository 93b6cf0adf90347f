from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest

from broadside._cli.checkpoints import save_visit as save_visit_of
from broadside._cli.main import run_command_line
from broadside.verify import LogCheckpoint, SiteLogs, Verification

from ..verify.published import CASES, INDEX, ORIGIN, VERIFIED_AT, Published, case_named

SITE = INDEX["site"] if CASES else ""
Verify = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def verify(environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Verify:
    """Runs the command with a service that publishes this case: the exit code, the JSON document and the lines."""
    monkeypatch.setattr("time.time", VERIFIED_AT.timestamp)

    def run(published: Published, *argv: str) -> tuple[int, Any, str]:
        monkeypatch.setattr("httpx.Client", lambda **_: published.client())
        saved = environment / "config" / "broadside" / "checkpoints.json"
        before = saved.read_text("utf-8") if saved.exists() else None
        code = run_command_line(["verify", *argv, "--json"])
        document = json.loads(capsys.readouterr().out)
        if before is not None:
            saved.write_text(before, "utf-8")
        assert run_command_line(["verify", *argv]) == code
        shown = capsys.readouterr()
        return code, document, shown.out + shown.err

    return run


def save_visit(environment: Path, published: Published) -> Path:
    path = environment / "config" / "broadside" / "checkpoints.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(published.last_visit), "utf-8")
    return path


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["folder"]))
def test_the_exit_code_says_whether_the_post_is_verified(verify: Verify, environment: Path, case: Any) -> None:
    published = Published(case)
    path = save_visit(environment, published)
    code, document, lines = verify(published, published.address)
    failed = next((check for check in document["checks"] if check["outcome"] == "failed"), {"name": None, "code": None})
    assert (code, document["verified"]) == ((0, True) if case["is_verified"] else (11, False))
    assert (failed["name"], failed["code"]) == (case["first_failed"], case["code"])
    assert document["conclusion"] in lines.splitlines()
    assert (document.get("post") == json.loads(published.post)) == case["is_verified"]
    # Only a visit that found nothing wrong replaces the checkpoint of the last one.
    current = (published.log / "checkpoint").read_text("utf-8")
    seen = {ORIGIN: current, SITE: ORIGIN} if case["is_verified"] else published.last_visit
    assert json.loads(path.read_text("utf-8")) == seen
    assert [each.name for each in path.parent.iterdir()] == ["checkpoints.json"]


def test_each_check_has_a_line(verify: Verify) -> None:
    published = Published(case_named("pretty"))
    _, _, lines = verify(published, published.address)
    assert lines.splitlines()[3:5] == [
        "✓ The service signed this post. The content is what the service signed.",
        "– The key in the post signed the content. The author did not sign this post.",
    ]


def test_files_are_verified_without_a_connection(verify: Verify, environment: Path) -> None:
    published = Published(case_named("author-signed"))
    (environment / "post.json").write_bytes(published.post)
    (environment / "keys.json").write_bytes(published.keys)
    code, document, _ = verify(published, "post.json", "--keys", "keys.json", "--offline")
    assert (code, document["conclusion"]) == (
        0,
        "The signature is valid: published by messages.posts.example on 2026-11-16T00:00:03Z. The log was not checked.",
    )
    assert published.seen == []
    code, document, _ = verify(published, "post.json", "--offline")
    assert (code, document["code"]) == (2, "usage")
    for option in (("--witness", INDEX["witness"]), ("--proof", "post.tlog-proof")):
        code, document, _ = verify(published, "post.json", "--keys", "keys.json", "--offline", *option)
        assert (code, document["code"]) == (2, "usage"), option


def test_keys_and_proof_can_come_from_elsewhere(verify: Verify, environment: Path) -> None:
    published = Published(case_named("pretty"))
    (environment / "post.json").write_bytes(published.post)
    (environment / "keys.json").write_bytes(published.keys)
    code, _, _ = verify(published, "post.json", "--keys", "keys.json", "--proof", f"{published.address}.tlog-proof")
    assert code == 0


def test_a_witness_must_have_cosigned(verify: Verify) -> None:
    published = Published(case_named("last-entry"))
    assert verify(published, published.address, "--witness", INDEX["witness"])[0] == 0
    code, document, _ = verify(published, published.address, "--witness", "witness.example/w1+00000000+AAAA")
    assert (code, document["code"]) == (2, "usage")
    assert document["detail"].startswith("--witness is not the key of a witness. ")


def test_a_post_that_does_not_exist_and_a_service_that_does_not_answer(verify: Verify, environment: Path) -> None:
    published = Published(case_named("pretty"))
    code, document, _ = verify(published, f"{INDEX['site']}/p/post_none")
    assert (code, document["code"]) == (6, "not_found")
    (environment / "post.json").write_bytes(published.post)
    published.is_down = True
    code, document, _ = verify(published, published.address)
    assert (code, document["code"]) == (8, "connection_failed")
    code, document, _ = verify(published, "post.json")
    assert (code, document["conclusion"]) == (8, "Not verified, because a source could not be read. Try again.")


def test_a_log_that_a_site_replaced_under_another_name_is_noticed(verify: Verify, environment: Path) -> None:
    published = Published(case_named("pretty"))
    path = save_visit(environment, published)
    path.write_text(json.dumps({SITE: "posts.example/older-log"}), "utf-8")
    code, document, _ = verify(published, published.address)
    assert (code, document["checks"][-1]["code"]) == (11, "log_missing")
    (environment / "keys.json").write_bytes(published.keys)
    assert verify(published, published.address, "--keys", "keys.json")[0] == 0


def test_what_another_run_saved_meanwhile_is_kept(environment: Path) -> None:
    path = save_visit(environment, Published(case_named("pretty")))
    # Half of a surrogate pair, as JSON can have it.
    path.write_text('{"other.example/log": "\\ud800"}', "utf-8")

    def save(size: int, origins: list[str]) -> None:
        checkpoint = LogCheckpoint(ORIGIN, f"{ORIGIN}\n{size}\nroot\n")
        save_visit_of({"XDG_CONFIG_HOME": str(environment / "config")}, Verification(True, [], checkpoint, SiteLogs(SITE, origins)))

    save(9, [ORIGIN])
    save(10, [ORIGIN, "posts.example/new"])
    save(9, [ORIGIN, "posts.example/other"])
    assert json.loads(path.read_text("utf-8")) == {
        "other.example/log": "\ud800",
        ORIGIN: f"{ORIGIN}\n10\nroot\n",
        SITE: f"{ORIGIN} posts.example/new posts.example/other",
    }
    assert [each.name for each in path.parent.iterdir()] == ["checkpoints.json"]


def test_a_damaged_file_of_checkpoints_is_not_ignored(verify: Verify, environment: Path) -> None:
    published = Published(case_named("pretty"))
    path = save_visit(environment, published)
    for text in ("[", "[]", "null", '{"a": 1}', "\x00"):
        path.write_text(text, "utf-8")
        code, document, _ = verify(published, published.address)
        assert (code, document["code"]) == (1, "checkpoints_unusable"), text


def test_a_file_that_cannot_be_replaced_leaves_no_draft(
    verify: Verify, environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = Published(case_named("pretty"))
    path = save_visit(environment, published)

    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("os.replace", refuse)
    code, document, _ = verify(published, published.address)
    assert (code, document["code"]) == (1, "checkpoints_unusable")
    assert [each.name for each in path.parent.iterdir()] == ["checkpoints.json"]
