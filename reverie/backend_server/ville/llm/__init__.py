"""Language models and embedders: one interface, client layers, providers, the ledger, the offline rules."""
