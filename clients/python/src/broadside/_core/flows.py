"""Calls as generators: they yield what must be done and receive what came of it. The clients differ only in doing it."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from typing import Any, Callable, Generator, Mapping, Optional, TypeVar, Union

from .answers import Failed, Outcome, Whole, error_of, parse_answer, succeeded
from .errors import BroadsideError
from .operation import Operation, Response
from .requests import Request, build_request
from .retries import wait_before
from .settings import ConfigurationError, Settings, checked_url

T = TypeVar("T")


@dataclass(frozen=True)
class Send:
    """Send this request once; the flow continues with its outcome."""

    request: Request


@dataclass(frozen=True)
class Pause:
    """Wait this many seconds."""

    seconds: float


class DeadlinePassed(Exception):
    """The time of a whole flow is over."""


Step = Union[Send, Pause]
Flow = Generator[Step, Optional[Outcome], T]


class Calls:
    """Calls of operations, with retries."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.monotonic: Callable[[], float] = time.monotonic
        self.now: Callable[[], float] = time.time
        self.random: Callable[[], float] = random.random
        self._sites: Optional[dict[str, str]] = None

    def call(
        self,
        operation: Operation[T],
        params: Optional[Mapping[str, str]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        kind: Optional[str] = None,
        with_key: bool = True,
    ) -> Flow[Response[T]]:
        """One call, on the site of a kind if one is given, with as many attempts as are safe and useful."""
        site_kind = kind or operation.kind
        base_url = None if site_kind is None else (yield from self.site_of(site_kind))
        request = build_request(
            self.settings,
            operation,
            base_url=base_url,
            params=params,
            query=query,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            with_key=with_key,
        )
        # A key has an effect only if the operation supports it, whether or not the caller passed one.
        return (yield from self.attempts(request, operation.safe_to_repeat or operation.takes_idempotency_key))

    def attempts(self, request: Request, repeatable: bool) -> Flow[Response[Any]]:
        retry = 0
        while True:
            outcome = yield Send(request)
            assert outcome is not None
            if isinstance(outcome, Whole) and succeeded(outcome):
                parsed = parse_answer(outcome, request.call)
                if isinstance(parsed, Response):
                    return parsed
                outcome = parsed
            wait = self.wait_before(retry, outcome, repeatable) if retry < self.settings.max_retries else None
            if wait is None:
                raise error_of(outcome)
            yield Pause(wait)
            retry += 1

    def wait_before(self, retry: int, outcome: Outcome, repeatable: bool) -> Optional[float]:
        return wait_before(
            retry,
            (outcome.status, outcome.headers) if isinstance(outcome, Whole) else None,
            repeatable=repeatable,
            max_wait=self.settings.max_retry_wait,
            random=self.random(),
            now=self.now(),
        )

    def until(self, deadline: float, flow: Flow[T]) -> Flow[T]:
        """The same flow, whose requests and pauses end at the deadline. Then it raises DeadlinePassed."""
        outcome: Optional[Outcome] = None
        while True:
            try:
                step = flow.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            left = deadline - self.monotonic()
            if left <= 0:
                raise DeadlinePassed
            is_last = isinstance(step, Pause) and step.seconds >= left
            if isinstance(step, Pause):
                step = Pause(min(step.seconds, left))
            elif step.request.timeout > left:
                step = Send(replace(step.request, timeout=left))
            outcome = yield step
            # A request that was ended by the deadline is not the fault of the service.
            if is_last or (isinstance(outcome, Failed) and self.monotonic() >= deadline):
                raise DeadlinePassed

    def site_of(self, kind: str) -> Flow[str]:
        """The address of the site of a kind. The service names its sites once; one that names none has a single site."""
        if self._sites is None:
            request = build_request(self.settings, _STATUS, with_key=False)
            status = (yield from self.attempts(request, True)).body
            self._sites = _sites_in(status, self.settings.base_url)
        if not self._sites:
            return self.settings.base_url
        if kind not in self._sites:
            raise BroadsideError(f"The service has no site for the kind '{kind}'. It has {', '.join(sorted(self._sites))}.")
        return self._sites[kind]

    def knows_site(self, kind: Any) -> Flow[bool]:
        """Whether the service has more than one site, and one of this kind."""
        if not isinstance(kind, str):
            return False
        if self._sites is None:
            try:
                yield from self.site_of(kind)
            except BroadsideError:
                return False
        return kind in (self._sites or {})


_STATUS: Operation[Any] = Operation("GET", "/v1/status", safe_to_repeat=True, takes_idempotency_key=False)


def _sites_in(status: Any, base_url: str) -> dict[str, str]:
    """The sites by kind. The API key is sent to them, so a secure address never leads to an insecure one."""
    listed = status.get("sites") if isinstance(status, dict) else None
    sites: dict[str, str] = {}
    for site in listed if isinstance(listed, list) else []:
        kind, url = (site.get("kind"), site.get("url")) if isinstance(site, dict) else (None, None)
        if not isinstance(kind, str) or not isinstance(url, str):
            continue
        try:
            checked = checked_url(url)
        except ConfigurationError:
            raise BroadsideError("The service named a site with an address that is not valid. Check base_url.") from None
        if base_url.startswith("https:") and not checked.startswith("https:"):
            raise BroadsideError("The service named a site without https, so the client does not use it. Check base_url.")
        sites[kind] = checked
    return sites
