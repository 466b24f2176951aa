"""Feed of a run: happenings, days and conversations, from what everyone shows. Pure: no files, no words for readers."""
