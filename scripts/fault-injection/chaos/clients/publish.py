"""Publishes the texts on standard input, one per line, and prints the id of each post.

The client reads its address and key from the environment.
"""
from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from broadside import Broadside

CONCURRENCY = 8

texts = [line.rstrip("\n") for line in sys.stdin if line.strip()]
with Broadside(max_retries=12, timeout=1.0) as broadside, ThreadPoolExecutor(CONCURRENCY) as pool:
    for post in pool.map(lambda text: broadside.publish("message", {"text": text}), texts):
        print(post["id"], flush=True)
