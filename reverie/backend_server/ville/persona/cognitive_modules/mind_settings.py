"""The settings of a run that change how minds work."""

from dataclasses import dataclass, fields
from typing import Literal

from ville.persona.cognitive_modules.retrieve import Method
from ville.persona.prompt_template.question import Wording

Thinking = Literal["at_once", "meanwhile"]
PolicyStore = Literal["none", "simulation", "public"]


@dataclass(frozen=True)
class MindSettings:
    """How minds work; the same for all personas. The fields are those of `ville.settings.Settings`."""

    retrieval: Method = "person"
    impressions: bool = True
    """Whether an impression of another persona is brought up to date, instead of formed anew, before each talk."""
    social_memory: bool = False
    """Whether personas keep a summary of each other, from which they talk instead of retrieving for each utterance."""
    mind_wandering: bool = False
    """Whether memories that come to mind by chance are part of planning."""
    conversations: Literal["turns", "whole"] = "turns"
    """Whether each utterance is a question, or one question writes a whole conversation of two personas."""
    reflections: Literal["focal_points", "direct"] = "focal_points"
    """Whether insights answer questions chosen first, as in the paper, or follow from the latest memories at once."""
    prompts: Literal["full", "brief"] = "full"
    """Whether the most frequent questions (importance, reactions, subtasks) say all that matters, or what matters most.
    """
    policy_store: PolicyStore = "none"
    """Where answers are kept that are used again in like situations; `none`: they are not used again."""
    policy_similarity: float = 0.97
    """Cosine beyond which two situations are alike."""
    policy_repeats: int = 3
    """How often in a row an answer is used again before the model is asked anew."""

    questions: Wording = "situated"
    """Which questions are asked, and in which words."""
    thinking: Thinking = "at_once"
    """Whether a persona waits for the thoughts that nobody else waits for, or goes on meanwhile."""
    talks_per_hour: float = 3.0
    """How many talks of a persona recover in an hour; it may have two hours' worth at once. 0: any number."""
    reflections_per_hour: float = 0.25
    """How many of its reflections recover in an hour; it may have eight hours' worth at once. 0: any number."""
    pass_on_news: bool = False
    """Whether situated questions tell speakers to pass on news and invitations, as those of the paper do."""
    masked_memories: str = ""
    """Sorts of memories that are not retrieved, separated by blanks."""
    retrieved_share: float = 1.0
    """How many memories are retrieved, as a share of the usual number; at least one."""
    tuning: str = ""
    """Parameters of scratch.json that count instead of those of each persona: `recency_w=0 vision_r=2`."""
    people_order: str = ""
    """Order of personas within a step: as in the simulation, or by name (`forwards`, `backwards`)."""
    reworded: str = ""
    """Other words and names in what models read, separated by blanks: those of rewordings.yaml."""

    @property
    def muses(self) -> bool:
        """Whether a persona goes on while it reflects, thinks about a talk, or rates what it saw."""
        return self.thinking == "meanwhile"

    @property
    def policy(self) -> bool:
        """Whether answers are used again."""
        return self.policy_store != "none"


NAMES = tuple(field.name for field in fields(MindSettings))
