from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent.parent


def test_the_programs_of_the_readme_have_correct_types(tmp_path: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", (PROJECT / "README.md").read_text(), re.DOTALL)
    assert len(programs) > 5
    paths = [tmp_path / f"program_{number}.py" for number in range(len(programs))]
    for path, program in zip(paths, programs):
        path.write_text(program)
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", *map(str, paths)]
    checked = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_the_readme_names_only_addresses_that_work_from_anywhere() -> None:
    links = re.findall(r"\]\(([^)]*)\)", (PROJECT / "README.md").read_text())
    assert links and all(link.startswith("https://") for link in links)
