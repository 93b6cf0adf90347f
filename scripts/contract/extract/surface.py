"""Prints the public names of the Python client in each folder with their signatures and types, for scripts/contract."""

from __future__ import annotations

import ast
import collections.abc
import enum
import inspect
import json
import os
import sys
import textwrap
import types
import typing

import httpx  # noqa: F401: loaded once for all folders

sys.dont_write_bytecode = True
PACKAGE = "broadside"
MODULES = ["broadside", "broadside.types", "broadside.errors"]
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", bytes: "bytes", type(None): "null"}

schemas: dict[str, typing.Any] = {}


def ours(value: typing.Any) -> bool:
    return str(getattr(value, "__module__", "")).split(".")[0] == PACKAGE


def schema_of(hint: typing.Any) -> typing.Any:
    if hint in (typing.Any, object, inspect.Parameter.empty):
        return {}
    if isinstance(hint, type) and hint in PLAIN:
        return {"type": PLAIN[hint]}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [schema_of(one) for one in arguments]}
    if origin in (typing.Required, typing.NotRequired, typing.Annotated, typing.ClassVar, typing.Final):
        return schema_of(arguments[0])
    if origin is collections.abc.Callable and isinstance(arguments[0], list):
        parameters = [
            {"name": str(index), "by": "position", "schema": schema_of(one)} for index, one in enumerate(arguments[0])
        ]
        return {"type": "function", "signatures": [{"parameters": parameters, "returns": schema_of(arguments[1])}]}
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is not None:
        known = [schema_of(one) for one in arguments if one is not ... and not isinstance(one, list)]
        return {"type": name_of(origin), "arguments": known}
    if isinstance(hint, type) and ours(hint):
        return {"$ref": "#/" + define(hint)}
    return {"type": name_of(hint)}


def name_of(hint: typing.Any) -> str:
    return getattr(hint, "__qualname__", None) or str(hint)


def define(kind: type) -> str:
    name = kind.__name__
    if name in schemas:
        return name
    schemas[name] = {}
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind)
        schemas[name] = {
            "type": "object",
            "properties": {key: schema_of(hint) for key, hint in hints.items()},
            "required": sorted(kind.__required_keys__),
        }
    elif issubclass(kind, enum.Enum):
        schemas[name] = {"enum": [member.value for member in kind]}
    else:
        schemas[name] = class_schema(kind)
    return name


SPECIAL = ("__init__", "__iter__", "__next__", "__aiter__", "__anext__", "__enter__", "__aenter__", "__getitem__")


def class_schema(kind: type) -> typing.Any:
    """The public attributes and methods, with the inherited ones of the package."""
    members: dict[str, typing.Any] = {}
    for base in reversed(kind.__mro__):
        if not ours(base):
            continue
        hints = typing.get_type_hints(base)
        typed = {**attributes_of(base), **{key: hints[key] for key in base.__dict__.get("__annotations__", {})}}
        for key, value in base.__dict__.items():
            if (not key.startswith("_") and key not in typed) or (key in SPECIAL and inspect.isfunction(value)):
                members[key] = member_schema(value)
        members.update({key: schema_of(hint) for key, hint in typed.items() if not key.startswith("_")})
    bases = [base.__name__ for base in kind.__mro__[1:] if base is not object and not base.__name__.startswith("_")]
    return {"type": "object", "properties": members, "required": sorted(members), "bases": bases, "class": True}


def attributes_of(kind: type) -> dict[str, typing.Any]:
    """What `__init__` assigns to self, with its type if it is written there or is that of a parameter."""
    function = kind.__dict__.get("__init__")
    if not inspect.isfunction(function) or function.__code__.co_filename.startswith("<"):
        return {}
    hints = hints_of(function)
    found: dict[str, typing.Any] = {}
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in targets:
            if not isinstance(target, ast.Attribute) or getattr(target.value, "id", "") != "self":
                continue
            if isinstance(node, ast.AnnAssign):
                found[target.attr] = eval(ast.unparse(node.annotation), function.__globals__)
            else:
                found.setdefault(target.attr, hints.get(getattr(node.value, "id", ""), typing.Any))
    return found


def member_schema(value: typing.Any) -> typing.Any:
    if isinstance(value, property):
        return schema_of(hints_of(value.fget).get("return", typing.Any))
    if isinstance(value, (staticmethod, classmethod)):
        return function_schema(value.__func__, isinstance(value, classmethod))
    if inspect.isfunction(value):
        return function_schema(value, True)
    return {"type": name_of(type(value))}


def hints_of(function: typing.Any) -> dict[str, typing.Any]:
    return typing.get_type_hints(function)


def function_schema(function: typing.Any, is_bound: bool = False) -> typing.Any:
    overloads = typing.get_overloads(function) or [function]
    return {"type": "function", "signatures": [signature(one, is_bound) for one in overloads]}


BY = {
    inspect.Parameter.POSITIONAL_ONLY: "position",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "both",
    inspect.Parameter.KEYWORD_ONLY: "name",
    inspect.Parameter.VAR_POSITIONAL: "rest",
    inspect.Parameter.VAR_KEYWORD: "rest",
}


def signature(function: typing.Any, is_bound: bool) -> typing.Any:
    hints = hints_of(function)
    returns = schema_of(hints.get("return", typing.Any))
    parameters = list(inspect.signature(function).parameters.values())[1 if is_bound else 0 :]
    return {
        "parameters": [
            {
                "name": one.name,
                "by": BY[one.kind],
                **({"optional": True} if one.default is not one.empty or BY[one.kind] == "rest" else {}),
                "schema": schema_of(hints.get(one.name, typing.Any)),
            }
            for one in parameters
        ],
        "returns": {"type": "Coroutine", "arguments": [returns]} if inspect.iscoroutinefunction(function) else returns,
    }


def entry_of(value: typing.Any) -> typing.Any:
    if inspect.isfunction(value):
        return {"outputs": {"": {"schema": function_schema(value)}}}
    if isinstance(value, type) and ours(value):
        kind = "type" if typing.is_typeddict(value) else "outputs"
        reference = {"$ref": "#/" + define(value)}
        return {"type": reference} if kind == "type" else {"outputs": {"": {"schema": reference}}}
    if typing.get_origin(value) is not None:
        return {"type": schema_of(value)}
    return {"outputs": {"": {"schema": {"type": name_of(type(value))}}}}


def public_names(module: typing.Any) -> list[str]:
    """What a module defines, lists in `__all__`, or imports under the same name again, as type checkers see it."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return list(listed)
    names: list[str] = []
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.append(node.name)
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
            for alias in node.names:
                if alias.name == "*":
                    source = __import__(f"{PACKAGE}.{node.module}", fromlist=["_"])
                    names.extend(public_names(source))
                elif alias.asname == alias.name:
                    names.append(alias.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.extend(target.id for target in targets if isinstance(target, ast.Name))
    return [name for name in dict.fromkeys(names) if not name.startswith("_") or name == "__version__"]


def print_surface(folder: str) -> None:
    sys.path.insert(0, folder)
    entries = {}
    for path in MODULES:
        module = __import__(path, fromlist=["_"])
        for name in public_names(module):
            entries[f"{path}.{name}"] = entry_of(getattr(module, name))
    print(json.dumps({"entries": entries, "schemas": schemas}), flush=True)


for folder in sys.argv[1:]:
    # Each folder has the same modules, so each is imported in a process of its own.
    child = os.fork()
    if child == 0:
        print_surface(folder)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)
