"""Packs from elsewhere: where they are to be had, how they come, which versions fit, which are kept."""
