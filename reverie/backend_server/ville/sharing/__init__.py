"""Shared files: a simulation, a comparison or a study in one HTML file that needs no server and no network."""
