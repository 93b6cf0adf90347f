"""Not a test: prints what each genuine and forged post gets, so that another language can compare."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from broadside.verify import verify_post

from .published import CASES, HOSTILE, VERIFIED_AT, Published, verify_hostile, verify_tampered

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
        hostile[change["about"]] = [check._asdict() for check in verify_hostile(change).checks]
    tampered = {}
    for given in json.loads(Path(sys.argv[1]).read_text("utf-8")):
        tampered[given["name"]] = [check._asdict() for check in verify_tampered(given).checks]
    json.dump({"cases": results, "hostile": hostile, "tampered": tampered}, sys.stdout)
