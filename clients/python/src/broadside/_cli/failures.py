"""What ends a command with an error."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .._core.errors import BroadsideError


class CliError(Exception):
    """An error of the command line itself. The message says what is wrong, `advice` what to do."""

    def __init__(
        self, message: str, *, exit: str, code: str, advice: Optional[str] = None, members: Optional[Mapping[str, Any]] = None
    ) -> None:
        super().__init__(message)
        self.exit = exit
        self.code = code
        """Stable, for scripts."""
        self.advice = advice
        self.members: Mapping[str, Any] = members or {}
        """More for the JSON document."""


class UsageError(CliError):
    """The command line is not valid."""

    def __init__(self, message: str, advice: Optional[str] = None) -> None:
        super().__init__(message, exit="usage", code="usage", advice=advice)


class InterruptedCommand(CliError):
    """Ctrl-C. `hint` says how to continue."""

    def __init__(self, hint: Optional[str] = None, members: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__("Stopped.", exit="interrupted", code="interrupted", advice=hint, members=members)


class SubmissionError(Exception):
    """An error of the client during or after a submission, with advice about the post. It exits like that error."""

    def __init__(self, error: BroadsideError, advice: str, members: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.advice = advice
        self.members: Mapping[str, Any] = members or {}
