"""Studies: many runs of a town, by seeds and arms, on one machine or several."""
