"""Exchange with the engine: steps and requests."""
