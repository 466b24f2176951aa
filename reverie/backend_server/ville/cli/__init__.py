"""The command lines behind the shells."""
