"""How far and how fast a run goes, and when it stops by itself."""
