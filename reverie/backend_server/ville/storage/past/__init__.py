"""Earlier moments of a simulation: checkpoints, and their names."""
