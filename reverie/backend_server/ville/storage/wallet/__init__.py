"""The wallet: limits above all simulations, and what was spent."""
