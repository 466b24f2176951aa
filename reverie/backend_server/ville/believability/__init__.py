"""The first evaluation of the paper (section 6): interviews under ablations, ranked by how believable they are."""
