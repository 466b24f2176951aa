"""Furniture. Each module holds one family, and each drawing function has the name of its stamp."""
