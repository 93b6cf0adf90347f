"""Not a test: prints what each genuine and forged post gets, so that another language can compare."""

from __future__ import annotations

import json
import sys

from broadside.verify import verify_post

from .published import CASES, HOSTILE, VERIFIED_AT, Published, hostile_post

if __name__ == "__main__":
    results = {}
    for case in CASES:
        published = Published(case)
        with published.client() as http:
            found = verify_post(
                published.address, last_visit=published.last_visit, now=VERIFIED_AT, http_client=http
            )
        results[case["folder"]] = [check._asdict() for check in found.checks]
    hostile = {}
    for change in HOSTILE["inputs"]:
        published = hostile_post(change)
        with published.client() as http:
            found = verify_post(published.post, seen_logs=published.seen_logs, now=VERIFIED_AT, http_client=http)
        hostile[change["about"]] = [check._asdict() for check in found.checks]
    json.dump({"cases": results, "hostile": hostile}, sys.stdout)
