"""The people of a town: their file, what they know, the simulations that begin with them."""
