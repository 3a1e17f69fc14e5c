"""Migration of packs to a newer version of what they build on."""
