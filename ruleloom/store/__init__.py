"""The store: products of packs, addressed by a hash of all bytes that they were made from."""
