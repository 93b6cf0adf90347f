"""Learns the categories: a network over vectors and word lists, and a linear model over n-grams."""

from dataclasses import dataclass

import numpy as np
from features import Features, Texts
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

# Chosen by cross-validation.
HEADS, HIDDEN, EPOCHS, BATCH = 2, 64, 8, 64
LEARNING_RATE, WEIGHT_DECAY, DROPOUT = 0.002, 0.01, 0.2
NGRAM_PENALTY = 1.0
PART_MARGIN = 0.5
# The head's share of the sum. Words indicate advertising and instructions better than hate or grief.
HEAD_SHARES = {
    "hate_harassment": 0.7,
    "sexual": 0.85,
    "violence_threats": 0.85,
    "self_harm": 0.85,
    "illegal_goods": 0.7,
    "scam_fraud": 0.5,
    "spam": 0.5,
    "malware_phishing": 0.5,
    "prompt_injection": 0.5,
    "impersonation": 0.7,
}
# A higher weight of violating rows would raise too many false alarms in rare categories.
MOST_WEIGHT = 5.0


@dataclass
class Categories:
    # Inputs and units of the hidden layer, then units and categories of the output.
    head: list[np.ndarray]
    # Quantized to bytes, with one scale for each category.
    ngram_bytes: np.ndarray
    ngram_scales: np.ndarray
    ngram_biases: np.ndarray
    head_share: np.ndarray
    slope: np.ndarray
    offset: np.ndarray
    part_margin: float

    def logits(self, features: Features, parts: np.ndarray) -> np.ndarray:
        hidden_weights, hidden_biases, output_weights, output_biases = self.head
        hidden = np.maximum(features.head_inputs(parts) @ hidden_weights + hidden_biases, 0)
        from_head = hidden @ output_weights + output_biases
        from_ngrams = (features.ngrams[parts] @ self.ngram_bytes) * self.ngram_scales + self.ngram_biases
        return self.head_share * from_head + (1 - self.head_share) * from_ngrams

    def probabilities(self, features: Features, texts: Texts) -> np.ndarray:
        highest = texts.highest(self.logits(features, texts.parts), self.part_margin)
        return expit(self.slope * highest + self.offset)


@dataclass
class Rows:
    """Labels are 1, 0, or NaN for unknown."""

    parts: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    keys: np.ndarray
    sources: np.ndarray

    @staticmethod
    def of(rows: list[dict]) -> "Rows":
        labels = np.array([row["labels"] for row in rows], dtype=np.float32)
        columns = [np.array([row[name] for row in rows]) for name in ("weight", "key", "source")]
        return Rows(np.array([row["part"] for row in rows]), labels, *columns)

    def where(self, chosen: np.ndarray) -> "Rows":
        columns = (self.parts, self.labels, self.weights, self.keys, self.sources)
        return Rows(*(column[chosen] for column in columns))


def learn_categories(features: Features, rows: Rows, seed: int) -> Categories:
    """Learns from nine tenths of the rows and calibrates on the rest. All posts from a template stay together."""
    is_held_out = np.array([int(key[:2], 16) < 26 for key in rows.keys])
    learning, held_out = rows.where(~is_held_out), rows.where(is_held_out)
    costs = costs_of(learning)
    inputs = features.head_inputs(learning.parts)
    heads = [fit_head(inputs, learning.labels, costs, np.random.default_rng([seed, number])) for number in range(HEADS)]
    names = features.about["categories"]
    count = len(names)
    categories = Categories(
        average_heads(heads),
        *fit_ngrams(features.ngrams[learning.parts], learning.labels, costs),
        np.array([HEAD_SHARES[name] for name in names]),
        *(np.ones(count), np.zeros(count), PART_MARGIN),
    )
    sums = categories.logits(features, held_out.parts)
    for index in range(count):
        known = ~np.isnan(held_out.labels[:, index])
        categories.slope[index], categories.offset[index] = calibrate(sums[known, index], held_out.labels[known, index])
    return categories


