"""Bundles: a study as one archive that others can check without a call."""
