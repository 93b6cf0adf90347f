from __future__ import annotations

from typing import Any, Mapping, Optional

from .errors import BroadsideError
from .flows import Calls, Flow
from .operation import Operation


class Pages:
    """The pages of a list, one after the other."""

    def __init__(
        self,
        calls: Calls,
        operation: Operation[Any],
        cursor: str,
        query: Optional[Mapping[str, Any]],
        params: Optional[Mapping[str, str]],
        kind: Optional[str],
    ) -> None:
        self.is_done = False
        self._calls = calls
        self._operation = operation
        self._cursor = cursor
        self._query = dict(query or {})
        self._params = params
        self._kind = kind

    def next(self) -> Flow[list[Any]]:
        """The items of the next page."""
        response = yield from self._calls.call(self._operation, self._params, query=self._query, kind=self._kind)
        page = response.body
        if not isinstance(page, dict) or not isinstance(page.get("data"), list):
            raise BroadsideError("The service responded with no list.", response.status)
        following = page.get("next_cursor")
        # The same cursor again would return the same page for ever.
        self.is_done = following is None or following == self._query.get(self._cursor)
        self._query[self._cursor] = following
        items: list[Any] = page["data"]
        return items
