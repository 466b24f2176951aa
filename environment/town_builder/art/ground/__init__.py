"""Ground: grass, and what may lie over it."""
