"""The people of a town: one Look in, one sheet of twelve frames out."""
