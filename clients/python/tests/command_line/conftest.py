from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Callable

import httpx
import pytest

from broadside import Broadside
from broadside._cli.main import run_command_line

from ..support import BASE_URL, Clock, Service
from ..verify.published import FOLDER

# The posts that it verifies are in the repository, and not in the package.
collect_ignore = [] if FOLDER.exists() else ["test_verify.py"]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with no login, which is the current one."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(
    environment: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs a command with a service that sends these replies: the exit code, the JSON document and the lines."""
    monkeypatch.setenv("BROADSIDE_URL", BASE_URL)
    monkeypatch.setenv("BROADSIDE_API_KEY", "bsk_a")

    def run_with(service: Service, *argv: str) -> tuple[int, Any, str]:
        client = functools.partial(Broadside, transport=httpx.MockTransport(service))
        monkeypatch.setattr("broadside._cli.context.Broadside", client)
        code = run_command_line([*argv, "--json"])
        document = json.loads(capsys.readouterr().out)
        service.seen.clear()
        assert run_command_line(argv) == code
        shown = capsys.readouterr()
        return code, document, shown.out + shown.err

    return run_with
