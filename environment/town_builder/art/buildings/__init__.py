"""Buildings: walls, floors, doors, windows, and what lies or hangs on them."""
