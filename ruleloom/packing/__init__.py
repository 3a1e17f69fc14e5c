"""A pack as a file to give away: what it holds, whose it is, and what it was checked with."""
