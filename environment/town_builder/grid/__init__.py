"""A town as numbers: what every tile is, as grids, CSV matrices and permanent ids."""
