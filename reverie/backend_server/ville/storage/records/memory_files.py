"""The names of the memory files of people, relative to the folder of a person or to reverie/."""

PERSONAS = "personas"
FORMER = "reverie/former"
"""Folder of those who have moved away, each as it was below PERSONAS when they left."""
SCRATCH = "bootstrap_memory/scratch.json"
SPATIAL = "bootstrap_memory/spatial_memory.json"
NODES = "bootstrap_memory/associative_memory/nodes.json"
EMBEDDINGS = "bootstrap_memory/associative_memory/embeddings.json"
VECTORS = "bootstrap_memory/associative_memory/vectors.f32"
STRENGTH = "bootstrap_memory/associative_memory/kw_strength.json"
INDEX = "vectors.json"
"""File below reverie/ with how much of each VECTORS belongs to the last save."""
POLICY = "lifestyle_policy.json"
"""File below reverie/ with what personas do again as before."""
FACTS = "facts.json"
"""File below reverie/ with the commitments of personas, and with what they have told to whom."""
COMMON_SENSE = "common_sense.json"
"""File below reverie/ with what a model has said about where activities are usually done."""


def accessed_file(name: str) -> str:
    """Return the file below reverie/ with the times at which memories of a persona were last retrieved."""
    return f"last_accessed/{name}.json"
