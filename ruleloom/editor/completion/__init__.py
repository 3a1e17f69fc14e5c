"""What may be written next, the likeliest first."""
