"""Reads what `npm run train -- export` wrote: labels, and the features of each part of a text."""

import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

# As in head.ts: the encoder's vectors have length 1, so they are scaled to the size of the other inputs.
EMBEDDING_SCALE = 4
LEXICON_SCALE = 0.5


class Features:
    def __init__(self, directory: Path):
        self.about = json.loads((directory / "features.json").read_text())

        def read(name: str, kind: str = "<f4") -> np.ndarray:
            return np.fromfile(directory / name, dtype=kind)

        starts = read("ngram-starts.u32", "<u4").astype(np.int64)
        parts = len(starts) - 1
        buckets = 1 << self.about["ngram_bits"]
        self.embeddings = read("embeddings.f32").reshape(parts, -1)
        self.lexicon = read("lexicon.f32").reshape(parts, -1)
        self.concepts = read("concepts.f32").reshape(parts, -1)
        self.ngrams = csr_matrix(
            (read("ngram-values.f32"), read("ngram-buckets.u32", "<u4").astype(np.int32), starts), shape=(parts, buckets)
        )
        self.ngrams.sum_duplicates()

    def head_inputs(self, parts: np.ndarray) -> np.ndarray:
        return np.hstack([self.embeddings[parts] * EMBEDDING_SCALE, self.lexicon[parts] * LEXICON_SCALE])


class Texts:
    """Texts with several parts each, laid out in one row after another; the first part of each is the whole text."""

    def __init__(self, texts: list[dict]):
        counts = np.array([len(text["parts"]) for text in texts])
        self.parts = np.concatenate([text["parts"] for text in texts])
        self.starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self.owner = np.repeat(np.arange(len(texts)), counts)
        self.is_whole = np.zeros(len(self.parts), dtype=bool)
        self.is_whole[self.starts] = True

    def highest(self, scores: np.ndarray, margin: float) -> np.ndarray:
        """The highest score of each text's parts. All but the whole text must exceed it by a margin."""
        penalty = np.where(self.is_whole, 0, margin)
        return np.maximum.reduceat(scores - (penalty[:, None] if scores.ndim == 2 else penalty), self.starts)
