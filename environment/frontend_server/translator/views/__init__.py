"""One function for every address: form, mailbox, answer."""
