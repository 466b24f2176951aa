"""Reads saved runs; writes nothing."""
