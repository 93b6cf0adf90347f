from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent.parent
CASES = Path(__file__).parent / "expected_type_errors.py"


def test_type_checkers_find_these_mistakes_and_no_others() -> None:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", str(CASES)]
    output = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True).stdout
    found = {int(line) for line in re.findall(r"expected_type_errors\.py:(\d+): error: ", output)}
    lines = enumerate(CASES.read_text().splitlines(), start=1)
    assert found == {number for number, line in lines if line.endswith("# error")}, output
