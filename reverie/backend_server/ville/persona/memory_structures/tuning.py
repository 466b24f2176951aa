"""The knobs of one mind."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How far, how much and how long. The defaults hold for a key that a scratch file lacks."""

    vision_r: int = 4
    """How many tiles one sees in each direction."""
    att_bandwidth: int = 3
    """How many events one notices in a step, nearest first."""
    retention: int = 5
    """How many of the latest observations one still knows to have made."""
    recency_w: float = 1
    """How much it counts in retrieval that something was thought of lately."""
    relevance_w: float = 1
    """How much it counts in retrieval that something is to the point."""
    importance_w: float = 1
    """How much it counts in retrieval that something was moving."""
    recency_decay: float = 0.99
    """What is left of a memory's recency after an hour."""
    importance_trigger_max: int = 150
    """How much poignancy one takes in before one reflects."""
