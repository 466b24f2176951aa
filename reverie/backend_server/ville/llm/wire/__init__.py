"""Requests to providers over HTTP: the OpenAI SDK, responses, errors, schemas."""
