"""Planning: the day, its hours, its actions and their places."""
