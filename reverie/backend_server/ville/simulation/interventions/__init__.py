"""Changes from outside the town: kinds of interventions, and how they are checked, recorded and applied."""
