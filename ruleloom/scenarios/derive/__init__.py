"""Derived scenarios: tables near an item's boundary conditions, and what the machine does there."""
