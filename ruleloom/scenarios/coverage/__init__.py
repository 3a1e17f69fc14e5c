"""What the cases of a pack come past in its texts, and what none of them does."""
