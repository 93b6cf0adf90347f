"""post, check, status, wait, edit and delete."""

from __future__ import annotations

import re
import uuid
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from ..._client import Broadside
from ..._core.errors import ApprovalRequiredError, BroadsideError, BroadsideProblem, WaitTimeoutError
from ..._core.settings import MAX_SECONDS, ConfigurationError, is_header_text
from ..context import Context, open_keyed_client
from ..failures import InterruptedCommand, SubmissionError, UsageError
from ..posts.describe_post import EXIT_BY_STATUS, post_lines
from ..posts.post_body import read_body, with_place
from ..terminal.interrupt import ended_by_signals
from ..terminal.prompt import ask, is_interactive
from ..terminal.text import one_line, time_text, usd


def _file_of(context: Context) -> Optional[str]:
    return context.arguments[1] if len(context.arguments) > 1 else None


def _show(context: Context, post: Any) -> None:
    context.out.document(post)
    for line in post_lines(post, context.out.look):
        context.out.print(line)


def post(context: Context) -> str:
    kind: Any = context.arguments[0]
    key = _idempotency_key(context)
    given = read_body(context, _file_of(context))
    with open_keyed_client(context) as client:
        body = with_place(context, client, given, kind)
        # Asked before: if this fails, nothing was submitted.
        client.site_url(kind)
        publish_at = context.text("publish-at")
        with _submission(key):
            if publish_at is not None:
                _show_draft(context, kind, client.schedule(kind, body, publish_at, idempotency_key=key))
                return "ok"
            queued = client.publish(kind, body, idempotency_key=key)
        if not context.is_set("no-wait"):
            return _wait_after_submission(context, client, queued)
    _show(context, queued)
    return "ok"


def _idempotency_key(context: Context) -> str:
    given = context.text("idempotency-key")
    if given is None:
        return str(uuid.uuid4())
    if not is_header_text(given):
        raise UsageError("--idempotency-key must consist of visible ASCII characters, without spaces.")
    return given


@contextmanager
def _submission(key: str) -> Iterator[None]:
    """Without a clear response it is unknown whether the post was submitted. The same key makes a second try safe."""
    retry = f"To try again without publishing twice, add --idempotency-key {key}"
    advice = f"The post may have been submitted. {retry}"
    try:
        with ended_by_signals():
            yield
    except (ApprovalRequiredError, ConfigurationError):
        raise
    except BroadsideError as error:
        if isinstance(error, BroadsideProblem) and error.status < 500:
            raise
        raise SubmissionError(error, advice) from None
    except KeyboardInterrupt:
        raise InterruptedCommand(advice) from None


def _wait_after_submission(context: Context, client: Broadside, post: Any) -> str:
    """If waiting fails, the error says that the post was submitted. A second submission would cost again."""
    advice, members = f"The post was submitted: {post['id']}. Wait again: broadside wait {post['id']}", {"post": post}
    try:
        return _wait_and_print(context, client, post)
    except BroadsideError as error:
        raise SubmissionError(error, advice, members) from None
    except InterruptedCommand:
        raise InterruptedCommand(advice, members) from None


def _show_draft(context: Context, kind: str, draft: Any) -> None:
    out = context.out
    out.document({"draft": draft})
    out.print(f"{out.style('yellow', draft['state'])}  {kind}  {out.style('bold', draft['id'])}")
    if draft.get("publish_at"):
        out.print(f"Publish at:  {time_text(draft['publish_at'])}")
    out.print(f"Price:       {usd(draft['total_micros'])}, charged at that time")


def check(context: Context) -> None:
    out = context.out
    kind: Any = context.arguments[0]
    body = read_body(context, _file_of(context))
    with open_keyed_client(context) as client:
        checked = client.check(kind, with_place(context, client, body, kind))
    out.document(checked)
    charge = checked["charge"]
    parts = f" (post {usd(charge['post_micros'])}, links {usd(charge['links_micros'])})"
    out.print(out.style("green", "The post is valid. Nothing was stored or charged."))
    out.print(f"Price:       {usd(charge['total_micros'])}{parts if charge['links_micros'] > 0 else ''}")
    out.print(f"Balance:     {usd(checked['balance_micros'])}, afterwards {usd(checked['balance_after_micros'])}")
    out.print(f"Moderation:  {checked['moderation']['state']}")
    for note in checked["prefilter"]["notes"]:
        out.print(f"Note:        {one_line(note)}")


def status(context: Context) -> None:
    with open_keyed_client(context) as client:
        _show(context, client.status(context.arguments[0]))


def wait(context: Context) -> str:
    with open_keyed_client(context) as client:
        return _wait_and_print(context, client, context.arguments[0])


def _wait_and_print(context: Context, client: Broadside, post: Any) -> str:
    """Waits for the decision with a progress line, and prints the record that it ends with."""
    out = context.out
    id = post if isinstance(post, str) else post["id"]
    through_review = context.is_set("through-review")
    decided: Any
    try:
        with out.progress(f"Waiting for the decision on {id}"), ended_by_signals():
            decided = client.wait_for_decision(
                post, timeout=min(context.number("timeout"), MAX_SECONDS), through_review=through_review
            )
    except WaitTimeoutError as error:
        # A post that is still waiting is a result, too.
        decided = error.post
    except KeyboardInterrupt:
        raise InterruptedCommand(f"Wait again: broadside wait {id}") from None
    _show(context, decided)
    if decided["status"] == "queued":
        out.note(f"It is not decided yet. Wait again: broadside wait {id}")
    if decided["status"] == "review":
        out.note(f"To wait for the person: broadside wait {id} --through-review")
    return EXIT_BY_STATUS.get(decided["status"], "ok")


def edit(context: Context) -> None:
    id = context.arguments[0]
    changes = read_body(context, _file_of(context))
    with open_keyed_client(context) as client:
        kind: Any = client.status(id)["kind"]
        _show(context, client.edit(kind, id, with_place(context, client, changes, kind)))
    if not context.out.is_json:
        context.out.note(f"The published version stays until the edit is accepted: broadside status {id}")


def delete(context: Context) -> None:
    id = context.arguments[0]
    with open_keyed_client(context) as client:
        if not context.is_set("yes") and is_interactive():
            answer = ask(f"Delete {id} for good? The fee is not refunded. [y/N] ")
            if not re.fullmatch(r"y(es)?", answer, re.IGNORECASE):
                raise InterruptedCommand("Nothing was deleted.")
        post = client.delete(id)
    context.out.document(post)
    context.out.print(f"Deleted {id}.")
