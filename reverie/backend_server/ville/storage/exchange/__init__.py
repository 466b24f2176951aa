"""Files that programs exchange while they run: steps, requests, status."""
