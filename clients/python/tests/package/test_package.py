from __future__ import annotations

import ast
import inspect
import re
import typing
from pathlib import Path

import pytest

import broadside
from broadside import AsyncBroadside, Broadside, types
from broadside._async_client import AsyncBroadsideWithResponse
from broadside._client import BroadsideWithResponse

PROJECT = Path(__file__).parent.parent.parent
FILES = sorted([*(PROJECT / "src").rglob("*.py"), *(PROJECT / "tests").rglob("*.py")])


def test_both_clients_have_the_same_methods_with_the_same_parameters() -> None:
    def methods(client: type) -> dict[str, str]:
        return {
            name: re.sub(r" -> .*", "", str(inspect.signature(method)))
            for name, method in inspect.getmembers(client, inspect.isfunction)
            if not name.startswith("_") and name not in ("close", "aclose")
        }

    assert methods(Broadside) == methods(AsyncBroadside)
    assert methods(BroadsideWithResponse) == methods(AsyncBroadsideWithResponse)
    assert {"publish", "wait_for_decision", "stream", "search", "create_webhook"} <= set(methods(Broadside))


def test_every_public_method_is_documented() -> None:
    for client in (Broadside, AsyncBroadside):
        for name, method in inspect.getmembers(client, inspect.isfunction):
            assert name.startswith("_") or inspect.getdoc(method), name


def test_the_version_is_the_one_of_the_package() -> None:
    declared = re.search(r'^version = "(.*)"$', (PROJECT / "pyproject.toml").read_text(), re.MULTILINE)
    assert declared and declared[1] == broadside.__version__


# What typing, types, itertools and asyncio got after Python 3.9.
NEWER_NAMES = set(
    "TypeAlias TypeGuard ParamSpec Concatenate Self Required NotRequired Never Unpack assert_never assert_type "
    "LiteralString override NoneType UnionType EllipsisType pairwise batched timeout TaskGroup Runner".split()
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_every_file_is_valid_in_python_3_9(path: Path) -> None:
    text = path.read_text()
    nodes = list(ast.walk(ast.parse(text, feature_version=(3, 9))))
    annotated = [node for node in nodes if getattr(node, "annotation", None) or getattr(node, "returns", None)]
    assert not annotated or "\nfrom __future__ import annotations\n" in f"\n{text}"
    for node in nodes:
        assert type(node).__name__ != "Match"
        if isinstance(node, ast.Call):
            assert not {"slots", "kw_only", "strict"} & {str(word.arg) for word in node.keywords}
        if isinstance(node, ast.ImportFrom) and node.module in ("typing", "types", "itertools", "asyncio"):
            assert not NEWER_NAMES & {name.name for name in node.names}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            # X | Y between types runs only from Python 3.10 on.
            sides = {getattr(side, "id", "") for side in (node.left, node.right)}
            assert not sides & {"str", "bytes", "int", "float", "bool", "dict", "list", "None"}


def test_the_types_can_be_read_at_run_time() -> None:
    for name in dir(types):
        value = getattr(types, name)
        if isinstance(value, type) and hasattr(value, "__total__"):
            assert typing.get_type_hints(value), name
    assert types.PostStatus.__optional_keys__ >= {"moderation", "edit"}
    assert types.PostStatus.__required_keys__ >= {"id", "status"}
