"""One function for every address: check the request, read or write storage, respond."""
