"""Pictures of people: a Look in, a sprite sheet of twelve frames out."""
