"""The conveniences for posts, as flows: see flows.py."""

from __future__ import annotations

from typing import Any, Mapping, Optional, TypeVar, Union, cast

from .._generated import operations
from .._generated.problems import PostNotFoundError
from .._generated.types import Draft, DryRun, PostStatus
from .errors import ApprovalRequiredError, BroadsideError, BroadsideTimeoutError, WaitTimeoutError
from .flows import Calls, DeadlinePassed, Flow, Pause
from .moments import Moment, moment_text
from .operation import Operation, Response
from .retries import retry_after
from .settings import checked_timeout

T = TypeVar("T")

DEFAULT_WAIT = 600.0
"""Seconds that wait_for_decision waits by default."""
_SHORTEST_POLL = 0.25
_POLL_QUEUED = 2.0
_POLL_REVIEW = 30.0


class Posts(Calls):
    """Calls about posts, on the site that each post belongs to."""

    def publish(self, kind: str, body: Any, key: Optional[str], timeout: Optional[float]) -> Flow[PostStatus]:
        answer = (
            yield from self.call(operations.SUBMIT_POST, body=body, idempotency_key=key, timeout=timeout, kind=kind)
        ).body
        if _has(answer, "draft") and _has(cast(Any, answer)["draft"], "id"):
            draft = cast(Mapping[str, Any], answer)
            raise ApprovalRequiredError(draft["draft"], draft.get("account_url"))
        if not _has(answer, "id"):
            raise BroadsideError("The service responded with neither a post nor a draft.")
        return cast(PostStatus, answer)

    def schedule(
        self, kind: str, body: Any, publish_at: Moment, key: Optional[str], timeout: Optional[float]
    ) -> Flow[Draft]:
        query = {"publish_at": moment_text(publish_at)}
        answer = (
            yield from self.call(
                operations.SUBMIT_POST, query=query, body=body, idempotency_key=key, timeout=timeout, kind=kind
            )
        ).body
        if not _has(answer, "draft"):
            raise BroadsideError("The service responded with a post, not with a draft.")
        return cast(Draft, cast(Mapping[str, Any], answer)["draft"])

    def check(self, kind: str, body: Any, timeout: Optional[float]) -> Flow[DryRun]:
        query = {"dry_run": "true"}
        answer = yield from self.call(operations.SUBMIT_POST, query=query, body=body, timeout=timeout, kind=kind)
        return cast(DryRun, answer.body)

    def edit(
        self, kind: str, id: str, changes: Any, key: Optional[str], timeout: Optional[float]
    ) -> Flow[PostStatus]:
        return (
            yield from self.on_its_site(
                operations.EDIT_POST, id, body=changes, idempotency_key=key, timeout=timeout, kind=kind
            )
        ).body

    def delete(self, id: str, timeout: Optional[float]) -> Flow[PostStatus]:
        return (yield from self.on_its_site(operations.DELETE_POST, id, timeout=timeout)).body

    def read(self, id: str, timeout: Optional[float]) -> Flow[Any]:
        # With a key, the service would return the status record of an own post.
        return (yield from self.on_its_site(operations.GET_POST, id, timeout=timeout, with_key=False)).body

    def status(self, id: str, timeout: Optional[float], kind: Optional[str] = None) -> Flow[PostStatus]:
        return (yield from self._status_response(id, timeout, kind)).body

    def _status_response(
        self, id: str, timeout: Optional[float], kind: Optional[str]
    ) -> Flow[Response[PostStatus]]:
        response = yield from self.on_its_site(operations.GET_POST, id, timeout=timeout, kind=kind)
        if not _has(response.body, "status"):
            raise BroadsideError(
                f"{id} belongs to another account, or the client has no API key. Use read() for the public post."
            )
        return cast("Response[PostStatus]", response)

    def on_its_site(self, operation: Operation[T], id: str, **options: Any) -> Flow[Response[T]]:
        """A call about one post. If the post is on another site, the call goes there, once."""
        try:
            return (yield from self.call(operation, {"id": id}, **options))
        except PostNotFoundError as problem:
            kind = problem.document.get("kind")
            if kind == options.get("kind") or not (yield from self.knows_site(kind)):
                raise
            options["kind"] = kind
            return (yield from self.call(operation, {"id": id}, **options))

    def wait_for_decision(
        self, post: Union[str, PostStatus], timeout: float, through_review: bool
    ) -> Flow[PostStatus]:
        """Polls until the post, or its latest edit, is decided."""
        deadline = self.monotonic() + checked_timeout(timeout)
        record: Optional[PostStatus] = None if isinstance(post, str) else post
        id = post if isinstance(post, str) else post["id"]
        pause = 0.0 if record is None else _pause_in(record, None)
        kind = None if record is None else record["kind"]
        while record is None or _is_waiting(record, through_review):
            try:
                response = yield from self.until(deadline, self._poll(id, kind, pause))
            except DeadlinePassed:
                if record is None:
                    raise BroadsideTimeoutError(f"The status of {id} did not arrive within {timeout:g} seconds.") from None
                raise WaitTimeoutError(record, timeout) from None
            record = response.body
            # The sites are known if the post was found on another one.
            kind = record["kind"] if self._sites else kind
            pause = _pause_in(record, retry_after(response.headers, self.now()))
        return record

    def _poll(self, id: str, kind: Optional[str], pause: float) -> Flow[Response[PostStatus]]:
        if pause > 0:
            yield Pause(pause)
        return (yield from self._status_response(id, None, kind))


def _has(answer: Any, name: str) -> bool:
    return isinstance(answer, dict) and name in answer


def _is_waiting(record: PostStatus, through_review: bool) -> bool:
    waiting = ("queued", "review") if through_review else ("queued",)
    edit = record.get("edit")
    return record["status"] in waiting or (edit is not None and edit["status"] in waiting)


def _pause_in(record: PostStatus, asked: Optional[float]) -> float:
    """Seconds until the next poll: as the service asks for them, or else by the status."""
    edit = record.get("edit")
    moderation = record.get("moderation") or (edit.get("moderation") if edit else None)
    if asked is None and moderation:
        asked = moderation["retry_after_seconds"]
    if asked is None:
        is_queued = record["status"] == "queued" or (edit is not None and edit["status"] == "queued")
        asked = _POLL_QUEUED if is_queued else _POLL_REVIEW
    return max(float(asked), _SHORTEST_POLL)
