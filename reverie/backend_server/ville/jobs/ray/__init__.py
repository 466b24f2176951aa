"""Runs jobs on the nodes of Ray, and carries their files."""
