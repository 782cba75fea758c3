"""What providers say that a prompt took, set against our count: the ratio by which counts are corrected."""

from __future__ import annotations

from agents.context.tokens import is_estimate
from agents.models import LanguageModel, Step

DRIFT = 0.05
"""So far off a count may be before it is corrected: each correction changes what is clipped where, and what
changes in the older part of a prompt is not in the provider's cache."""
FEWEST = 300
"""Tokens of a prompt that tells anything: in a shorter one the frame weighs too much."""
REFUSED = "bad_request"
"""The kind of error of a prompt that the provider does not take, as where it is too long."""
LEAST, MOST = 0.4, 3.0
"""Ratios that a tokenizer can have to another; what lies outside is a mistake of whoever counted."""


def learn(model: LanguageModel, step: Step) -> None:
    """Correct a model's ratio by what its provider said of a step. Writes only where the count was off.

    A model whose own tokenizer counts is not corrected: what differs then is how its provider writes the
    frame of messages and tools, and that says nothing of a text. A ratio below 1 lets more into a prompt:
    where the provider then refuses it, that was a mistake.
    """
    if not is_estimate(model.name):
        return
    if step.error_kind == REFUSED and model.usage_ratio < 1:
        _set(model, 1.0, samples=0)
        return
    if min(step.counted_tokens, step.prompt_tokens) < FEWEST:
        return
    ratio = step.prompt_tokens / step.counted_tokens
    if abs(ratio / model.usage_ratio - 1) <= DRIFT or not LEAST <= ratio <= MOST:
        return
    # The first answer is all that is known; later ones are weighed against those before.
    weighed = ratio if model.usage_samples == 0 else (model.usage_ratio + ratio) / 2
    _set(model, weighed, samples=model.usage_samples + 1)


def _set(model: LanguageModel, ratio: float, samples: int) -> None:
    model.usage_ratio, model.usage_samples = ratio, samples
    model.save(update_fields=["usage_ratio", "usage_samples"])
