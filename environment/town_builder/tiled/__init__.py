"""Maps of the Tiled editor: layers, tilesets and markers, written and read."""
