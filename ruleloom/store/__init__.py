"""The store: what was made of packs, found again by a hash of all bytes that it was made of."""
