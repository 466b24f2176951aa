"""Data, lists and sentences for pages, in the language of the reader."""
