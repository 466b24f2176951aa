"""A town as a map of the Tiled editor: layers, sheets, markers, and the way back."""
