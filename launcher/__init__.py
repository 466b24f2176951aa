"""What start.py starts, and how: standard library only, as it runs before anything is installed."""
