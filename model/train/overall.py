"""Learns the probability that a post breaks any rule: kernel ridge regression over our own posts and labels."""

from dataclasses import dataclass
from typing import Callable

import numpy as np
from categories import Categories, calibrate
from features import Features, Texts
from scipy.special import expit
from sklearn.kernel_ridge import KernelRidge

# Chosen by leaving one author out at a time. The figures are in docs/moderation.md.
GAMMA = 1.5
NEAR, NGRAMS, LEXICON, CONCEPTS, CATEGORIES = 8, 6, 0.5, 4, 2
PENALTY = 1.0
VIOLATING_WEIGHT = 1.5
# How much the score of a part must exceed that of the whole text. Lower values find more violations hidden in long
# texts, and send more long texts to review.
MARGIN = 0.3
# The share of harmless posts that a judge may publish; higher scores go to review.
HARMLESS_BELOW_SUSPECT = 0.97
# The categories were trained on this author's posts.
FIRST_AUTHOR = "house"


@dataclass
class Kernel:
    centres: np.ndarray
    alphas: np.ndarray
    ngram_weights: np.ndarray
    dense_weights: np.ndarray
    bias: float


@dataclass
class Learnt:
    kernel: Kernel
    # The calibration, slope and offset, of each language.
    english: tuple[float, float]
    other: tuple[float, float]
    # The scores of each post by models trained without its author.
    overall: np.ndarray
    probabilities: np.ndarray
    suspect: float


def learn_overall(features: Features, categories_for: Callable[[dict], Categories]) -> Learnt:
    posts = features.about["posts"]
    texts = Texts(posts)
    authors = np.array([post["author"] for post in posts])
    violating = np.array([post["violating"] for post in posts])
    weights = np.array([post["weight"] for post in posts]) * np.where(violating, VIOLATING_WEIGHT, 1)
    scored = np.concatenate([post["scored"] for post in posts])

    logits = np.zeros((len(texts.parts), len(features.about["categories"])))
    probabilities = np.zeros((len(posts), logits.shape[1]))
    models = [categories_for(post) for post in posts]
    for model in {id(one): one for one in models}.values():
        own = np.array([one is model for one in models])
        logits[own[texts.owner]] = model.logits(features, texts.parts[own[texts.owner]])
        highest = texts.highest(logits, model.part_margin)
        probabilities[own] = expit(model.slope * highest[own] + model.offset)

    embeddings, ngrams = features.embeddings[texts.parts], features.ngrams[texts.parts]
    dense = np.hstack([features.lexicon[texts.parts], features.concepts[texts.parts], logits])
    means, factors = measure_dense(dense[texts.is_whole], features)
    standard = (dense - means) * factors

    def compare(these: np.ndarray, others: np.ndarray) -> np.ndarray:
        # Vectors have length 1, so their squared distance is 2 − 2 × similarity.
        near = np.exp(2 * GAMMA * (embeddings[these] @ embeddings[others].T - 1.0))
        words = (ngrams[these] @ ngrams[others].T).toarray()
        return 1 + NEAR * near + NGRAMS * words + standard[these] @ standard[others].T

    wholes = texts.starts
    likeness = compare(wholes, wholes)

    def fit(chosen: np.ndarray) -> np.ndarray:
        model = KernelRidge(alpha=PENALTY, kernel="precomputed")
        model.fit(likeness[np.ix_(chosen, chosen)], np.where(violating, 1, -0.5)[chosen], sample_weight=weights[chosen])
        return model.dual_coef_

    part_scores = np.full(len(texts.parts), -np.inf)
    for author in dict.fromkeys(authors):
        others = np.flatnonzero(authors != author)
        own = np.flatnonzero((authors == author)[texts.owner] & scored)
        part_scores[own] = compare(own, wholes[others]) @ fit(others)
        print(f"left out {author}", flush=True)
    scores = texts.highest(part_scores, MARGIN)

    english = np.array([post["english"] for post in posts])
    strangers = authors != FIRST_AUTHOR
    lines = [calibrate_evenly(scores[own], violating[own]) for own in (strangers & ~english, strangers & english)]
    slopes, offsets = np.array(lines)[english.astype(int)].T
    overall = expit(slopes * scores + offsets)
    harmless = np.sort(overall[strangers & english & ~violating])
    suspect = harmless[int(len(harmless) * HARMLESS_BELOW_SUSPECT)]

    alphas = fit(np.arange(len(posts)))
    dense_weights = (alphas @ standard[wholes]) * factors
    kernel = Kernel(
        centres=embeddings[wholes],
        alphas=alphas * NEAR,
        ngram_weights=NGRAMS * (ngrams[wholes].T @ alphas),
        dense_weights=dense_weights,
        bias=float(alphas.sum() - dense_weights @ means),
    )
    return Learnt(kernel, lines[1], lines[0], overall, probabilities, round(float(suspect), 3))


def measure_dense(dense: np.ndarray, features: Features) -> tuple[np.ndarray, np.ndarray]:
    """The centre and the weight of each number. All numbers of a type share its weight, however many there are."""
    widths = [features.lexicon.shape[1], features.concepts.shape[1], len(features.about["categories"])]
    shares = [np.full(width, np.sqrt(share / width)) for width, share in zip(widths, (LEXICON, CONCEPTS, CATEGORIES))]
    return dense.mean(axis=0), np.concatenate(shares) / (dense.std(axis=0) + 0.05)


def calibrate_evenly(scores: np.ndarray, violating: np.ndarray) -> tuple[float, float]:
    """The probability for a set in which half of the posts break a rule. The operator sets the real share."""
    if violating.all() or not violating.any():
        return 1.0, 0.0
    spread = 4
    slope, offset = calibrate(scores * spread, violating.astype(float))
    return slope * spread, offset - float(np.log(violating.sum() / (~violating).sum()))
