"""The simulations that pages show. No other package of the environment server reads or writes files."""
