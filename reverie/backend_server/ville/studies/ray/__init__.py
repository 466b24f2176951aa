"""Runs the jobs of a study on the nodes of Ray, and carries their files."""
