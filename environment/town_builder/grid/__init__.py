"""A town in numbers: what every tile is, as grids, CSV matrices and lasting ids."""
