"""Balance: the effect of an item, a switch or a number in play, with its certainty."""
