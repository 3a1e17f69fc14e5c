"""Scenarios: given a position, when these steps are taken, then these claims hold."""
