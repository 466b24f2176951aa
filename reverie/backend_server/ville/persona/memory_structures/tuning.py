"""Parameters of perception, retrieval and reflection of a persona."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Parameters from scratch.json. Defaults apply to missing keys."""

    vision_r: int = 4
    """Radius of vision in tiles."""
    att_bandwidth: int = 3
    """Number of events perceived in a step, nearest first."""
    retention: int = 5
    """Number of latest observations that are not perceived again."""
    recency_w: float = 1
    """Weight of recency in retrieval (paper §4.1)."""
    relevance_w: float = 1
    """Weight of relevance in retrieval."""
    importance_w: float = 1
    """Weight of importance in retrieval."""
    recency_decay: float = 0.995
    """Factor of recency per hour since the last access."""
    importance_trigger_max: int = 150
    """Sum of poignancy of observations that triggers a reflection (paper §4.2)."""