def costs_of(rows: Rows) -> np.ndarray:
    """What an error costs: nothing for unknown labels, more for violating rows, or rare categories are not learnt."""
    positive, known = np.nansum(rows.labels, axis=0), (~np.isnan(rows.labels)).sum(axis=0)
    extra = np.where(positive > 0, np.minimum(MOST_WEIGHT, np.sqrt((known - positive) / np.maximum(positive, 1))), 1)
    return np.where(np.isnan(rows.labels), 0, np.where(rows.labels == 1, extra, 1)) * rows.weights[:, None]


def fit_head(inputs: np.ndarray, labels: np.ndarray, costs: np.ndarray, random: np.random.Generator) -> list[np.ndarray]:
    """Adam on the cross-entropy of the known labels. scikit-learn's network takes neither unknown labels nor weights."""
    targets = np.nan_to_num(labels)
    width, outputs = inputs.shape[1], labels.shape[1]

    def uniform(rows: int, columns: int) -> np.ndarray:
        reach = np.sqrt(6 / (rows + columns))
        return random.uniform(-reach, reach, (rows, columns)).astype(np.float32)

    # The initial bias is negative, because most posts break no rule.
    head = [uniform(width, HIDDEN), np.zeros(HIDDEN, np.float32), uniform(HIDDEN, outputs), np.full(outputs, -3, np.float32)]
    means, squares = [np.zeros_like(table) for table in head], [np.zeros_like(table) for table in head]
    batches = -(-len(inputs) // BATCH)
    steps = EPOCHS * batches
    for step in range(1, steps + 1):
        if step % batches == 1 or batches == 1:
            order = random.permutation(len(inputs))
        chosen = order[(step - 1) % batches * BATCH :][:BATCH]
        kept = (random.random((len(chosen), HIDDEN)) >= DROPOUT) / np.float32(1 - DROPOUT)
        hidden = np.maximum(inputs[chosen] @ head[0] + head[1], 0) * kept
        error = (expit(hidden @ head[2] + head[3]) - targets[chosen]) * costs[chosen] / len(chosen)
        blame = (error @ head[2].T) * kept * (hidden > 0)
        slopes = [inputs[chosen].T @ blame, blame.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
        rate = LEARNING_RATE * (1 - 0.9 * step / steps)
        for table, slope, mean, square in zip(head, slopes, means, squares):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            table -= rate * (move + (WEIGHT_DECAY * table if table.ndim == 2 else 0))
    return head


def average_heads(heads: list[list[np.ndarray]]) -> list[np.ndarray]:
    """One network that returns the mean of several."""
    hidden_weights, hidden_biases, output_weights, output_biases = zip(*heads)
    count = len(heads)
    return [
        np.hstack(hidden_weights),
        np.concatenate(hidden_biases),
        np.vstack(output_weights) / count,
        np.mean(output_biases, axis=0),
    ]


def fit_ngrams(ngrams, labels: np.ndarray, costs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logistic regression for each category, with weights rounded to one byte. A category without rows stays at 0."""
    weights = np.zeros((ngrams.shape[1], labels.shape[1]))
    biases = np.zeros(labels.shape[1])
    for index in range(labels.shape[1]):
        known = ~np.isnan(labels[:, index])
        if len(np.unique(labels[known, index])) < 2:
            continue
        model = LogisticRegression(C=NGRAM_PENALTY, solver="liblinear", random_state=0)
        model.fit(ngrams[known], labels[known, index], sample_weight=costs[known, index])
        weights[:, index], biases[index] = model.coef_[0], model.intercept_[0]
    scales = np.abs(weights).max(axis=0) / 127
    return np.rint(weights / np.where(scales > 0, scales, 1)).astype(np.int8), scales, biases


def calibrate(sums: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """The slope and offset that turn a sum into a probability through the logistic function (Platt 1999)."""
    positive = labels.sum()
    # With fewer samples, the fit would be mostly chance.
    if positive < 5:
        return 1.0, 0.0
    targets = np.where(labels == 1, (positive + 1) / (positive + 2), 1 / (len(labels) - positive + 2))

    def loss(line: np.ndarray) -> float:
        values = line[0] * sums + line[1]
        return float(np.mean(np.logaddexp(0, values) - targets * values))

    # A slope outside these limits means that the held-out part was too small or too unusual.
    slope, offset = minimize(loss, [1.0, 0.0], bounds=[(0.2, 3), (None, None)]).x
    return float(slope), float(offset)
