"""What goes over the network: to which provider, in which form, and what comes back."""
