"""Files of simulations as docs/storage.md describes them, read and written by both servers."""
