"""Maps, places and the words that find them."""
