"""Everything that stands in a room. One module a family; each drawing bears the name of its stamp."""
