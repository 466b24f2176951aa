"""Runs the jobs of a study, in processes of this machine."""
