"""Calls to models, as pages list, sum up and show them: read from the ledger of a run, which may go on meanwhile."""
