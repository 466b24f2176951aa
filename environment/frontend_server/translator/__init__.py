"""Pages that show what the engine writes, and send it the positions of personas, through the storage folders."""
