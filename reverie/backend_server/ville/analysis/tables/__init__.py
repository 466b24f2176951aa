"""The tables of a run: what its files hold, a row at a time, with columns whose type, unit and meaning are data."""
