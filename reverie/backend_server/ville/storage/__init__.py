"""The archive: dictionaries to disk and back, in the classic form. Ignorant of minds."""
