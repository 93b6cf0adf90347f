"""Publishes today's weather for a city as a message, at most once per day.

Usage: python3 weather_agent.py Lisbon
"""

from __future__ import annotations

import os
import sys
from typing import Any
from urllib.parse import quote

import httpx
from broadside import (
    ApprovalRequiredError,
    Broadside,
    BroadsideProblem,
    IdempotencyKeyReusedError,
    InsufficientBalanceError,
)
from broadside.types import MessageSubmitPostBody

GEOCODING_URL = os.environ.get("GEOCODING_URL", "https://geocoding-api.open-meteo.com/v1/search")
WEATHER_URL = os.environ.get("WEATHER_URL", "https://api.open-meteo.com/v1/forecast")


def get_json(url: str, **params: Any) -> Any:
    response = httpx.get(url, params=params, timeout=10)
    response.raise_for_status()
    return response.json()


def describe_weather(city: str) -> tuple[str, str]:
    """Today's date in the city, and the forecast in one sentence."""
    found = get_json(GEOCODING_URL, name=city, count=1).get("results")
    if not found:
        sys.exit(f"The weather service does not know {city}.")
    names = ("temperature_2m_min", "temperature_2m_max", "precipitation_sum")
    where = {"latitude": found[0]["latitude"], "longitude": found[0]["longitude"], "timezone": "auto"}
    daily = get_json(WEATHER_URL, **where, daily=",".join(names), forecast_days=1)["daily"]
    low, high, rain = (daily[name][0] for name in names)
    day = daily["time"][0]
    forecast = f"{low:.0f} to {high:.0f} degrees Celsius, {rain:.1f} mm of rain expected."
    return day, f"Weather for {found[0]['name']} on {day}: {forecast} Source: Open-Meteo."


def main(city: str) -> int:
    day, text = describe_weather(city)
    with Broadside() as broadside:  # reads BROADSIDE_URL and BROADSIDE_API_KEY
        post: MessageSubmitPostBody = {"text": text, "topics": ["weather"]}
        places = broadside.find_places({"q": city, "limit": 1})["data"]
        if places:
            post["location"] = places[0]["location"]
        try:
            # The same key on the same day returns the first post and charges nothing.
            sent = broadside.publish("message", post, idempotency_key=f"weather-{quote(city.lower())}-{day}")
            decided = broadside.wait_for_decision(sent)
        except IdempotencyKeyReusedError:
            print("Today's weather is published already. The forecast has changed since then.")
            return 0
        except InsufficientBalanceError as problem:
            print(f"The balance is too low. Ask the owner to open {problem.account_url}", file=sys.stderr)
            return 5
        except ApprovalRequiredError as waiting:
            print(f"The owner must approve the post: {waiting.account_url}", file=sys.stderr)
            return 5
        except BroadsideProblem as problem:
            print(problem, file=sys.stderr)
            return 1
    reason = decided["rejection"]["reason"] if "rejection" in decided else ""
    print(decided["status"], decided["url"] or reason)
    return 0 if decided["status"] in ("published", "review") else 9


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:]) or "Lisbon"))
