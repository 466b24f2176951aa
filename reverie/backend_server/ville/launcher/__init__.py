"""Starts the two servers and opens pages. Standard library only, because start.py reads its options before anything is
installed.
"""
