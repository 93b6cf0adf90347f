"""Trains the local model on the features that `npm run train -- export` wrote. `npm run train` calls it."""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from benchmarks import measure_benchmarks
from categories import Categories, Rows, learn_categories
from features import Features
from overall import learn_overall
from weights import read_categories, write_weights

ROOT = Path(__file__).resolve().parents[2]
LIVE = ROOT / "model/weights/local"
THRESHOLDS = ROOT / "src/moderation/decisions/thresholds.json"
# Groups of authors whose posts no categories of theirs are learnt from. One author at a time would take too long.
FOLDS = 5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["moderation", "benchmarks"])
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    features = Features(options.features)
    rows = Rows.of(features.about["rows"]) if features.about["rows"] else None
    if options.what == "benchmarks":
        if rows is None:
            parser.error("the features have no rows of public sets")
        measure_benchmarks(features, rows, options.out, options.seed)
    else:
        train_moderation(features, rows, options)


def train_moderation(features: Features, rows: Rows | None, options: argparse.Namespace) -> None:
    posts = features.about["posts"]
    if rows is None:
        print("The features have no rows of public sets, so the live categories stay.")
        categories, about = read_categories(LIVE)
        learnt = learn_overall(features, lambda _: categories)
    else:
        without_fold = [learn_without(features, rows, posts, fold, options.seed) for fold in range(FOLDS)]
        learnt = learn_overall(features, lambda post: without_fold[fold_of(post["author"])])
        categories = learn_categories(features, rows, options.seed)
        about = {"seed": options.seed, "base": "full", "sources": features.about["sources"]}
    version = write_weights(options.out, features, categories, learnt, about)
    thresholds = json.loads(THRESHOLDS.read_text())
    thresholds["model"], thresholds["local"]["suspect"] = version, learnt.suspect
    (options.out / "thresholds.json").write_text(json.dumps(thresholds, indent=2) + "\n")
    print(f"{version} is in {options.out}. Suspect from {learnt.suspect}.")


def learn_without(features: Features, rows: Rows, posts: list[dict], fold: int, seed: int) -> Categories:
    """Leaves out the posts of a group of authors, and all their parts."""
    unseen = [post["key"] for post in posts if fold_of(post["author"]) == fold]
    print(f"categories without authors {fold + 1} of {FOLDS}", flush=True)
    return learn_categories(features, rows.where(~np.isin(rows.keys, unseen)), seed)


def fold_of(author: str) -> int:
    return hashlib.sha256(author.encode()).digest()[0] % FOLDS


if __name__ == "__main__":
    main()
