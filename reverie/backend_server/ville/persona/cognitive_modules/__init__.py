"""What a persona does with what it sees and remembers, one verb a file."""
