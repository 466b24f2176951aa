"""The files of steps: environment and movement."""
