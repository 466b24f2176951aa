"""Shows what the engine writes, and tells it where people stand. It meets the engine only in the storage folders."""
