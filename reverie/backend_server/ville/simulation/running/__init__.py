"""The run loop, what it tells while it runs, and steps computed again."""
