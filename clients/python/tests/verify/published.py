"""The genuine and forged posts that both clients must judge alike, as a service would publish them."""

from __future__ import annotations

import json
from base64 import b64decode
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Optional

import httpx

from broadside.verify import Verification, verify_post

FOLDER = Path(__file__).parents[4] / "test" / "fixtures" / "verification"
INDEX: Any = json.loads((FOLDER / "cases.json").read_text("utf-8")) if FOLDER.exists() else {"cases": []}
CASES: list[Any] = INDEX["cases"]
HOSTILE: Any = json.loads((FOLDER / "hostile.json").read_text("utf-8")) if FOLDER.exists() else {"inputs": []}
VERIFIED_AT = datetime(2026, 11, 18, tzinfo=timezone.utc)
ORIGIN = "posts.example/log"

# Tests replace httpx.Client.
_Client = httpx.Client


class Published:
    """A case, its files by address, and the addresses that were read."""

    def __init__(self, case: Any) -> None:
        folder = FOLDER / case["folder"]
        self.post = (folder / "post.json").read_bytes()
        # A forged post can have a name twice; both have the same address.
        self.address = str(json.loads(self.post)["url"])
        self.keys = (FOLDER / "keys.json").read_bytes()
        self.proof: Optional[bytes] = (folder / "post.tlog-proof").read_bytes()
        self.log: Path = FOLDER / case["log"]
        self.last_visit: dict[str, str] = {}
        if case["last_visit"]:
            self.last_visit[ORIGIN] = (folder / case["last_visit"]).read_text("utf-8")
        self.checkpoint: Optional[bytes] = None
        self.seen_logs: dict[str, list[str]] = {}
        self.witnesses: list[str] = []
        self.author_key: Optional[str] = None
        self.seen: list[str] = []
        self.is_down = False

    def client(self) -> httpx.Client:
        return _Client(transport=httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(str(request.url))
        if self.is_down:
            raise httpx.ConnectError("The connection is refused.")
        body = self._body_at(str(request.url))
        return httpx.Response(404) if body is None else httpx.Response(200, content=body)

    def _body_at(self, url: str) -> Optional[bytes]:
        files: dict[str, Optional[bytes]] = {
            f"{self.address}.json": self.post,
            f"{self.address}.tlog-proof": self.proof,
            f"{INDEX['site']}/.well-known/broadside-keys.json": self.keys,
        }
        if self.checkpoint is not None and url == f"{INDEX['log_url']}checkpoint":
            return self.checkpoint
        path = self.log / url[len(INDEX["log_url"]) :] if url.startswith(INDEX["log_url"]) else None
        return files.get(url) if path is None else path.read_bytes() if path.is_file() else None


def case_named(name: str) -> Any:
    return next(case for case in CASES if case["folder"].endswith(f"/{name}"))


def hostile_post(change: Any) -> Published:
    """A genuine post of which one part was replaced."""
    published = Published({"folder": HOSTILE["folder"], "log": "log", "last_visit": None})
    files = {
        "post.json": published.post,
        "keys.json": HOSTILE["keys"].encode(),
        "post.tlog-proof": published.proof or b"",
        "checkpoint": (FOLDER / "log" / "checkpoint").read_bytes(),
    }
    old = change["from"].encode()
    new = bytes.fromhex(change["to_hex"]) if "to_hex" in change else change["to"].encode()
    assert old in files[change["file"]]
    files[change["file"]] = files[change["file"]].replace(old, new, 1)
    published.post, published.keys, published.proof, published.checkpoint = files.values()
    if "seen_logs" in change:
        published.seen_logs = {INDEX["site"]: change["seen_logs"]}
    if "last_visit" in change:
        published.last_visit = {ORIGIN: change["last_visit"]}
    published.witnesses = change.get("witnesses", [])
    published.author_key = change.get("author_key")
    return published


def verify_hostile(change: Any) -> Verification:
    published = hostile_post(change)
    with published.client() as http:
        return verify_post(
            published.post,
            witnesses=published.witnesses,
            last_visit=published.last_visit,
            seen_logs=published.seen_logs,
            author_key=published.author_key,
            now=VERIFIED_AT,
            http_client=http,
        )


def verify_tampered(given: Any) -> Verification:
    """What another language has written: everything that a verifier reads, in base64."""
    post = b64decode(given["post"])

    def answer(request: httpx.Request) -> httpx.Response:
        url = str(request.url)
        path = url[len(INDEX["log_url"]) :] if url.startswith(INDEX["log_url"]) else None
        body = given["files"].get(path)
        if url == f"{given['address']}.json":
            return httpx.Response(200, content=post)
        return httpx.Response(404) if body is None else httpx.Response(200, content=b64decode(body))

    with _Client(transport=httpx.MockTransport(answer)) as http:
        return verify_post(
            given["address"] or post,
            keys=b64decode(given["keys"]),
            proof=b64decode(given["proof"]),
            witnesses=given["witnesses"],
            last_visit={ORIGIN: given["last_visit"]},
            now=given["now"],
            http_client=http,
        )
