"""Files of the tables of a run, for other programs: CSV, JSON lines, SQLite, Parquet, GraphML."""
