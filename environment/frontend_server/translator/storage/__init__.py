"""The simulations that pages show. No other room of the environment server touches the disk."""
