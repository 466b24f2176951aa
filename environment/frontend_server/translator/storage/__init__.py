"""The only code here that touches the disk: what the engine wrote, and the few files it reads from us."""
