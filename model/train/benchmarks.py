"""Measures the model on public sets that the measured weights were not trained on, and writes benchmarks.json."""

import json
from pathlib import Path
from typing import Callable

import numpy as np
from categories import Rows, learn_categories
from features import Features, Texts
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, precision_recall_fscore_support
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from weights import read_categories

FOLDS = 5
# The output that is compared with each set; without one, the highest.
CATEGORY_OF_SET = {
    "hatecheck": "hate_harassment",
    "sms-half-b": "spam",
    "deepset-test": "prompt_injection",
    "piguard-valid": "prompt_injection",
}
ANY_OF = ["hate_harassment", "sexual", "violence_threats", "self_harm"]
# The outputs for OpenAI's labels. The score of several is their product.
OF_LABEL = {
    "S": ["sexual"],
    "H": ["hate_harassment"],
    "V": ["violence_threats"],
    "HR": ["hate_harassment"],
    "SH": ["self_harm"],
    "H2": ["hate_harassment", "violence_threats"],
    "V2": ["violence_threats"],
}
# The highest category's share of the score for any label; the rest is that of a gate over the vectors.
CATEGORY_SHARE = 0.3


def measure_benchmarks(features: Features, rows: Rows, weights: Path, seed: int) -> None:
    sets, names = features.about["sets"], features.about["categories"]

    def column(scores: np.ndarray, wanted: list[str]) -> np.ndarray:
        return scores[:, [names.index(name) for name in wanted]]

    def learn(chosen: np.ndarray, texts: Texts) -> np.ndarray:
        print(f"learning from {chosen.sum()} rows", flush=True)
        return learn_categories(features, rows.where(chosen), seed).probabilities(features, texts)

    openai = sets["openai"]
    texts, fold = Texts(openai), np.random.default_rng(42).permutation(len(openai)) % FOLDS
    keys = np.array([one["key"] for one in openai])
    validated, gate = np.zeros((len(openai), len(names))), np.zeros(len(openai))
    broken = np.array([1 in one["marks"].values() for one in openai])
    for number in range(FOLDS):
        # The benchmark contains some posts twice; a copy of a measured post must not be trained on.
        is_measured, measured = fold == number, np.unique(keys[fold == number])
        validated[is_measured] = learn(~np.isin(rows.keys, measured), texts)[is_measured]
        inputs = gate_inputs(features, texts)
        model = make_pipeline(StandardScaler(), LogisticRegression(C=1 / 200, max_iter=1_000))
        known = ~np.isin(keys, measured)
        gate[is_measured] = model.fit(inputs[known], broken[known]).decision_function(inputs)[is_measured]
    worst = logit(np.clip(column(validated, ANY_OF).max(axis=1), 1e-4, 1 - 1e-4))
    weighed = expit(CATEGORY_SHARE * worst / worst.std() + (1 - CATEGORY_SHARE) * gate / gate.std())
    zero_shot = learn(rows.sources != "openai-moderation", texts)
    figures = [
        *openai_figures("cv", "5-fold cross-validation", openai, weighed, lambda label: column(validated, OF_LABEL[label]).prod(axis=1)),
        *openai_figures(
            "zero-shot",
            "none of it trained on",
            openai,
            column(zero_shot, ANY_OF).max(axis=1),
            lambda label: column(zero_shot, OF_LABEL[label]).prod(axis=1),
        ),
    ]
    shipped, _ = read_categories(weights)
    for name in [name for name in sets if name != "openai"]:
        category = CATEGORY_OF_SET.get(name)
        scores = shipped.probabilities(features, Texts(sets[name]))
        scores = column(scores, [category] if category else names).max(axis=1)
        figures.append(figure(name, f"held out, by {category or 'any'}", sets[name], scores))
    messages = learn(rows.sources != "sms", Texts(sets["sms-half-b"]))
    what = "SMS, half B, no SMS trained on"
    figures.append(figure("sms-half-b-without-sms", what, sets["sms-half-b"], column(messages, ["spam"])[:, 0]))
    (weights / "benchmarks.json").write_text(json.dumps({"seed": seed, "figures": figures}, indent=2) + "\n")
    for one in figures:
        print(one["name"], one.get("average_precision", "–"), one["false_alarms"])


def gate_inputs(features: Features, texts: Texts) -> np.ndarray:
    wholes = texts.parts[texts.starts]
    highest = np.maximum.reduceat(features.embeddings[texts.parts], texts.starts)
    return np.hstack([features.embeddings[wholes], highest, features.lexicon[wholes]])


def openai_figures(way: str, words: str, rows: list[dict], overall: np.ndarray, score_of: Callable) -> list[dict]:
    """The figures for the whole benchmark and for each label. Rows without a value for that label are excluded."""
    what = f"OpenAI benchmark, {words}"
    marked = [{**row, "isPositive": 1 in row["marks"].values()} for row in rows]
    figures = [figure(f"openai-any-{way}", f"{what}, any label", marked, overall)]
    for label in OF_LABEL:
        known = [index for index, row in enumerate(rows) if label in row["marks"]]
        own = [{**rows[index], "isPositive": rows[index]["marks"][label] == 1} for index in known]
        figures.append(figure(f"openai-{label}-{way}", f"{what}, label {label}", own, score_of(label)[known]))
    return figures


def figure(name: str, what: str, rows: list[dict], scores: np.ndarray) -> dict:
    """One line of benchmarks.json. A set without violating texts has only false alarms."""
    positive = np.array([row["isPositive"] for row in rows])
    alarms = [round(float((scores[~positive] >= limit).mean()), 3) for limit in (0.5, 0.9)]
    about = {"name": name, "what": what, "n": len(rows), "positives": int(positive.sum())}
    false_alarms = {"at_half": alarms[0], "at_nine_tenths": alarms[1]}
    if not positive.any():
        return {**about, "false_alarms": false_alarms}
    random = np.random.default_rng(5)
    drawn = (random.integers(len(rows), size=len(rows)) for _ in range(500))
    samples = [average_precision_score(positive[one], scores[one]) for one in drawn if positive[one].any()]
    keywords = [row["keywords"] for row in rows]
    precision, recall, f1, _ = precision_recall_fscore_support(positive, scores >= 0.5, average="binary", zero_division=0)
    return {
        **about,
        "average_precision": round(average_precision_score(positive, scores), 3),
        "interval_95": np.quantile(samples, [0.025, 0.975]).round(3).tolist(),
        "keyword_average_precision": round(average_precision_score(positive, keywords), 3),
        "at_half": {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3)},
        "false_alarms": false_alarms,
    }
