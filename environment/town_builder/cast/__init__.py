"""The people of a town: the people file, its checks, and the base simulations made from it."""
