"""The Python API: sessions of towns, talks and visitors, views of personas, functions over saved simulations."""
