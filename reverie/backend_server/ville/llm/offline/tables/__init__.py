"""Words only: sayings by occasion, and activities by their steps. To add one, add a row."""
