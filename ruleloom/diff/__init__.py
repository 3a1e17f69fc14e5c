"""What is different between two packs, or two versions of one: in what they say, not in how it is
written."""
