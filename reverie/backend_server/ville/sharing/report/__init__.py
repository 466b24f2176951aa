"""Reports of studies: one page for people, and a folder for programs."""
