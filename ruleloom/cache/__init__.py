"""The cache of checks: unchanged packs are answered without compiling them."""
