"""What was asked and what it cost: the ledger, what is read from it, and the prices."""
