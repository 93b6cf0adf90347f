from __future__ import annotations

import pytest

from .support import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BROADSIDE_API_KEY", "BROADSIDE_URL"):
        monkeypatch.delenv(name, raising=False)
