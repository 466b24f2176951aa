"""Static files on disk, and their smaller copies."""
