"""Requests to providers over HTTP: the client, responses, errors, schemas."""
