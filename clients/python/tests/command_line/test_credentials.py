from __future__ import annotations

import stat
from pathlib import Path

import pytest

from broadside._cli.credentials import credentials_path, is_readable_by_others, not_saved, read_login, save_login
from broadside._cli.failures import CliError


def test_the_file_is_where_the_environment_says() -> None:
    assert credentials_path({"HOME": "/h"}, "linux") == Path("/h/.config/broadside/credentials.json")
    assert credentials_path({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "linux") == Path("/c/broadside/credentials.json")
    assert credentials_path({"APPDATA": "/d"}, "win32") == Path("/d/broadside/credentials.json")


def test_only_the_user_can_read_the_saved_login(tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path / "new" / "config")}
    assert read_login(environment) == {}
    path = save_login(environment, {"base_url": "https://a.example", "api_key": "bsk_a"})
    assert read_login(environment) == {"base_url": "https://a.example", "api_key": "bsk_a"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not is_readable_by_others(environment)
    path.chmod(0o644)
    assert is_readable_by_others(environment)
    save_login(environment, {})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_login_that_cannot_be_saved_leaves_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(PermissionError) as caught:
        save_login(environment, {"api_key": "bsk_a"})
    assert list((tmp_path / "broadside").iterdir()) == []
    assert not_saved(environment, caught.value).endswith("credentials.json cannot be written (EACCES).")


def test_a_login_with_other_values_than_text_is_reported(tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    save_login(environment, {}).write_text('{"base_url": 5}')
    with pytest.raises(CliError, match="has a value that is not text"):
        read_login(environment)


@pytest.mark.parametrize("content", ["", "[]", "{", '"a"'])
def test_a_damaged_login_is_reported(tmp_path: Path, content: str) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    path = save_login(environment, {})
    path.write_text(content)
    with pytest.raises(CliError, match="is not a JSON object") as caught:
        read_login(environment)
    assert caught.value.advice == "Correct or delete the file, then run `broadside login`."
