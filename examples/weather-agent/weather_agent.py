"""Publishes today's weather for a city as a message, at most once per day.

Usage: python weather_agent.py Lisbon
"""
from __future__ import annotations

import os
import sys
from datetime import date

import httpx
from broadside import ApprovalRequiredError, Broadside, BroadsideProblem, InsufficientBalanceError

GEOCODING_URL = os.environ.get("GEOCODING_URL", "https://geocoding-api.open-meteo.com/v1/search")
WEATHER_URL = os.environ.get("WEATHER_URL", "https://api.open-meteo.com/v1/forecast")


def get_json(url: str, **params: object) -> dict:
    response = httpx.get(url, params=params, timeout=10)
    response.raise_for_status()
    return response.json()


def describe_weather(city: str) -> str:
    """Today's forecast in one sentence."""
    place = get_json(GEOCODING_URL, name=city, count=1)["results"][0]
    daily = get_json(
        WEATHER_URL,
        latitude=place["latitude"],
        longitude=place["longitude"],
        daily="temperature_2m_min,temperature_2m_max,precipitation_sum",
        forecast_days=1,
        timezone="auto",
    )["daily"]
    low, high, rain = (daily[name][0] for name in ("temperature_2m_min", "temperature_2m_max", "precipitation_sum"))
    return (
        f"Weather for {place['name']} on {daily['time'][0]}: {low:.0f} to {high:.0f} degrees Celsius, "
        f"{rain:.1f} mm of rain expected. Source: Open-Meteo."
    )


def main(city: str) -> int:
    with Broadside() as broadside:  # reads BROADSIDE_URL and BROADSIDE_API_KEY
        places = broadside.find_places({"q": city, "limit": 1})["data"]
        post = {"text": describe_weather(city), "topics": ["weather"]}
        if places:
            post["location"] = places[0]["location"]
        try:
            # The same key on the same day returns the first post and charges nothing.
            sent = broadside.publish("message", post, idempotency_key=f"weather-{city.lower()}-{date.today()}")
            decided = broadside.wait_for_decision(sent)
        except InsufficientBalanceError as problem:
            print(f"The balance is too low. Ask the owner to open {problem.account_url}", file=sys.stderr)
            return 5
        except ApprovalRequiredError as waiting:
            print(f"The owner must approve the post: {waiting.account_url}", file=sys.stderr)
            return 5
        except BroadsideProblem as problem:
            print(problem, file=sys.stderr)
            return 1
    print(decided["status"], decided["url"] or decided.get("rejection", {}).get("reason", ""))
    return 0 if decided["status"] in ("published", "review") else 9


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:]) or "Lisbon"))
