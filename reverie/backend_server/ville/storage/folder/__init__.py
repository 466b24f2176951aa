"""A simulation as a folder: found, copied, opened, saved."""
