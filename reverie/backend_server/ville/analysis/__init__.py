"""Analysis of saved runs. Reads only."""
