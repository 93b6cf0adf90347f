from __future__ import annotations

from typing import Any, Sequence

from ..._client import Broadside
from ..failures import CliError
from ..table import TABLE
from ..terminal.text import one_line


def resolve_place(client: Broadside, name: str, kind: str) -> Any:
    """The label and location for a name. Raises if no place has the name, or if several match equally well."""
    places: Sequence[Any] = client.find_places({"q": name, "limit": 10})["data"]
    if not places:
        raise CliError(
            f"No place is called {one_line(name)}.",
            exit="refused",
            code="place_not_found",
            advice="Look for it with `broadside place <name>`.",
        )
    best, *others = places
    rivals = [other for other in others if _is_rival(best, other)]
    if rivals:
        raise _ambiguous(name, [best, *rivals])
    return {"label": best["label"], "location": _location_for(best["location"], kind)}


def _location_for(location: Any, kind: str) -> Any:
    """Only some kinds take a city."""
    if kind in TABLE["kinds_with_city"]:
        return location
    return {key: value for key, value in location.items() if key != "city"}


def _is_rival(best: Any, other: Any) -> bool:
    """Whether the other place is as plausible as the best one.

    It is a namesake of the same level in the same country, such as the Springfields, or a country and another country's
    state, such as Georgia. Otherwise the service's order decides.
    """
    if _name_of(best) != _name_of(other):
        return False
    level, other_level = _level_of(best), _level_of(other)
    if best["location"]["country"] == other["location"]["country"]:
        return level == other_level
    return level == "country" and other_level == "state"


def _name_of(place: Any) -> str:
    return str(place["label"]).split(",")[0].lower()


def _level_of(place: Any) -> str:
    location = place["location"]
    return "city" if location.get("city") else "state" if location.get("state") else "country"


def _ambiguous(name: str, candidates: Sequence[Any]) -> CliError:
    choices = [f'--place "{one_line(place["label"])}"' for place in candidates]
    return CliError(
        f"Several places are called {one_line(name)}. Nothing was sent.",
        exit="refused",
        code="place_ambiguous",
        advice="\n".join(["Choose one:", *choices]),
        members={"candidates": candidates},
    )
