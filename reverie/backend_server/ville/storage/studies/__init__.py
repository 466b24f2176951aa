"""The folder of a study, and the calls of its runs."""
