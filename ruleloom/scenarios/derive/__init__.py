"""Derives scenarios from an item's own filters: tables on which they decide, and what the machine
then offers."""
