"""Balance: what an item, a switch or a number makes in play, with how sure that is."""
